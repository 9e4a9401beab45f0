import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { isSpread } from "../../db/testing.ts";
import { testApi, type TestApi } from "../../server/api/testing/calls.ts";
import { ERRORS, type ErrorCode } from "../../server/model/kernel/errors.ts";
import { archiveProject } from "../../server/people/projects/projects.ts";
import { conformanceTo } from "../conformance.ts";
import { listing, mission, ORDER_PLACED, shop } from "../definitions.ts";
import { exact, type Reply } from "../http.ts";
import { BASE_URL, startService } from "../listening.ts";

const service = await startService();
const backend = await service.sandbox({
  ...shop(
    mission("manual", { optIn: "Manual" }),
    mission("closing", { optIn: "Manual", window: { endsAt: new Date(Date.now() + 3_600_000).toISOString() } }),
  ),
  events: [
    { ...ORDER_PLACED, properties: [{ key: "amount", type: "Number", required: true }] },
    { key: "order_lost", name: "Order lost", active: false },
  ],
  attributes: [
    { key: "tier", name: "Tier", type: "String" },
    { key: "age", name: "Age", type: "Number" },
    { key: "plan", name: "Plan", type: "String", active: false },
  ],
  baseCurrency: "EUR",
  metrics: [
    { key: "steps", name: "Steps", kind: "Number", properties: [{ key: "device", type: "String" }] },
    { key: "spend", name: "Spend", kind: "Currency" },
    { key: "naps", name: "Naps", kind: "Number", active: false },
  ],
  leaderboards: [
    {
      key: "spenders",
      name: "Spenders",
      scoreSource: "Event",
      event: "order_placed",
      rankOrder: "HighestFirst",
      period: { kind: "AllTime" },
    },
  ],
  marketplaceItems: [
    listing("one", { priceInPoints: 0, limitPerPlayer: 1 }),
    listing("dear"),
    listing("off", { active: false }),
    listing("over", { onSale: { endsAt: "2020-01-01T00:00:00Z" } }),
    listing("gone", { stock: 0 }),
    listing("golden", { audience: { rule: { attribute: "tier", operator: "EqualTo", value: "gold" } } }),
  ],
});
await backend.missions("ann");
await backend.adjust("ann", 10, { idempotencyKey: "used" });
await backend.buy("ann", "one");
await backend.advance("P1D");

const LONG = "x".repeat(201);
const WIDE = exact("123456789012345678901.5");
const event = { playerId: "ann", event: "order_placed", occurredAt: "2026-01-31T09:00:00Z", properties: { amount: 1 } };
const adjustment = { playerId: "ann", amount: 1, reason: "by hand" };
const metric = { externalPlayerId: "ann", metricKey: "steps", value: 1, occurredAtUtc: "2026-01-31T09:00:00Z" };
const METRICS = "/v1/metric-events";
const purchase = (key: string) => `/v1/marketplace-items/${key}/purchases`;
const ITEM = { parameter: "marketplaceItemKey" };
type Place = { pointer: string } | { parameter: string } | null;

