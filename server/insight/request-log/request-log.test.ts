import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { revokeKeys, testDatabase, testProject } from "#db/testing.ts";
import { testApi } from "../../api/testing/calls.ts";
import { lockPlayersExclusive } from "../../engine/store/locks.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { playerKey } from "../../model/players/identity.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { resetSandbox } from "../../operations/sandbox/reset.ts";
import { explainEvent } from "../../authoring/simulation/service/explain-event.ts";
import { drain } from "../../operations/worker/drain.ts";
import { testCipher } from "../../delivery/testing.ts";
import { REQUEST_LOG_BOUNDS, firstIdAt } from "../../model/kernel/kept-days.ts";
import {
  findUnentered,
  groupErrors,
  selectIsReplay,
  keepBodies,
  readEventsOf,
  readRecentValues,
  readRequest,
  readTail,
  selectRequests,
  sumOmissions,
} from "./service/read.ts";
import { forgetPlayer, purgeLog } from "./service/purge.ts";
import { RequestRecorder } from "./service/recorder.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const warnings: string[] = [];
const logger = { warn: (_: object, message: string) => void warnings.push(message), error: () => {} };
const requestLog = new RequestRecorder(database, { logger });
afterAll(() => requestLog.stop());
const api = await testApi(database, { requestLog });

const ANY = { keyId: null, route: null, method: null, status: null, code: null, from: null, until: null };
const ALL = { player: null, event: null, keyId: null, outcome: null, code: null };
const list = (environment: Environment, filter = {}) => selectRequests(database.sql, environment, { ...ANY, ...filter }, null, 100);
const tail = async (environment: Environment, filter = {}) =>
  (await readTail(database, environment, { ...ALL, ...filter }, null, 100)).items;
const work = () => drain({ database, logger, cipher: testCipher, allowPrivateAddresses: true }, ["facts"], 10_000);

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order", properties: [{ key: "amount", type: "Number" }] }],
  missions: [
    {
      key: "big",
      name: "Coffee lover",
      objectives: [
        {
          event: "order",
          where: { property: "amount", operator: "GreaterThan", value: 10 },
          measure: { kind: "Count" },
          operator: "GreaterThanOrEqualTo",
          target: 2,
        },
      ],
      rewards: [{ kind: "Points", points: 5 }],
    },
  ],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  leaderboards: [{ key: "points", name: "Most points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } }],
};

async function project() {
  const made = await testProject(database);
  for (const environment of [made.sandbox, made.live]) {
    const result = await importDefinitions(database, environment, DEFINITIONS);
    if ("problems" in result) throw new Error(JSON.stringify(result.problems, null, 2));
  }
  const load = async ({ id }: Environment) => (await loadEnvironment(database.sql, id))!;
  return { ...made, sandbox: await load(made.sandbox), live: await load(made.live) };
}

const order = (playerId: string, amount: unknown, event = "order") => ({
  playerId,
  event,
  occurredAt: new Date().toISOString(),
  properties: { amount },
});
const send = async (key: string, ...events: object[]) => {
  const answer = await api.post("/v1/events", { events }, key);
  await requestLog.flush();
  return answer.json as { results: { eventId: string }[] };
};

test("requests and their items are in their environment's log, with key, codes and content", async () => {
  const { sandbox, live, sandboxKey } = await project();
  await send(sandboxKey, order("ann", 12), order("ann", "much"), order("bob", 3, "ordr"));
  await api.get("/v1/nothing", sandboxKey);
  await api.get("/v1/points?PlayerId=ann", sandboxKey);
  await requestLog.flush();
  expect(await list(sandbox)).toMatchObject([
    { method: "GET", route: "/v1/points", status: 200, code: null, keyName: "test", accepted: null },
    { method: "GET", route: null, status: 404, code: "route.not_found" },
    { method: "POST", route: "/v1/events", status: 200, accepted: 1, refused: 2 },
  ]);
  expect(await list(sandbox, { status: "refused" })).toMatchObject([{ route: "/v1/events" }]);
  expect(await list(sandbox, { status: "success" })).toMatchObject([{ route: "/v1/points" }]);
  expect(await list(sandbox, { code: "route.not_found" })).toHaveLength(1);
  expect(await list(live)).toEqual([]);
  const [last, , batch] = await list(sandbox);
  expect(await readRequest(database, sandbox, last!.id)).toMatchObject({ target: "/v1/points?PlayerId=ann", items: [] });
  expect(await readRequest(database, sandbox, batch!.id)).toMatchObject({ items: [{ position: 0 }, { position: 1 }, { position: 2 }] });
  expect(await readRequest(database, live, batch!.id)).toBeNull();
  const items = await tail(sandbox, { outcome: "Refused" });
  expect(items.map(({ player, event, code }) => [player, event, code])).toEqual([
    ["ann", "order", "event.property_type_mismatch"],
    ["bob", "ordr", "event.not_found"],
  ]);
  expect(JSON.parse(items[1]!.payload!)).toMatchObject({ event: "ordr", properties: { amount: 3 } });
  expect(await groupErrors(database, sandbox, 0)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: "event.not_found", count: 1, isOfItems: true, requestId: batch!.id }),
      expect.objectContaining({ code: "route.not_found", count: 1, isOfItems: false }),
    ]),
  );
});

