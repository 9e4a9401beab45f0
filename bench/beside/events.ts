import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/client.ts";
import { BATCH, batchRequest, type Item, makeBatches } from "../harness/events.ts";
import { openLoaded } from "../harness/loaded.ts";
import { sendAndApply } from "../harness/load.ts";
import { expectCompletions, expectNothingLeft, plus, tallyIn, tallyOf } from "../harness/recount.ts";
import { type BesideContext, type Contest, middle, middleSpending, spending, type Spending } from "./contest.ts";

const BATCHES = 60;
const SENDERS = 4;
/** Rows per transaction of the aggregation. */
const TAKEN = 2_000;

/** Measures events from sending until they have taken effect: in missions here, in sums per player and day in the plain queue. */
export async function events(context: BesideContext): Promise<Contest> {
  const { rounds, say, outcome, server } = context;
  const { database, project, service, players } = await openLoaded(context, "beside");
  const plain = await openQueue(context);
  let sentToService = await tallyIn(database.sql);
  let sentToQueue = { events: 0, cents: 0 };
  const sides = [
    {
      name: "this service, over HTTP, 20 missions",
      send(batches: readonly Item[][]) {
        sentToService = plus(sentToService, tallyOf(batches));
        return sendAndApply(
          service.port,
          database.sql,
          batches.map((batch) => batchRequest(project.key, batch)),
        );
      },
      by: [service.pid],
    },
    {
      name: "queue table and sums by player and day, straight from the driver",
      send(batches: readonly Item[][]) {
        sentToQueue = plus(sentToQueue, tallyOf(batches));
        return throughQueue(plain, batches);
      },
      by: [process.pid],
    },
  ].map((side) => ({ ...side, rates: [] as number[], spent: [] as Spending[] }));
  for (let turn = -1; turn < rounds; turn++) {
    const batches = makeBatches(BATCHES, players);
    for (const { name, send, by, rates, spent } of sides) {
      const begun = spending(by, server.cpuUs);
      const rate = await send(batches);
      const cost = begun(BATCHES * BATCH);
      say(`${turn < 0 ? "warm-up" : `round ${turn + 1}`}: ${name}: ${Math.round(rate)} events/s`);
      if (turn < 0) continue;
      rates.push(rate);
      spent.push(cost);
    }
  }
  outcome.equal("events logged by the service, and their amounts", await tallyIn(database.sql), sentToService);
  await expectNothingLeft(outcome, database.sql);
  await expectCompletions(outcome, database.sql);
  const [sums] = await plain.sql<{ events: number; cents: number }[]>`
    select sum(events)::bigint as events, sum(amount * 100)::bigint as cents from plain_sums`;
  outcome.equal("sums of the queue's events, and of their amounts", { ...sums! }, sentToQueue);
  return {
    title: "Events: from sending until applied",
    columns: ["system", "durability", "events/s", "CPU µs an event, Node + server"],
    rows: sides.map(({ name, rates, spent }) => [
      name,
      "PostgreSQL, each batch of 1,000 is one durable transaction",
      middle(rates),
      middleSpending(spent),
    ]),
    notes: [
      `${BATCHES * BATCH} events a turn of ${players.count} players, in batches of ${BATCH}.`,
      "The queue has no HTTP, keys or validation, and its effect is one row per player, event and day: a count and a sum.",
    ],
  };
}

async function openQueue({ server, atEnd }: BesideContext): Promise<Database> {
  const database = await server.create("beside_queue", { connections: SENDERS + 2 });
  atEnd(database.close);
  await database.sql.unsafe(`
    create table plain_log (player text not null, event text not null, key text not null, at timestamptz not null, properties json not null,
      primary key (player, event, key));
    create table plain_queue (seq bigint generated always as identity primary key, player text not null, event text not null, day date not null,
      amount numeric not null);
    create table plain_sums (player text not null, event text not null, day date not null, events int not null, amount numeric not null,
      primary key (player, event, day))`);
  return database;
}

/** Events a second, from sending the first to adding up the last. Senders never wait for the sums. */
async function throughQueue(database: Database, batches: readonly Item[][]): Promise<number> {
  const started = performance.now();
  let next = 0;
  let isSent = false;
  const adding = (async () => {
    for (;;) {
      // Read before adding up: if everything was sent by then, an empty queue is the end.
      const wasSent = isSent;
      const added = await addUp(database);
      if (added === 0 && wasSent) return;
      if (!isSent) await sleep(1);
    }
  })();
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) await put(database, batch);
    }),
  );
  isSent = true;
  await adding;
  return (batches.length * BATCH * 1000) / (performance.now() - started);
}

let unkeyed = 0;

/** The log rejects duplicates; only new events are queued. */
async function put({ sql }: Database, batch: readonly Item[]): Promise<void> {
  const rows = batch.map((item) => ({ ...item, idempotencyKey: item.idempotencyKey ?? `none-${++unkeyed}` }));
  await sql`
    with logged as (
      insert into plain_log (player, event, key, at, properties)
      select "playerId", event, "idempotencyKey", "occurredAt", properties
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as r("playerId" text, event text, "idempotencyKey" text, "occurredAt" timestamptz, properties json)
      on conflict do nothing returning player, event, at, properties
    )
    insert into plain_queue (player, event, day, amount)
    select player, event, (at at time zone 'UTC')::date, (properties ->> 'amount')::numeric from logged`;
}

/** Moves some rows from the queue into the sums, in one statement; returns how many. */
async function addUp({ sql }: Database): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from plain_queue where seq in (select seq from plain_queue order by seq limit ${TAKEN} for update skip locked)
      returning player, event, day, amount
    ), added as (
      insert into plain_sums as s (player, event, day, events, amount)
      select player, event, day, count(*), sum(amount) from taken group by 1, 2, 3 order by 1, 2, 3
      on conflict (player, event, day) do update set events = s.events + excluded.events, amount = s.amount + excluded.amount
    )
    select count(*) as taken from taken`;
  return row!.taken;
}