/** A request for each code that refuses a whole request, and the pointer that the problem names. */
const REFUSED: [ErrorCode, method: string, path: string, body: unknown, Place][] = [
  ["request.malformed", "POST", "/v1/players", '{"playerId":', null],
  ["request.too_large", "POST", "/v1/players", `{"pad":"${"x".repeat(4 * 1024 * 1024)}"}`, null],
  ["request.invalid", "POST", "/v1/missions", { playerId: "ann", take: 0 }, { pointer: "#/take" }],
  ["route.not_found", "GET", "/v1/missions", undefined, null],
  ["player.external_id_missing", "GET", "/v1/points", undefined, { parameter: "PlayerId" }],
  ["player.external_id_too_long", "PUT", "/v1/attributes", { playerId: LONG, attributes: {} }, { pointer: "#/playerId" }],
  ["player.not_found", "POST", "/v1/points/adjustments", { ...adjustment, playerId: "nobody" }, { pointer: "#/playerId" }],
  ["event_batch.empty", "POST", "/v1/events", { events: [] }, { pointer: "#/events" }],
  ["event_batch.too_large", "POST", "/v1/events", { events: Array(1_001).fill(event) }, { pointer: "#/events" }],
  ["mission.not_locked_in", "POST", "/v1/missions/manual/accept", { playerId: "bea" }, { parameter: "missionKey" }],
  ["mission.offer_closed", "POST", "/v1/missions/closing/accept", { playerId: "ann" }, { parameter: "missionKey" }],
  ["mission_collection.not_found", "POST", "/v1/mission-collections/none", { playerId: "ann" }, { parameter: "collectionKey" }],
  ["player_attribute.not_found", "PUT", "/v1/attributes", { playerId: "ann", attributes: { "a/b": 1 } }, { pointer: "#/attributes/a~1b" }],
  ["player_attribute.inactive", "PUT", "/v1/attributes", { playerId: "ann", attributes: { plan: "x" } }, { pointer: "#/attributes/plan" }],
  [
    "player_attribute.type_mismatch",
    "PUT",
    "/v1/attributes",
    { playerId: "ann", attributes: { tier: 1 } },
    { pointer: "#/attributes/tier" },
  ],
  [
    "player_attribute.value_out_of_range",
    "PUT",
    "/v1/attributes",
    { playerId: "ann", attributes: { age: WIDE } },
    { pointer: "#/attributes/age" },
  ],
  [
    "player_attribute.occurred_at_invalid",
    "PUT",
    "/v1/attributes",
    { playerId: "ann", attributes: { tier: { value: "gold", occurredAt: "2026-01-31" } } },
    { pointer: "#/attributes/tier" },
  ],
  ["points.insufficient_balance", "POST", "/v1/points/adjustments", { ...adjustment, amount: -11 }, { pointer: "#/amount" }],
  ["points_adjustment.amount_invalid", "POST", "/v1/points/adjustments", { ...adjustment, amount: 1.5 }, { pointer: "#/amount" }],
  ["points_adjustment.reason_missing", "POST", "/v1/points/adjustments", { ...adjustment, reason: " " }, { pointer: "#/reason" }],
  [
    "points_adjustment.reason_too_long",
    "POST",
    "/v1/points/adjustments",
    { ...adjustment, reason: "x".repeat(501) },
    { pointer: "#/reason" },
  ],
  [
    "points_adjustment.idempotency_key_too_long",
    "POST",
    "/v1/points/adjustments",
    { ...adjustment, idempotencyKey: LONG },
    { pointer: "#/idempotencyKey" },
  ],
  [
    "points_adjustment.idempotency_key_conflict",
    "POST",
    "/v1/points/adjustments",
    { ...adjustment, idempotencyKey: "used" },
    { pointer: "#/idempotencyKey" },
  ],
  ["metric.not_found", "POST", METRICS, { ...metric, metricKey: "stesp" }, { pointer: "#/metricKey" }],
  ["metric.inactive", "POST", METRICS, { ...metric, metricKey: "naps" }, { pointer: "#/metricKey" }],
  ["metric.currency_code_required", "POST", METRICS, { ...metric, metricKey: "spend" }, { pointer: "#/currencyCode" }],
  ["metric.currency_code_not_allowed", "POST", METRICS, { ...metric, currencyCode: "EUR" }, { pointer: "#/currencyCode" }],
  [
    "metric.exchange_rate_not_found",
    "POST",
    METRICS,
    { ...metric, metricKey: "spend", currencyCode: "XXX" },
    { pointer: "#/currencyCode" },
  ],
  ["metric.value_out_of_range", "POST", METRICS, { ...metric, value: WIDE }, { pointer: "#/value" }],
  ["metric.unknown_property", "POST", METRICS, { ...metric, properties: { shoe: "red" } }, { pointer: "#/properties/shoe" }],
  ["metric.property_type_mismatch", "POST", METRICS, { ...metric, properties: { device: 1 } }, { pointer: "#/properties/device" }],
  ["metric.idempotency_key_too_long", "POST", METRICS, { ...metric, idempotencyKey: LONG }, { pointer: "#/idempotencyKey" }],
  ["leaderboard.not_found", "GET", "/v1/leaderboards/none?PlayerId=ann", undefined, { parameter: "leaderboardKey" }],
  ["leaderboard.no_settled_period", "GET", "/v1/leaderboards/spenders?PlayerId=ann&Previous=true", undefined, { parameter: "Previous" }],
  ["marketplace_item.not_found", "GET", "/v1/marketplace-items/none?PlayerId=ann", undefined, ITEM],
  ["marketplace_item.inactive", "POST", purchase("off"), { playerId: "ann" }, ITEM],
  ["marketplace_item.not_available", "POST", purchase("over"), { playerId: "ann" }, ITEM],
  ["marketplace_item.not_eligible", "POST", purchase("golden"), { playerId: "ann" }, ITEM],
  ["marketplace_item.out_of_stock", "POST", purchase("gone"), { playerId: "ann" }, ITEM],
  ["marketplace_item.purchase_limit_reached", "POST", purchase("one"), { playerId: "ann" }, ITEM],
  ["points.insufficient_balance", "POST", purchase("dear"), { playerId: "ann" }, ITEM],
  ["marketplace_collection.not_found", "GET", "/v1/marketplace-collections/none?PlayerId=ann", undefined, { parameter: "collectionKey" }],
  ["marketplace_purchase.marketplace_item_key_missing", "POST", purchase(""), { playerId: "ann" }, ITEM],
  ["marketplace_purchase.marketplace_item_key_too_long", "POST", purchase("x".repeat(101)), { playerId: "ann" }, ITEM],
  [
    "marketplace_purchase.idempotency_key_too_long",
    "POST",
    purchase("one"),
    { playerId: "ann", idempotencyKey: LONG },
    { pointer: "#/idempotencyKey" },
  ],
  [
    "marketplace_purchase.idempotency_key_conflict",
    "POST",
    purchase("one"),
    { playerId: "ann", idempotencyKey: "used" },
    { pointer: "#/idempotencyKey" },
  ],
];