test("a revoked key's requests are in the log of its environment, and its answers say nothing of the environment; an unknown key's are in none", async () => {
  const { sandbox, live, sandboxKey, liveKey } = await project();
  await database.sql`update environments set clock_offset_ms = 60000 where id = ${sandbox.id}`;
  await send(sandboxKey, order("ann", 12));
  for (const environment of [sandbox, live]) await revokeKeys(database, environment, "test");
  const refused = [await api.get("/v1/points?PlayerId=ann", sandboxKey), await api.post("/v1/events", { events: [] }, liveKey)];
  for (const { status, json, headers } of refused) {
    expect([status, json.code]).toEqual([401, "auth.api_key_invalid"]);
    expect(headers["x-sandbox-time"]).toBeUndefined();
  }
  await api.get("/v1/points?PlayerId=ann", `${sandboxKey.slice(0, -4)}ffff`);
  await requestLog.flush();
  const logged = { keyName: "test", status: 401, code: "auth.api_key_invalid" };
  expect(await list(sandbox)).toMatchObject([{ ...logged, method: "GET", route: "/v1/points" }, { status: 200 }]);
  expect(await list(live)).toMatchObject([{ ...logged, method: "POST", route: "/v1/events" }]);
});

test("a refused metric event is among the errors once, as a request", async () => {
  const { sandbox, sandboxKey } = await project();
  const unknown = { externalPlayerId: "ann", metricKey: "floors", value: 7, occurredAtUtc: new Date().toISOString() };
  await api.post("/v1/metric-events", unknown, sandboxKey);
  await requestLog.flush();
  expect(await tail(sandbox)).toMatchObject([{ event: "floors", code: "metric.not_found" }]);
  expect(await groupErrors(database, sandbox, 0)).toMatchObject([{ code: "metric.not_found", count: 1, isOfItems: false }]);
});

test("of metric events by a remembered key, the tail distinguishes the first one from its replay", async () => {
  const { sandbox, sandboxKey } = await project();
  const walk = { externalPlayerId: "ann", metricKey: "steps", value: 7, occurredAtUtc: new Date().toISOString(), idempotencyKey: "walk" };
  await api.post("/v1/metric-events", { ...walk, idempotencyKey: "earlier" }, sandboxKey);
  const { json } = await api.post("/v1/metric-events", walk, sandboxKey);
  await api.post("/v1/metric-events", walk, sandboxKey);
  await requestLog.flush();
  const event = { eventId: json.eventId as string, receivedAt: Date.parse(json.receivedAtUtc) };
  const items = (await tail(sandbox)).filter(({ eventId }) => eventId === event.eventId);
  expect(await Promise.all(items.map((item) => selectIsReplay(database.sql, sandbox, item, event)))).toEqual([true, false]);
});

