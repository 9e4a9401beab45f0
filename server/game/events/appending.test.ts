import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../../db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { playerKey } from "../../model/players/identity.ts";
import { takeMetricEvent } from "../metrics/service.ts";
import { acceptBatch, ingest } from "./service.ts";
import { appender } from "./store.ts";

const database = await testDatabase();
const { sql } = database;

async function projectWithOrders() {
  const { live } = await testProject(database);
  expect(
    await importDefinitions(database, live, {
      version: 1,
      events: [{ key: "order", name: "Order" }],
      metrics: [{ key: "cups", name: "Cups", kind: "Number" }],
    }),
  ).not.toHaveProperty("problems");
  return (await loadEnvironment(sql, live.id))!;
}

test("requests that arrive together share a commit; each has its own answer, and a replayed key among them is one event", async () => {
  const environment = await projectWithOrders();
  const now = Date.now();
  const send = (at: number) => {
    const sound = { playerId: `p${at % 20}`, event: "order", occurredAt: new Date().toISOString(), idempotencyKey: `k${at % 20}` };
    return ingest(database, environment, { items: [at === 7 ? { ...sound, event: "none" } : sound], mayHoldBadText: false, now });
  };
  const answers = (await Promise.all(Array.from({ length: 40 }, (_, at) => send(at)))).map(([item]) => item!);
  expect(answers.map(({ accepted }) => accepted)).toEqual(answers.map((_, at) => at !== 7));
  expect(answers[7]!.errors.map(({ code }) => code)).toEqual(["event.not_found"]);
  for (let at = 0; at < 20; at++) if (at !== 7) expect(answers[at + 20]!.eventId).toBe(answers[at]!.eventId);
  const [row] = await sql<{ events: number; players: number; queued: number; commits: number }[]>`
    select count(*)::int as events, count(distinct xmin::text)::int as commits,
      (select count(*)::int from players where environment_id = ${environment.id}) as players,
      (select count(*)::int from queued_facts where environment_id = ${environment.id}) as queued
    from events where environment_id = ${environment.id}`;
  expect(row).toMatchObject({ events: 20, players: 20, queued: 20 });
  expect(row!.commits).toBeLessThan(20);
});

test("a request that waited is received when it is written, by the database's clock and the environment's; what the service makes, at the instant it gives", async () => {
  const environment = { ...(await projectWithOrders()), clockOffsetMs: 3_600_000 };
  const readAt = Date.now() + environment.clockOffsetMs - 60_000;
  const item = { playerId: "ann", event: "order", occurredAt: new Date().toISOString() };
  const batch = { items: [item], mayHoldBadText: false, now: readAt };
  const { receivedAt } = await acceptBatch(database, environment, batch, null);
  await ingest(database, environment, batch);
  const metric = { externalId: "ann", metricKey: "cups", value: 1, currencyCode: null, exchangeRate: null, idempotencyKey: null };
  const sent = { ...metric, occurredAt: 0, properties: {}, timeZone: null };
  const taken = await takeMetricEvent(database, environment, readAt, sent, null);
  expect(taken.event.receivedAt).toBe(taken.receivedAt);
  for (const instant of [receivedAt, taken.receivedAt]) expect(instant - readAt).toBeGreaterThan(59_000);
  const rows = await sql<{ receivedAt: number }[]>`select received_at from events where environment_id = ${environment.id} order by seq`;
  expect(rows.map((row) => row.receivedAt)).toEqual([receivedAt, readAt]);
});

/** An append of one event, as a request makes it. */
function appendOf(environment: Environment, name: string, occurredAt = 0) {
  const { part, playerId } = playerKey(environment.id, name);
  return {
    environment,
    isQuiet: false,
    recorded: 0,
    remembered: null,
    readAt: Date.now(),
    receivedAt: null,
    newPlayers: [{ part, playerId, externalId: name }],
    events: {
      parts: [part],
      playerIds: [playerId],
      ids: [crypto.randomUUID()],
      definitionIds: [1],
      occurredAt: [occurredAt],
      properties: "{}",
    },
  };
}

const playersOf = async ({ id }: Environment) =>
  (await sql<{ name: string }[]>`select external_id as name from players where environment_id = ${id} order by 1`).map(({ name }) => name);