/** An item for each code that one element of a batch is refused with. */
const REFUSED_ITEMS: [ErrorCode, item: unknown][] = [
  ["event.invalid", "order_placed"],
  ["player.external_id_missing", { ...event, playerId: " " }],
  ["player.external_id_too_long", { ...event, playerId: LONG }],
  ["event.key_missing", { ...event, event: null }],
  ["event.not_found", { ...event, event: "order_plaecd" }],
  ["event.inactive", { ...event, event: "order_lost" }],
  ["event.occurred_at_missing", { ...event, occurredAt: undefined }],
  ["event.occurred_at_invalid", { ...event, occurredAt: "2026-01-31T09:00:00" }],
  ["event.idempotency_key_too_long", { ...event, idempotencyKey: LONG }],
  ["event.unknown_property", { ...event, properties: { amount: 1, colour: "red" } }],
  ["event.property_missing", { ...event, properties: {} }],
  ["event.property_type_mismatch", { ...event, properties: { amount: "1" } }],
  ["event.property_value_out_of_range", { ...event, properties: { amount: WIDE } }],
];

/** Codes that need more than a request, each with a test below; the limit of concurrent requests is tested beside its code. */
const ELSEWHERE: ErrorCode[] = [
  "auth.api_key_invalid",
  "project_environment.not_found",
  "points.concurrent_update",
  "event_batch.concurrent_update",
  "internal_error",
  "service.unavailable",
  "rate_limit.concurrency_exceeded",
  "request.timeout",
];

const SLOW_BODIES = [
  ["a known length", { "content-length": "100" }],
  ["chunks", { "transfer-encoding": "chunked" }],
] as const;

/** Sends the headers and a byte, and no more. */
const sendBeginning = (port: number, path: string, key: string, headers: Record<string, string>): Promise<Omit<Reply, "code">> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ port, path, method: "POST", headers: { authorization: `Bearer ${key}`, ...headers } }, (incoming) => {
      void text(incoming).then((body) =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: body, json: JSON.parse(body) }),
      );
    });
    outgoing.on("error", reject);
    outgoing.write("{");
  });