test("no secret is stored, wherever it was sent; and in Live no content", async () => {
  const { sandboxKey, liveKey, live } = await project();
  const mistake = { ...order("ann", 1), key: sandboxKey };
  for (const key of [sandboxKey, liveKey]) {
    await send(key, mistake, order(sandboxKey, "much", sandboxKey));
    await api.get(`/v1/points?PlayerId=ann&key=${sandboxKey}`, key);
    await api.get(`/v1/${sandboxKey}`, key);
    await api.get(`/v1/points?PlayerId=ann&key=${sandboxKey.replaceAll("_", "%5f")}&twice=${sandboxKey.replaceAll("_", "%255F")}`, key);
    await api.get(`/v1/${sandboxKey.replaceAll("_", "%5F")}`, key);
    for (const written of ["\\u0073vc\\u005f" + sandboxKey.slice(4), "whsec_" + sandboxKey.slice(9, 40) + "\\/" + sandboxKey.slice(40)])
      await api.call("POST", "/v1/events", { key, body: `{"events":[{"playerId":"${written}","event":"order","note":"${written}"}]}` });
  }
  await requestLog.flush();
  const stored = JSON.stringify([await database.sql`select * from request_log`, await database.sql`select * from event_tail`]);
  for (const key of [sandboxKey, liveKey]) for (const part of [key.slice(9, 30), key.slice(-20)]) expect(stored).not.toContain(part);
  const kept = await database.sql`
    select target, body from request_log where environment_id = ${live.id} and (target is not null or body is not null)`;
  expect(kept).toEqual([]);
  expect((await tail(live)).filter(({ payload }) => payload !== null)).toEqual([]);
});

test("keeping bodies takes effect with the next request; switching it off deletes them", async () => {
  const { live, liveKey } = await project();
  const actor = { userId: null, name: "somebody" };
  await keepBodies(database, live, true, actor);
  await send(liveKey, order("ann", 1));
  expect(await tail(live)).toMatchObject([{ payload: expect.stringContaining("ann") }]);
  await keepBodies(database, live, false, actor);
  expect(await tail(live)).toMatchObject([{ payload: null }]);
  const [request] = await list(live);
  expect(await readRequest(database, live, request!.id)).toMatchObject({ body: null, target: null });
  const [entry] =
    await database.sql`select difference from audit_log where environment_id = ${live.id} and action = 'update' order by id desc limit 1`;
  expect(entry!.difference).toEqual([{ type: "CHANGE", path: ["keepsRequestBodies"], value: false, oldValue: true }]);
});

test("a failed write is retried and stored once; a permanently refused one is counted and dropped", async () => {
  const { sandbox, sandboxKey } = await project();
  let isOut = true;
  let isForGood = false;
  const flaky = {
    sql: ((...of: [never]) =>
      isOut
        ? Promise.reject(Object.assign(new Error("out"), { code: isForGood ? "22P05" : "ECONNREFUSED" }))
        : database.sql(...of)) as unknown,
  } as Database;
  const recorder = new RequestRecorder(flaky, { logger });
  const own = await testApi(database, { requestLog: recorder });
  await own.get("/v1/points?PlayerId=ann", sandboxKey);
  await recorder.flush();
  expect(await list(sandbox)).toEqual([]);
  isOut = false;
  await recorder.flush();
  expect(await list(sandbox)).toHaveLength(1);

  isOut = isForGood = true;
  await own.get("/v1/points?PlayerId=ann", sandboxKey);
  await recorder.flush();
  isOut = false;
  await recorder.stop();
  expect(await list(sandbox)).toHaveLength(1);
  expect(await sumOmissions(database.sql, sandbox, Date.now() - 120_000)).toMatchObject({ successes: 1, errors: 0 });
});