test("a request that the database refuses fails alone, not the ones that share its statement", async () => {
  const environment = await projectWithOrders();
  const append = appender(sql);
  const sent = [appendOf(environment, "one"), appendOf(environment, "two", 1e300), appendOf(environment, "six")].map(append);
  expect((await Promise.allSettled(sent)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await playersOf(environment)).toEqual(["one", "six"]);
});

/** An appender whose statements wait until the test resolves or rejects them. */
function withWaitingStatements() {
  const statements: (() => void)[] = [];
  const failing: ((error: Error) => void)[] = [];
  const statement = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>();
    statements.push(() => resolve([{}]));
    failing.push(reject);
    return promise;
  };
  const fragments: string[] = [];
  const tag = Object.assign(
    ([text = ""]: TemplateStringsArray) => {
      fragments.push(text);
      if (text.startsWith("select is_spread")) return [{ isSpread: false }];
      return text.includes("with locked") ? statement() : text;
    },
    { unsafe: (text: string) => text },
  );
  return {
    append: appender(tag as unknown as typeof sql),
    statements,
    failing,
    /** How many statements so far leave out replays. */
    leavingOutReplays: () => fragments.filter((text) => text === "on conflict do nothing").length,
  };
}

const rememberedAs = (name: string) => ({ hash: Buffer.alloc(32), keepsBodies: false, name, confirm: () => {} });

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a lone request waits for no other; requests of different environments or remembered keys, quiet events and large requests do not share a statement", async () => {
  const { append, statements } = withWaitingStatements();
  const one = appendOf({ id: 1, resets: 0 } as Environment, "one");
  const all = [append(one)];
  await turn();
  expect(statements).toHaveLength(1);
  all.push(
    append({ ...one, environment: { id: 2, resets: 0 } as Environment }),
    append({ ...one, isQuiet: true }),
    append({ ...one, events: { ...one.events, ids: Array<string>(11).fill("") } }),
    append({ ...one, remembered: rememberedAs("as it was") }),
    append({ ...one, remembered: rememberedAs("as it was") }),
    append({ ...one, remembered: rememberedAs("as it is") }),
  );
  await turn();
  expect(statements).toHaveLength(6);
  for (const end of statements) end();
  expect(await Promise.all(all)).not.toContain(null);
});

test("where the database is unreachable, a shared statement is not repeated by each of its requests", async () => {
  const { append, statements, failing } = withWaitingStatements();
  const sent = Promise.allSettled(["one", "two", "six"].map((name) => append(appendOf({ id: 1, resets: 0 } as Environment, name))));
  await turn();
  failing[0]!(Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" }));
  expect((await sent).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(statements).toHaveLength(1);
});

test("events are appended as new ones; a replay among them makes one statement fail, and for a minute the environment's replays are left out", async () => {
  const { append, statements, failing, leavingOutReplays } = withWaitingStatements();
  const one = appendOf({ id: 1, resets: 0 } as Environment, "one");
  const ended = async (sent: Promise<unknown>, statement: number) => {
    await turn();
    expect(statements).toHaveLength(statement + 1);
    statements[statement]!();
    await sent;
  };
  const first = append(one);
  await turn();
  expect(leavingOutReplays()).toBe(0);
  failing[0]!(Object.assign(new Error("duplicate key"), { code: "23505" }));
  await ended(first, 1);
  expect(leavingOutReplays()).toBe(1);
  await ended(append(one), 2);
  expect(leavingOutReplays()).toBe(2);
  await ended(append(appendOf({ id: 2, resets: 0 } as Environment, "one")), 3);
  expect(leavingOutReplays()).toBe(2);
});

test("a batch with replays is in the log once, before and after the environment is known to send them", async () => {
  const environment = await projectWithOrders();
  const append = appender(sql);
  const [one, two] = [appendOf(environment, "one"), appendOf(environment, "two")];
  await append(one);
  expect(await append(one)).not.toBeNull();
  expect(await Promise.all([append(one), append(two)])).not.toContain(null);
  const counts = await sql<{ events: number; queued: number }[]>`
    select (select count(*)::int from events where environment_id = ${environment.id}) as events,
      (select count(*)::int from queued_facts where environment_id = ${environment.id}) as queued`;
  expect([...counts]).toEqual([{ events: 2, queued: 2 }]);
});