/** The parts of a problem that do not depend on the caller. */
function expectProblem(
  reply: Pick<Reply, "status" | "headers" | "json">,
  code: ErrorCode,
  path: string,
  place: Place,
  baseUrl = BASE_URL,
): void {
  const { title, status } = ERRORS[code];
  expect([reply.status, reply.headers["content-type"]], reply.json.detail).toEqual([status, "application/problem+json"]);
  const [{ message }] = reply.json.errors;
  expect(reply.json).toEqual({
    type: `${baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail: message,
    instance: path,
    code,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    errors: [{ code, message, ...place }],
  });
  expect(message).toMatch(/^\w.{8,}\.$/s);
  expect(message, "one sentence").not.toMatch(/[a-z] The /);
}

test("there is a request for every code of the closed list", () => {
  const tried = [...REFUSED, ...REFUSED_ITEMS].map(([code]) => code);
  expect([...new Set([...tried, ...ELSEWHERE])].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test.each(REFUSED)("%s: %s %s", async (code, method, path, body, pointer) => {
  // The backend checks that the operation documents the code.
  const [plain, query = "secret=1"] = path.split("?");
  const reply = await backend.call(method, `${plain}?${query}`, { body });
  expectProblem(reply, code, plain!, pointer);
  expect((await backend.points("ann")).balance).toBe(10);
});

test.each(REFUSED_ITEMS)("%s of an item", async (code, item) => {
  const { status, json } = await backend.post("/v1/events", { events: [item] });
  expect([status, json.accepted, json.rejected]).toEqual([200, 0, 1]);
  expect(json.results).toEqual([
    { index: 0, accepted: false, eventId: null, errors: [{ code, message: expect.stringMatching(/^\w.+[.?]$/) }] },
  ]);
});

describe("codes that need more than a request", () => {
  test("auth.api_key_invalid: an unknown key", async () => {
    const reply = await backend.call("GET", "/v1/points", { headers: { authorization: `Bearer svc_live_${"0".repeat(64)}` } });
    expectProblem(reply, "auth.api_key_invalid", "/v1/points", null);
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  });

  test("project_environment.not_found: the key of an archived project, in both environments and for any path", async () => {
    const { project, sandbox, live } = await service.customer();
    await archiveProject(service.database, project.slug);
    for (const one of [sandbox, live]) {
      expectProblem(await one.get("/v1/points?PlayerId=ann"), "project_environment.not_found", "/v1/points", null);
      expectProblem(await one.get("/v1/nothing"), "project_environment.not_found", "/v1/nothing", null);
    }
  });

  test.each(SLOW_BODIES)("request.timeout: a body that does not arrive in time, of %s", async (_, opening) => {
    const api = await testApi(service.database, { maxArrivalMs: 50 });
    const conformance = conformanceTo((await api.get("/v1/openapi.json")).json);
    const reply = await sendBeginning(api.port, "/v1/players", backend.key, opening);
    expectProblem(reply, "request.timeout", "/v1/players", null, "https://api.test");
    expect(reply.headers["connection"]).toBe("close");
    expect(conformance.ofAnswer("POST", "/v1/players", { ...reply, code: "request.timeout" })).toEqual([]);
  });

  // Tables that are spread over several machines take no trigger of a test.
  test.skipIf(isSpread()).each([
    ["points.concurrent_update", "points_transactions", "/v1/points/adjustments", { ...adjustment, playerId: "bea" }],
    ["points.concurrent_update", "marketplace_purchases", purchase("one"), { playerId: "bea" }],
    ["event_batch.concurrent_update", "players", "/v1/events", { events: [{ ...event, playerId: "newcomer" }] }],
    ["event_batch.concurrent_update", "metric_totals", METRICS, { ...metric, externalPlayerId: "walker" }],
  ] as const)("%s: every attempt loses a deadlock, and nothing is written", async (code, table, path, body) => {
    await backend.missions("bea");
    const before = await backend.points("bea");
    await loseConflictsOn(table);
    expectProblem(await backend.post(path, body), code, path, null);
    await settleConflictsOn(table);
    expect(await backend.points("bea")).toEqual(before);
    expect((await backend.adjust("externalPlayerId" in body ? "walker" : "newcomer", 1)).code).toBe("player.not_found");
    expect((await backend.post(path, body)).status).toBe(200);
  });

  describe("of internal faults", async () => {
    const gone = openDatabase("postgres://nobody@127.0.0.1:1/nothing", { connections: 1 });
    afterAll(() => gone.close());
    const broken = {
      ...service.database,
      sql: Object.assign(() => Promise.reject(new Error("inner detail")), {
        options: { max: 4 },
      }) as unknown as typeof service.database.sql,
    };
    const apis: [ErrorCode, TestApi][] = [
      ["service.unavailable", await testApi(gone)],
      ["internal_error", await testApi(broken)],
    ];

    test.each(apis)("%s", async (code, api) => {
      const conformance = conformanceTo((await api.get("/v1/openapi.json")).json);
      const reply = await api.get("/v1/points?PlayerId=ann", backend.key);
      expectProblem(reply, code, "/v1/points", null, "https://api.test");
      expect(conformance.ofAnswer("GET", "/v1/points", { ...reply, code })).toEqual([]);
      expect(reply.text).not.toContain("inner");
    });
  });
});

/** Every statement that writes to the table fails as the victim of a deadlock. */
async function loseConflictsOn(table: string): Promise<void> {
  await service.database.sql.unsafe(`
    create or replace function lose() returns trigger language plpgsql as $$ begin raise exception 'lost' using errcode = '40P01'; end $$;
    create trigger lose before insert on ${table} for each statement execute function lose()`);
}
const settleConflictsOn = (table: string) => service.database.sql.unsafe(`drop trigger lose on ${table}`);