test("a reset deletes the log, and entries from before it are dropped", async () => {
  const { sandbox, sandboxKey } = await project();
  await send(sandboxKey, order("ann", 1));
  const count = async () => {
    const [row] = await database.sql<{ count: number }[]>`
      select (select count(*) from event_tail where environment_id = ${sandbox.id})
        + (select count(*) from request_log where environment_id = ${sandbox.id}) as count`;
    return row!.count;
  };
  expect(await count()).toBe(2);
  await resetSandbox(database, sandbox);
  expect(await count()).toBe(0);
  const key = { environmentId: sandbox.id, resets: sandbox.resets, keyId: randomUUID(), keepsBodies: true };
  requestLog.record({
    ...{ key, at: Date.now(), method: "GET", route: "/v1/points", target: "/v1/points", status: 200, code: null },
    ...{ durationMs: 1, traceId: "", body: "", problems: [], items: null, admitted: null },
  });
  await requestLog.flush();
  expect(await count()).toBe(0);
});

test("an erasure removes the player from the log, including reads of theirs, and leaves the rest", async () => {
  const { sandbox, sandboxKey, live, liveKey } = await project();
  await savePlayer(database, live, Date.now(), "ann smith", {});
  await send(sandboxKey, order("ann smith", 1));
  await send(sandboxKey, order("bob", 2));
  await api.get("/v1/points?PlayerId=ann+smith", sandboxKey);
  await api.post("/v1/missions", { playerId: "ann smith" }, sandboxKey);
  await api.get("/v1/points?PlayerId=bob", sandboxKey);
  for (const key of [sandboxKey, liveKey]) {
    await api.get("/v1/players/ann%20smith", key);
    await api.get("/v1/leaderboards/ann%20smith?PlayerId=bob", key);
  }
  await api.get("/v1/leaderboards/bob?PlayerId=bob", liveKey);
  await requestLog.flush();
  await erasePlayer(database, sandbox, "ann smith", "She asked");
  const now = (await loadEnvironment(database.sql, sandbox.id))!;
  expect(await tail(now)).toMatchObject([{ player: "bob" }]);
  const kept = await Promise.all((await list(now)).map(({ id }) => readRequest(database, now, id)));
  // Requests of one millisecond are listed in any order.
  expect(kept.map((one) => `${one!.route} ${one!.target}`).toSorted()).toEqual([
    "/v1/events /v1/events",
    "/v1/events null",
    "/v1/leaderboards/{leaderboardKey} null",
    "/v1/missions null",
    "/v1/points /v1/points?PlayerId=bob",
    "/v1/points null",
    "null null",
  ]);
  await erasePlayer(database, live, "ann smith", "She asked");
  const [counts] = await database.sql<[{ naming: number; told: number }]>`
    select count(*) filter (where r::text like '%ann%smith%')::int as naming, count(problem)::int as told
    from request_log r where environment_id in (${sandbox.id}, ${live.id})`;
  expect(counts).toEqual({ naming: 0, told: 1 });
});

