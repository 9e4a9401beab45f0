import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { Database } from "../db/client.ts";
import { SecretCipher } from "../server/model/webhooks/secret-cipher.ts";
import { createEndpoint } from "../server/delivery/service/endpoints.ts";
import { alternate, HERE, turnsOf } from "./harness/alternate.ts";
import { eventDefinition } from "./harness/definitions.ts";
import type { Figure } from "./harness/figure.ts";
import { AUTH_SECRET, startServer, startService } from "./harness/process.ts";
import { makeProject, type Project } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const DELIVERIES = sized({ smoke: 100, usual: 40_000 });
/** The dispatcher's concurrency for one endpoint. */
const CONCURRENCY = 8;

/** The cost of claiming, recording and fairness, compared with only signing and posting. */
export const webhooks: Figure = {
  name: "webhooks",
  title: "webhooks delivered/s to bare signed POSTs",
  better: "more",
  reach: 0.7,
  stretch: 0.85,
  async measure(context) {
    const database = await context.server.create("bench_webhooks");
    context.atEnd(database.close);
    const project = await makeProject(database, "webhooks", { events: [eventDefinition("order_placed")] });
    const receiver = await startServer(context, "bench/harness/receiver.ts", "/", {});
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const { id, secret } = await createEndpoint(
      database,
      project.environment,
      { url, events: ["mission.completed"] },
      { allowPrivateAddresses: true, cipher: new SecretCipher(AUTH_SECRET) },
    );
    const service = await startService(context, database.url);
    const posting = { of: "a delivery", by: [HERE] };
    const delivering = { of: "a delivery", by: [service] };
    const measured = await alternate(
      context,
      "deliveries/s",
      {
        name: `bare signed POSTs, ${CONCURRENCY} at a time`,
        costs: posting,
        measure: async () => ({ value: await postAll(url, secret), done: DELIVERIES }),
      },
      {
        name: "delivered and recorded",
        costs: delivering,
        measure: async () => ({ value: await deliverAll(database, project, id), done: DELIVERIES }),
      },
    );
    const { posts, samples } = await received(receiver.port);
    context.outcome.equal("posts received from both sides", posts, 2 * turnsOf(context) * DELIVERIES);
    const genuine = samples.filter((sample) => signatureOf(secret, sample) === sample.signature);
    context.outcome.equal("valid signatures in the sample", genuine.length, samples.length);
    context.outcome.atLeast(
      "posts in the sample, each with an id of its own",
      new Set(samples.map(({ id: own }) => own)).size,
      posts / 100 - 1,
    );
    return measured;
  },
};

/** A sample of the received posts: one in a hundred. */
interface Sample {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}

async function received(port: number): Promise<{ posts: number; samples: Sample[] }> {
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  return (await answer.json()) as { posts: number; samples: Sample[] };
}

const signatureOf = (secret: string, { id, timestamp, body }: Omit<Sample, "signature">): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")}`;

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice("whsec_".length), "base64");

/** A sender without an outbox: an undici pool that signs and posts. */
async function postAll(url: string, secret: string): Promise<number> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: CONCURRENCY, pipelining: 1 });
  const started = performance.now();
  let left = DELIVERIES;
  const post = async () => {
    while (left-- > 0) {
      const id = randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1000));
      const body = envelope(id);
      const signature = signatureOf(secret, { id, timestamp, body });
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
      };
      const answer = await pool.request({ path: pathname, method: "POST", headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, post));
  const rate = (DELIVERIES * 1000) / (performance.now() - started);
  await pool.close();
  return rate;
}

const envelope = (id: string): string =>
  `{"version":1,"event":"mission.completed","deliveryId":"${id}","occurredAtUtc":"${new Date().toISOString()}","data":${data(id)}}`;

const data = (id: string): string =>
  JSON.stringify({
    playerExternalId: "player-0001234",
    missionKey: "order_placed_mission_7",
    occurrenceId: id,
    occurrenceNumber: 0,
    completedAtUtc: "2026-01-31T09:00:00.000Z",
  });

/** Writes all deliveries into the outbox, as folds would, and waits until every one is recorded as delivered. */
async function deliverAll({ sql }: Database, { environment }: Project, endpointId: string): Promise<number> {
  await sql`truncate webhook_deliveries, webhook_attempts`;
  await sql`
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at)
    select gen_random_uuid(), ${endpointId}, ${environment.id}, 'mission.completed', gen_random_uuid(), ${data("8c5f0a3e-0000-8000-a000-000000000000")}::text::json, now()
    from generate_series(1, ${DELIVERIES})`;
  await untilNothingIsPending(sql);
  const ended = Date.now();
  // Measured from the first attempt on, so that the dispatcher's polling is excluded.
  const [row] = await sql<{ delivered: number; started: number }[]>`
    select count(*) as delivered, min(a.started_at) as "started"
    from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id where d.status = 'Delivered' and d.attempts = 1`;
  if (row?.delivered !== DELIVERIES) throw new Error(`${row?.delivered} of ${DELIVERIES} deliveries succeeded at the first attempt.`);
  return (DELIVERIES * 1000) / (ended - row.started);
}

async function untilNothingIsPending(sql: Database["sql"]): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    // Ordered as the index is: without it the whole table is scanned once the statement has a general plan.
    const [pending] = await sql`select 1 from webhook_deliveries where status = 'Pending' order by endpoint_id, due_at limit 1`;
    if (pending === undefined) return;
    await sleep(20);
  }
  throw new Error("The deliveries were not delivered in time.");
}