test("an erasure finds the player in every spelling that clients give the id", async () => {
  const { sandbox, sandboxKey, live, liveKey } = await project();
  const id = `traced zoë+o'n/"b"@x.org:1\\😀`;
  const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
  const unicode = (unit: string) => `\\u${hex(unit)}`;
  const upper = (unit: string) => `\\u${hex(unit).toUpperCase()}`;
  const quoted = JSON.stringify(id);
  const ascii = quoted.replaceAll(/[^ -~]/g, unicode);
  // URLSearchParams, axios, Python, .NET.
  const inQuery = [
    new URLSearchParams({ id }).toString().slice(3),
    encodeURIComponent(id).replaceAll("%3A", ":").replaceAll("%20", "+"),
    encodeURIComponent(id).replaceAll("'", "%27").replaceAll("%2F", "/"),
    encodeURIComponent(id).replaceAll(/%../g, (byte) => byte.toLowerCase()),
  ];
  // Browsers, Python, PHP, .NET.
  const inBody = [quoted, ascii, ascii.replaceAll("/", "\\/"), `"${id.replaceAll(/[^ -~]|["'+\\]/g, upper)}"`];
  for (const environment of [sandbox, live]) await savePlayer(database, environment, Date.now(), id, {});
  for (const spelled of inBody) await api.post("/v1/missions", `{"playerId":${spelled}}`, sandboxKey);
  for (const spelled of inQuery) {
    await api.get(`/v1/points?PlayerId=${spelled}`, sandboxKey);
    await api.get(`/v1/leaderboards/${spelled}?PlayerId=bob`, liveKey);
    await api.get(`/v1/players/${spelled}`, liveKey);
  }
  await requestLog.flush();
  const named = async () => {
    const [found] = await database.sql<[{ count: number }]>`
      select count(*)::int from request_log r where environment_id in (${sandbox.id}, ${live.id}) and r::text like '%traced%'`;
    return found.count;
  };
  expect(await named()).toBe(inBody.length + 3 * inQuery.length);
  for (const environment of [sandbox, live]) await erasePlayer(database, environment, id, "She asked");
  expect(await named()).toBe(0);
});

test("while players are deleted the log is not written, and no request waits for that", async () => {
  const { sandbox } = await project();
  const key = { environmentId: sandbox.id, resets: sandbox.resets, keyId: randomUUID(), keepsBodies: true };
  const add = async () => {
    requestLog.record({
      ...{ key, at: Date.now(), method: "GET", route: "/v1/points", target: "/v1/points", status: 200, code: null },
      ...{ durationMs: 1, traceId: "", body: "", problems: [], items: null, admitted: null },
    });
    await requestLog.flush();
    return (await list(sandbox)).length;
  };
  const during = await database.sql.begin(async (tx) => {
    await lockPlayersExclusive(tx, sandbox.id);
    return add();
  });
  expect([during, await add()]).toEqual([0, 1]);
});

test("the purge keeps the newest rows, and none that are too old", async () => {
  const { sandbox } = await project();
  const now = Date.now();
  const at = (age: number, index: number) => firstIdAt(now - age).replace(/0{4}$/, String(1_000 + index));
  const rows = [
    ...Array.from({ length: 30 }, (_, index) => at(0, index)),
    ...Array.from({ length: 10 }, (_, index) => at(REQUEST_LOG_BOUNDS.items.ms + 1, index)),
  ];
  await database.sql`
    insert into request_log (environment_id, id, at, key_id, method, status, duration_ms, trace_id, body_length)
    select ${sandbox.id}::int, id, now(), gen_random_uuid(), 'GET', 200, 1, '', 0 from unnest(${rows}::uuid[]) id`;
  await database.sql`
    insert into event_tail (environment_id, request_id, position, at, received_at, key_id, trace_id, is_metric)
    select ${sandbox.id}::int, id, 0, now(), now(), gen_random_uuid(), '', false from unnest(${rows}::uuid[]) id`;
  await database.sql`
    insert into event_effects (environment_id, seq, part, player_id, at, definitions_version, moved)
    select ${sandbox.id}::int, n, 0, gen_random_uuid(), ${now - REQUEST_LOG_BOUNDS.items.ms - 1}::timestamptz + case when n > 10 then '1 hour' else '0' end::interval, 0, '{}'
    from generate_series(1, 40) n`;
  const recorded = async () =>
    (await database.sql<{ seq: number }[]>`select seq from event_effects where environment_id = ${sandbox.id} order by seq`).map(
      ({ seq }) => seq,
    );
  const counts = async () => [(await list(sandbox)).length, (await tail(sandbox)).length, (await recorded()).length];
  await purgeLog(database, now);
  expect(await counts()).toEqual([30, 30, 30]);
  await purgeLog(database, now, () => false, {
    requests: { ms: REQUEST_LOG_BOUNDS.items.ms, rows: 20 },
    items: { ms: REQUEST_LOG_BOUNDS.items.ms, rows: 5 },
  });
  expect(await counts()).toEqual([20, 5, 5]);
  expect(await recorded()).toEqual([36, 37, 38, 39, 40]);
  expect((await list(sandbox)).map(({ id }) => id)).toEqual(rows.slice(10, 30).toReversed());
  // Items are deleted with their requests, even where items could be kept for longer.
  await purgeLog(database, now + 60_000, () => false, { requests: { ms: 30_000, rows: 20 }, items: { ms: 120_000, rows: 5 } });
  expect(await counts()).toEqual([0, 0, 0]);
});

test("sampled-out entries are counted by the minute", async () => {
  const { sandbox, sandboxKey } = await project();
  await send(sandboxKey, ...Array.from({ length: 150 }, () => order("ann", 1)));
  const { acceptedItems } = await sumOmissions(database.sql, sandbox, Date.now() - 120_000);
  const { items } = await readTail(database, sandbox, ALL, null, 500);
  expect([items.length, acceptedItems]).toEqual([100, 50]);
});

test("effects are recorded for exactly the tail's items, including replays and busy seconds, and erased with the player", async () => {
  const { sandbox, sandboxKey } = await project();
  const effects = async () =>
    (
      await database.sql<{ id: string }[]>`
        select e.id from event_effects f join events e on e.part = f.part and e.player_id = f.player_id and e.seq = f.seq
        where f.environment_id = ${sandbox.id} order by f.seq`
    ).map(({ id }) => id);
  const keyed = { ...order("ann", 1), idempotencyKey: "once" };
  // A hundred accepted items are kept per second: the replay is one of them.
  await send(sandboxKey, keyed, order("ann", "much"), keyed, ...Array.from({ length: 150 }, () => order("bob", 1)));
  await work();
  const { items } = await readTail(database, sandbox, { ...ALL, outcome: "Accepted" }, null, 500);
  const kept = items.map(({ eventId }) => eventId);
  expect([kept.length, new Set(kept).size]).toEqual([100, 99]);
  expect(await effects()).toEqual([...new Set(kept)]);
  const unrecorded = (await readEventsOf(database, sandbox, "bob", Number.MAX_SAFE_INTEGER, 1)).items[0]!;
  expect(await explainEvent(database, sandbox, Date.now(), { externalId: "bob", eventId: unrecorded.eventId })).toMatchObject({
    isRecorded: false,
  });
  await erasePlayer(database, sandbox, "bob", "He asked");
  expect(await effects()).toEqual([kept[0]]);
  const [{ count }] = await database.sql<[{ count: number }]>`
    select count(*) as count from event_effects where environment_id = ${sandbox.id}`;
  expect(count).toBe(1);
});

test("an event shows its effects, and the reasons for missing ones", async () => {
  const { sandbox, sandboxKey } = await project();
  const explain = async (externalId: string, eventId: string) => explainEvent(database, sandbox, Date.now(), { externalId, eventId });
  const { results: [early] } = await send(sandboxKey, order("ann", 12)); // oxfmt-ignore
  expect(await explain("ann", early!.eventId)).toMatchObject({ state: "Waiting", outcomes: [] });
  await work();
  expect((await explain("ann", early!.eventId))!.outcomes).toMatchObject([
    {
      key: "big",
      name: "Coffee lover",
      counts: false,
      lines: [{ text: "the player has never read their missions, so they are not in it" }],
    },
  ]);
  expect(await findUnentered(database, sandbox, Date.now(), Date.now())).toEqual({ events: 1, players: 1, sample: ["ann"] });
  await api.post("/v1/missions", { playerId: "ann" }, sandboxKey);
  expect(await findUnentered(database, sandbox, Date.now(), Date.now())).toMatchObject({ events: 0, players: 0 });
  expect((await explain("ann", early!.eventId))!.outcomes[0]!.lines[0]!.text).toMatch(/^received before the player's entry/);

  const sent = [];
  for (const amount of [8, 12, 30]) {
    sent.push((await send(sandboxKey, order("ann", amount))).results[0]!.eventId);
    await work();
  }
  const outcomes = await Promise.all(sent.map(async (id) => (await explain("ann", id))!.outcomes[0]!));
  expect(outcomes.map(({ counts, lines: [line], rewards }) => [counts, line!.text, rewards])).toEqual([
    [false, "amount is 8, needs to be more than 10", []],
    [true, expect.stringContaining("1"), []],
    [true, expect.stringContaining("2"), ["5 points"]],
  ]);
  expect((await explain("ann", sent[2]!))!.outcomes[1]).toMatchObject({ name: "Most points", lines: [{ text: "adds 5 to the score" }] });
  expect((await explain("ann", sent[1]!))!.outcomes).toHaveLength(1);
  const after = (await send(sandboxKey, order("ann", 40))).results[0]!.eventId;
  await work();
  expect((await explain("ann", after))!.outcomes[0]!.lines[0]!.text).toBe("already completed, and it does not repeat");
  expect(await explain("bob", after)).toBeNull();
  const { items } = await readEventsOf(database, sandbox, "ann", Number.MAX_SAFE_INTEGER, 100);
  expect(items.map(({ properties }) => properties.amount)).toEqual([40, 30, 12, 8, 12]);
});

test("an erased player is in no item and no body", async () => {
  const { sandbox, sandboxKey } = await project();
  await send(sandboxKey, order("ann", 1), order("bob", 2));
  await forgetPlayer(database.sql, sandbox.id, playerKey(sandbox.id, "ann"));
  expect(await tail(sandbox)).toMatchObject([{ player: "bob" }]);
  const [request] = await list(sandbox);
  expect(await readRequest(database, sandbox, request!.id)).toMatchObject({ body: null });
  const longest = "🙂".repeat(200);
  await send(sandboxKey, order(longest, 3));
  expect(await tail(sandbox, { player: longest })).toMatchObject([{ player: longest }]);
  await forgetPlayer(database.sql, sandbox.id, playerKey(sandbox.id, longest));
  expect(await tail(sandbox)).toMatchObject([{ player: "bob" }]);
});

test("authors are offered the values of recent events, also where no bodies are kept, and none of private properties", async () => {
  const { live, liveKey, sandbox } = await project();
  const ofOrder = (changes: object) => ({ version: 1, events: [{ ...DEFINITIONS.events[0]!, ...changes }] });
  const properties = [
    ...DEFINITIONS.events[0]!.properties,
    { key: "shop", type: "String" },
    { key: "email", type: "String", private: true },
  ];
  await importDefinitions(database, live, ofOrder({ properties }));
  const sent = (player: string, shop: string) => ({ ...order(player, 3), properties: { amount: 3, shop, email: `${player}@example.com` } });
  await send(liveKey, sent("ann", "Utrecht"), sent("bob", "Utrecht"), sent("cem", "Berlin"), order("dan", "much"));
  const read = async (environment: Environment, key = "order") =>
    readRecentValues(database, (await loadEnvironment(database.sql, environment.id))!, { kind: "events", key }, Date.now());
  expect(await read(live)).toMatchObject({
    ...{ events: 3, areAll: true },
    properties: [
      { key: "amount", values: [3], areAll: true },
      { key: "shop", values: ["Utrecht", "Berlin"], areAll: true },
    ],
  });
  expect(await read(sandbox)).toMatchObject({ events: 0, properties: [{ key: "amount", values: [], areAll: true }] });
  expect(await read(live, "ordr")).toBeNull();
  await erasePlayer(database, live, "cem", "They asked");
  expect((await read(live))!.properties[1]).toMatchObject({ values: ["Utrecht"] });
});
