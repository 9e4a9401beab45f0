import { beforeAll, describe, expect, test } from "vitest";
import { zoneOf } from "../../server/game/players/service/players.ts";
import { playerKey } from "../../server/model/players/identity.ts";
import type { Backend } from "../backend.ts";
import { item, mission, points, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";

const service = await startService();

const STEPS = { key: "steps", name: "Steps", kind: "Number" };
const SPEND = {
  key: "spend",
  name: "Spend",
  kind: "Currency",
  properties: [
    { key: "channel", type: "String" },
    { key: "tip", type: "Number" },
    { key: "takeaway", type: "Boolean" },
    { key: "paid_at", type: "DateTime" },
  ],
};
const FILE = {
  baseCurrency: "EUR",
  exchangeRates: [
    { currencyCode: "USD", rate: 0.92 },
    { currencyCode: "JPY", rate: 0.00613 },
  ],
  metrics: [
    STEPS,
    SPEND,
    { key: "weight", name: "Weight", kind: "Number", properties: [{ key: "scale", type: "String", required: true }] },
    { key: "retired", name: "Retired", kind: "Number", active: false },
  ],
};
const backend = await service.sandbox({ ...shop(), ...FILE });

let players = 0;
const newcomer = (): string => `player-${players++}`;
const NOW = "2026-01-31T09:00:00Z";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const steps = { metricKey: "steps", value: 1, occurredAtUtc: NOW };
const spend = { metricKey: "spend", value: 10, currencyCode: "USD", occurredAtUtc: NOW };
const send = (body: object, from: Backend = backend) => from.post("/v1/metric-events", { externalPlayerId: "ann", ...body });
/** Codes with their pointers, of a request that is refused whole. */
const refused = async (body: object): Promise<string[]> => {
  const { status, json } = await send(body);
  expect([status, json.code]).toEqual([400, json.errors[0].code]);
  return json.errors.map(({ code, pointer }: any) => `${code} ${pointer}`);
};
/** A number of an answer digit for digit, however JSON writes it. */
const digits = (text: string, member: string): string | undefined => new RegExp(`"${member}":([-0-9.e+]+)`).exec(text)?.[1];

describe("a metric event", () => {
  test("is answered with its amount and the running total; every field is present", async () => {
    const externalPlayerId = newcomer();
    const occurredAtUtc = "2026-01-31T10:00:00.1239+01:00";
    const before = Date.now();
    const { status, json } = await send({ ...spend, externalPlayerId, occurredAtUtc });
    expect(status).toBe(200);
    expect(json).toEqual({
      eventId: expect.stringMatching(UUID),
      metricKey: "spend",
      value: 10,
      currencyCode: "USD",
      exchangeRate: 0.92,
      normalizedValue: 9.2,
      total: 9.2,
      occurredAtUtc: "2026-01-31T09:00:00.123Z",
      receivedAtUtc: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(json.receivedAtUtc)).toBeGreaterThanOrEqual(before - 1_000);
    expect((await send({ ...spend, externalPlayerId, value: -4, currencyCode: "EUR" })).json).toMatchObject({
      currencyCode: "EUR",
      exchangeRate: 1,
      normalizedValue: -4,
      total: 5.2,
    });
    expect((await send({ ...steps, externalPlayerId, value: 5 })).json).toMatchObject({
      currencyCode: null,
      exchangeRate: null,
      value: 5,
      normalizedValue: 5,
      total: 5,
    });
  });

  test("creates an unknown player, and a refused one does not", async () => {
    const [known, unknown] = [newcomer(), newcomer()];
    await send({ ...steps, externalPlayerId: known });
    expect(await refused({ ...steps, externalPlayerId: unknown, metricKey: "stesp" })).toHaveLength(1);
    expect((await backend.adjust(known, 1)).status).toBe(200);
    expect((await backend.adjust(unknown, 1)).code).toBe("player.not_found");
  });

  test("has a total of its own for each player, metric and environment", async () => {
    const { sandbox, live } = await service.customer();
    for (const one of [sandbox, live]) await one.define(FILE);
    await sandbox.add("ann", "steps", 5);
    await sandbox.add("bea", "steps", 7);
    await sandbox.add("ann", "spend", 11, { currencyCode: "EUR" });
    expect((await sandbox.add("ann", "steps", 1)).total).toBe(6);
    expect((await live.add("ann", "steps", 2)).total).toBe(2);
  });

  test("is received on the Sandbox clock, whenever it happened", async () => {
    const one = await service.sandbox(FILE);
    await one.advance("P40D");
    const { status, headers, json } = await send({ ...steps, occurredAtUtc: "1999-12-31T23:59:59Z" }, one);
    expect([status, json.occurredAtUtc]).toEqual([200, "1999-12-31T23:59:59.000Z"]);
    expect(Math.abs(Date.parse(json.receivedAtUtc) - Date.parse(String(headers["x-sandbox-time"])))).toBeLessThan(60_000);
    const inHours = (hours: number) => new Date(Date.parse(String(headers["x-sandbox-time"])) + hours * 3_600_000).toISOString();
    expect((await send({ ...steps, occurredAtUtc: inHours(23) }, one)).json.total).toBe(2);
    const ahead = await send({ ...steps, occurredAtUtc: inHours(25) }, one);
    expect([ahead.code, ahead.json.errors[0].pointer]).toEqual(["request.invalid", "#/occurredAtUtc"]);
  });

  test("of a wrong shape is refused with every problem, in the order of the fields", async () => {
    expect(await refused({ externalPlayerId: " " })).toEqual([
      "player.external_id_missing #/externalPlayerId",
      "request.invalid #/metricKey",
      "request.invalid #/value",
      "request.invalid #/occurredAtUtc",
    ]);
    expect(
      await refused({
        externalPlayerId: "x".repeat(201),
        metricKey: 5,
        value: "10",
        currencyCode: "EURO",
        exchangeRate: 0,
        idempotencyKey: "😀".repeat(201),
        occurredAtUtc: "2026-01-31T09:00:00",
        properties: [],
        playerTimeZoneId: "Mars/Olympus",
      }),
    ).toEqual([
      "player.external_id_too_long #/externalPlayerId",
      "request.invalid #/metricKey",
      "request.invalid #/value",
      "request.invalid #/currencyCode",
      "request.invalid #/exchangeRate",
      "metric.idempotency_key_too_long #/idempotencyKey",
      "request.invalid #/occurredAtUtc",
      "request.invalid #/properties",
      "request.invalid #/playerTimeZoneId",
    ]);
  });

  test.each<[string, object, string[]]>([
    ["an undeclared metric", { metricKey: "stesp" }, ["metric.not_found #/metricKey"]],
    ["a metric in another case", { metricKey: "Steps" }, ["metric.not_found #/metricKey"]],
    ["a metric named like what every object has", { metricKey: "constructor" }, ["metric.not_found #/metricKey"]],
    ["an event for a metric", { metricKey: "order_placed" }, ["metric.not_found #/metricKey"]],
    ["a metric that is switched off", { metricKey: "retired" }, ["metric.inactive #/metricKey"]],
    ["a currency on a Number", { currencyCode: "EUR" }, ["metric.currency_code_not_allowed #/currencyCode"]],
    ["a rate on a Number", { exchangeRate: 2 }, ["request.invalid #/exchangeRate"]],
    ["no currency on a Currency", { ...spend, currencyCode: null }, ["metric.currency_code_required #/currencyCode"]],
    ["a currency without a rate", { ...spend, currencyCode: "XXX" }, ["metric.exchange_rate_not_found #/currencyCode"]],
    ["two letters for a currency", { ...spend, currencyCode: "EU" }, ["request.invalid #/currencyCode"]],
    ["a rate below 0", { ...spend, exchangeRate: -1 }, ["request.invalid #/exchangeRate"]],
    ["a rate of nine decimals", { ...spend, exchangeRate: exact("0.123456789") }, ["request.invalid #/exchangeRate"]],
    ["a value of nine decimals", { value: exact("0.000000001") }, ["metric.value_out_of_range #/value"]],
    ["a value of 21 digits", { value: exact("-100000000000000000000") }, ["metric.value_out_of_range #/value"]],
    ["a value of a thousand digits", { value: exact("1e999") }, ["metric.value_out_of_range #/value"]],
    [
      "a value that passes 20 digits in the base currency",
      { ...spend, value: exact("99999999999999999999"), exchangeRate: 1.5, properties: { colour: 1 } },
      ["metric.value_out_of_range #/value", "metric.unknown_property #/properties/colour"],
    ],
    [
      "an undeclared metric, a wide value and an instant that is none",
      { metricKey: "stesp", value: exact("1e999"), occurredAtUtc: "x" },
      ["metric.not_found #/metricKey", "metric.value_out_of_range #/value", "request.invalid #/occurredAtUtc"],
    ],
    [
      "an unknown zone, a currency without a rate and an undeclared property",
      { ...spend, currencyCode: "XXX", properties: { colour: 1 }, playerTimeZoneId: "x" },
      [
        "metric.exchange_rate_not_found #/currencyCode",
        "metric.unknown_property #/properties/colour",
        "request.invalid #/playerTimeZoneId",
      ],
    ],
    [
      "a currency and a rate that are none",
      { ...spend, currencyCode: "EURO", exchangeRate: "2" },
      ["currencyCode", "exchangeRate"].map((name) => `request.invalid #/${name}`),
    ],
    ["an undeclared property", { ...spend, properties: { "a/b": "red" } }, ["metric.unknown_property #/properties/a~1b"]],
    [
      "properties of other types",
      { ...spend, properties: { channel: 1, tip: "1", takeaway: 0, paid_at: "2026-01-31" } },
      ["channel", "tip", "takeaway", "paid_at"].map((key) => `metric.property_type_mismatch #/properties/${key}`),
    ],
    ["a property of nine decimals", { ...spend, properties: { tip: exact("1e-9") } }, ["metric.value_out_of_range #/properties/tip"]],
    ["a required property left out", { metricKey: "weight", properties: { scale: null } }, ["request.invalid #/properties/scale"]],
    ["a NUL in a property", { ...spend, properties: { channel: "a\0b" } }, ["request.invalid #/properties/channel"]],
    ["a NUL in the key", { idempotencyKey: "a\0b" }, ["request.invalid #/idempotencyKey"]],
    ["a zone that is an offset", { playerTimeZoneId: "+02:00" }, ["request.invalid #/playerTimeZoneId"]],
    ["an empty zone", { playerTimeZoneId: "" }, ["request.invalid #/playerTimeZoneId"]],
  ])("with %s is refused", async (_, body, problems) => expect(await refused({ ...steps, ...body })).toEqual(problems));

  test("ignores nulls and unknown members, and accepts every type of property", async () => {
    const externalPlayerId = newcomer();
    const none = { currencyCode: null, exchangeRate: null, idempotencyKey: null, properties: null, playerTimeZoneId: null };
    expect((await send({ ...steps, ...none, externalPlayerId, colour: "red" })).status).toBe(200);
    const properties = {
      channel: "app",
      tip: exact("12345678901234567890.12345678"),
      takeaway: false,
      paid_at: "2026-01-31T09:00:00+01:00",
    };
    expect((await send({ ...spend, externalPlayerId, properties })).status).toBe(200);
    const { part, playerId } = playerKey(backend.environment.id, externalPlayerId);
    const [row] = await service.database.sql`
      select properties::text as text from metric_events where part = ${part} and player_id = ${playerId} and currency_code is not null`;
    expect(row?.text).toBe('{"channel":"app","tip":12345678901234567890.12345678,"takeaway":false,"paid_at":"2026-01-31T08:00:00.000Z"}');
  });
});

describe("money", () => {
  test("is normalised at the stored or the given rate, in any case of the currency", async () => {
    const normalized = async (body: object) => {
      const { currencyCode, exchangeRate, normalizedValue } = (await send({ ...spend, externalPlayerId: newcomer(), ...body })).json;
      return [currencyCode, exchangeRate, normalizedValue];
    };
    expect(await normalized({ currencyCode: "jpy", value: 1000 })).toEqual(["JPY", 0.00613, 6.13]);
    expect(await normalized({ currencyCode: "USD", exchangeRate: 0.5 })).toEqual(["USD", 0.5, 5]);
    expect(await normalized({ currencyCode: "CHF", exchangeRate: exact("1.06000000") })).toEqual(["CHF", 1.06, 10.6]);
    expect(await normalized({ currencyCode: "EUR" })).toEqual(["EUR", 1, 10]);
  });

  test("is rounded half-even to 8 decimals, digit for digit", async () => {
    const product = async (value: string, rate: string) => {
      const { text } = await send({ ...spend, externalPlayerId: newcomer(), value: exact(value), exchangeRate: exact(rate) });
      return ["value", "exchangeRate", "normalizedValue", "total"].map((member) => digits(text, member));
    };
    expect(await product("0.00000001", "0.5")).toEqual(["0.00000001", "0.5", "0", "0"]);
    expect((await product("0.00000003", "0.5"))[2]).toBe("0.00000002");
    expect((await product("-0.00000005", "0.5"))[2]).toBe("-0.00000002");
    expect((await product("12345678901234567890.12345678", "1"))[3]).toBe("12345678901234567890.12345678");
    expect((await product("98765432109876543210.12345678", "0.12345678"))[2]).toBe("12193262223593964222.25270538");
  });

  test("that was sent keeps its rate", async () => {
    const one = await service.sandbox(FILE);
    const first = await send({ ...spend, idempotencyKey: "k" }, one);
    await one.define({ exchangeRates: [{ currencyCode: "USD", rate: 2 }] });
    expect((await send({ ...spend }, one)).json).toMatchObject({ exchangeRate: 2, normalizedValue: 20, total: 29.2 });
    expect((await send({ ...spend, idempotencyKey: "k" }, one)).json).toEqual({ ...first.json, total: 29.2 });
  });
});

test("the base currency is fixed once a metric of money has received an event, and not by any other", async () => {
  const one = await service.sandbox({ ...FILE, exchangeRates: [] });
  const inDollars = (baseCurrency: string) => importDefinitions(service.database, one.environment, { version: 1, baseCurrency });
  await one.add("ann", "steps", 5);
  expect(await inDollars("USD")).toMatchObject({ changes: [{ sign: "~", kind: "settings" }] });
  expect(await one.add("ann", "spend", 5, { currencyCode: "USD" })).toMatchObject({ exchangeRate: 1, normalizedValue: 5 });
  expect(await inDollars("EUR")).toMatchObject({
    problems: [{ pointer: "/baseCurrency", message: expect.stringContaining('leave it at "USD"') }],
  });
  await one.add("ann", "spend", -5, { currencyCode: "USD" });
  expect(await inDollars("EUR")).toHaveProperty("problems");
});

describe("a running total", () => {
  test("is the sum digit for digit, beyond twenty digits and back", async () => {
    const externalPlayerId = newcomer();
    const total = async (value: string) => digits((await send({ ...steps, externalPlayerId, value: exact(value) })).text, "total");
    expect(await total("99999999999999999999.99999999")).toBe("99999999999999999999.99999999");
    expect(await total("99999999999999999999.99999999")).toBe("199999999999999999999.99999998");
    expect(await total("0.1")).toBe("200000000000000000000.09999998");
    expect(await total("-99999999999999999999.99999999")).toBe("100000000000000000000.09999999");
    expect(await total("-99999999999999999999.99999999")).toBe("0.1");
    expect(await total("0.20")).toBe("0.3");
    expect(await total("-0.3")).toBe("0");
  });

  test("sums 24 concurrent sends exactly, each answered with one of the intermediate sums", async () => {
    const externalPlayerId = newcomer();
    const replies = await Promise.all(Array.from({ length: 24 }, () => send({ ...steps, externalPlayerId, value: 0.1 })));
    expect(replies.map(({ json }) => json.total).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, index) => (index + 1) / 10),
    );
  });
});

describe("a retry with the same key", () => {
  test("is answered with the original event and the current total, and adds nothing", async () => {
    const externalPlayerId = newcomer();
    const { json: first } = await send({ ...spend, externalPlayerId, idempotencyKey: "once" });
    await send({ ...spend, externalPlayerId, currencyCode: "EUR", idempotencyKey: " " });
    await send({ ...spend, externalPlayerId, currencyCode: "EUR", idempotencyKey: " " });
    const again = {
      ...spend,
      externalPlayerId,
      value: 99,
      currencyCode: "JPY",
      occurredAtUtc: "2020-01-01T00:00:00Z",
      idempotencyKey: "once",
    };
    expect((await send(again)).json).toEqual({ ...first, total: 29.2 });
  });

  test("is another event for another metric, another player and another case of the key", async () => {
    const [ann, bea] = [newcomer(), newcomer()];
    const key = { idempotencyKey: "Key" };
    const replies = [
      await send({ ...steps, ...key, externalPlayerId: ann }),
      await send({ ...spend, ...key, externalPlayerId: ann }),
      await send({ ...steps, ...key, externalPlayerId: bea }),
      await send({ ...steps, idempotencyKey: "key", externalPlayerId: ann }),
    ];
    expect(new Set(replies.map(({ json }) => json.eventId)).size).toBe(4);
    expect(replies[3]!.json.total).toBe(2);
    const [event] = await backend.send({ playerId: ann, ...key });
    expect(replies.map(({ json }) => json.eventId)).not.toContain(event);
  });

  test("is answered the same where it would be refused today; a refused one used no key", async () => {
    const one = await service.sandbox(FILE);
    const body = { ...spend, idempotencyKey: "k", properties: { channel: "app" } };
    expect((await send({ ...body, currencyCode: "XXX" }, one)).code).toBe("metric.exchange_rate_not_found");
    const first = await send(body, one);
    expect(first.status).toBe(200);
    await one.define({ metrics: [{ ...SPEND, properties: [], active: false }] });
    expect((await send(body, one)).json).toEqual(first.json);
    expect((await send({ ...body, idempotencyKey: "l" }, one)).code).toBe("metric.inactive");
  });

  test("twelve times concurrently adds once, with equal answers", async () => {
    const externalPlayerId = newcomer();
    const body = { ...spend, externalPlayerId, idempotencyKey: "k", playerTimeZoneId: "Asia/Tokyo" };
    const replies = await Promise.all(Array.from({ length: 12 }, () => send(body)));
    const answers = replies.map(({ status, json: { receivedAtUtc: _, ...rest } }) => JSON.stringify([status, rest]));
    expect(new Set(answers).size).toBe(1);
    expect(replies[0]!.json.total).toBe(9.2);
  });
});

describe("playerTimeZoneId", () => {
  const zone = (playerId: string) => zoneOf(service.database.sql, playerKey(backend.environment.id, playerId));

  test("sets the zone of the player's days, for a known player too, until another is sent", async () => {
    const externalPlayerId = newcomer();
    await send({ ...steps, externalPlayerId });
    expect(await zone(externalPlayerId)).toBeNull();
    await send({ ...steps, externalPlayerId, playerTimeZoneId: "America/New_York", idempotencyKey: "k" });
    await send({ ...steps, externalPlayerId });
    expect(await zone(externalPlayerId)).toBe("America/New_York");
    await send({ ...steps, externalPlayerId, playerTimeZoneId: "Asia/Tokyo" });
    // Neither a replay nor a refused event sets it back.
    await send({ ...steps, externalPlayerId, playerTimeZoneId: "America/New_York", idempotencyKey: "k" });
    await send({ ...steps, externalPlayerId, playerTimeZoneId: "America/New_York", metricKey: "stesp" });
    expect(await zone(externalPlayerId)).toBe("Asia/Tokyo");
    const created = newcomer();
    await send({ ...steps, externalPlayerId: created, playerTimeZoneId: "europe/paris" });
    expect((await backend.post("/v1/players", { playerId: created })).json.timeZoneId.toLowerCase()).toBe("europe/paris");
  });

  test("is the zone that days of missions, streaks and conditions are counted in", async () => {
    const days = { metric: "steps", measure: { kind: "DistinctDays" }, operator: "GreaterThanOrEqualTo" };
    const one = await service.sandbox({
      ...shop(mission("days", { objectives: [{ ...days, target: 9 }] })),
      ...FILE,
      streaks: [{ key: "daily", name: "Daily", metric: "steps", cadence: "Day" }],
    });
    for (const [playerId, playerTimeZoneId] of [["utc"], ["ny", "America/New_York"]] as const) {
      await one.missions(playerId);
      for (const occurredAtUtc of ["2026-03-07T23:00:00Z", "2026-03-08T02:00:00Z", "2026-03-09T03:30:00Z"])
        await one.add(playerId, "steps", 1, { occurredAtUtc, playerTimeZoneId });
      await one.applied();
    }
    // New York: the 7th at 18:00 and 21:00, the 8th at 23:30.
    expect([await one.counterValue("utc", "days"), await one.counterValue("ny", "days")]).toEqual([3, 2]);
    const longest = async (playerId: string) => (await one.get(`/v1/streaks?PlayerId=${playerId}`)).json[0].longestLength;
    expect([await longest("utc"), await longest("ny")]).toEqual([3, 2]);
  });
});

describe("effects of metric events", () => {
  const over = (measure: object | undefined, operator: string, target: unknown, more: object = {}) => ({
    metric: "spend",
    ...(measure && { measure }),
    operator,
    target,
    ...more,
  });

  test("missions with the metric in an objective: with and without a property, with a filter", async () => {
    const app = { where: { property: "channel", operator: "EqualTo", value: "app" } };
    const objectives = [
      over(undefined, "GreaterThan", 100),
      over({ kind: "Sum" }, "GreaterThan", 100),
      over({ kind: "Max" }, "GreaterThan", 100),
      over({ kind: "Min" }, "GreaterThan", 100),
      over({ kind: "Latest" }, "GreaterThan", 100),
      over({ kind: "DistinctCount" }, "GreaterThan", 100),
      over({ kind: "Sum", property: "tip" }, "GreaterThan", 100),
      over({ kind: "Sum" }, "GreaterThan", 100, app),
      over({ kind: "DistinctCount", property: "channel" }, "GreaterThan", 100),
      over({ kind: "Latest", property: "channel" }, "EqualTo", "none"),
    ];
    const one = await service.sandbox({ ...shop(mission("all", { objectives })), ...FILE });
    await one.missions("ann");
    await one.add("ann", "spend", 10, { currencyCode: "USD", properties: { channel: "app", tip: 1.5 } });
    await one.add("ann", "spend", 9.2, { currencyCode: "EUR", properties: { channel: "web" } });
    await one.add("ann", "spend", exact("5.50"), { currencyCode: "EUR", properties: { channel: "app", tip: 0.25 } });
    await one.add("ann", "steps", 1_000);
    await one.applied();
    const actual = (await one.mission("ann", "all")).objectives.map(({ progress }: any) => progress.actual?.value ?? null);
    expect(actual).toEqual([3, 23.9, 9.2, 5.5, 5.5, 2, 1.75, 14.7, 2, "app"]);
  });

  test("missions once for a retry, with rewards", async () => {
    const walker = mission("walker", {
      objectives: [{ metric: "steps", measure: { kind: "Sum" }, operator: "GreaterThanOrEqualTo", target: 10 }],
      rewards: [points(5), item("free_coffee", 1)],
      recurrence: { kind: "AfterCompletion" },
    });
    const one = await service.sandbox({ ...shop(walker), ...FILE });
    await one.missions("ann");
    for (let retry = 0; retry < 3; retry++) await one.add("ann", "steps", 9, { idempotencyKey: "k" });
    await one.applied();
    expect((await one.points("ann")).balance).toBe(0);
    await one.add("ann", "steps", 1);
    await one.applied();
    expect((await one.points("ann")).balance).toBe(5);
  });

  test("a mission over both events and a metric, in order", async () => {
    const objectives = [
      { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 },
      { metric: "steps", measure: { kind: "Sum" }, operator: "GreaterThanOrEqualTo", target: 10 },
    ];
    const one = await service.sandbox({ ...shop(mission("both", { objectives, objectiveOrder: "InOrder" })), ...FILE });
    await one.missions("ann");
    await one.add("ann", "steps", 10);
    await one.play({ playerId: "ann" });
    expect((await one.mission("ann", "both")).objectives.map(({ isSatisfied }: any) => isSatisfied)).toEqual([true, false]);
    await one.add("ann", "steps", 10);
    await one.applied();
    expect(await one.mission("ann", "both", { includeCompleted: true })).toMatchObject({ status: "Completed" });
  });

  test("audiences, over all of the history and over the last days", async () => {
    const rule = (more: object) => ({
      audience: { rule: { metric: "spend", operator: "GreaterThanOrEqualTo", value: 20, measure: { kind: "Sum" }, ...more } },
    });
    const one = await service.sandbox({
      ...shop(
        mission("ever", rule({})),
        mission("lately", rule({ lastDays: 7 })),
        mission(
          "online",
          rule({ where: { property: "channel", operator: "EqualTo", value: "web" }, measure: { kind: "Count" }, value: 1 }),
        ),
      ),
      ...FILE,
    });
    await one.moveTo("2031-05-20T12:00:00Z");
    const status = async () => (await one.missions("ann")).map(({ missionKey, status: its }) => `${missionKey} ${its}`).sort();
    await one.add("ann", "spend", 15, { currencyCode: "EUR", occurredAtUtc: "2031-05-01T12:00:00Z" });
    await one.add("ann", "spend", 5, { currencyCode: "EUR", occurredAtUtc: "2031-05-20T01:00:00Z" });
    await one.applied();
    expect(await status()).toEqual(["ever InProgress", "lately Locked", "online Locked"]);
    await one.add("ann", "spend", 15, { currencyCode: "EUR", occurredAtUtc: "2031-05-14T00:00:00Z", properties: { channel: "web" } });
    await one.applied();
    expect(await status()).toEqual(["ever InProgress", "lately InProgress", "online InProgress"]);
  });
});

describe("POST /v1/attribute-events", () => {
  const TIER = { key: "tier", name: "Tier", type: "String" };
  const ATTRIBUTES = [TIER, { key: "age", name: "Age", type: "Number" }, { key: "plan", name: "Plan", type: "String", active: false }];
  const report = (one: Backend, body: object) =>
    one.post("/v1/attribute-events", { externalPlayerId: "ann", attributeKey: "tier", value: "gold", occurredAtUtc: NOW, ...body });

  test("sets one attribute: the newer value wins, and the player is created", async () => {
    const one = await service.sandbox({ attributes: ATTRIBUTES });
    const result = async (body: object) => (await report(one, body)).json;
    expect(await result({})).toEqual({ result: "Changed" });
    expect(await result({ occurredAtUtc: "2026-02-01T00:00:00Z" })).toEqual({ result: "Unchanged" });
    expect(await result({ value: "silver", occurredAtUtc: "2026-01-30T00:00:00Z" })).toEqual({ result: "Stale" });
    // An unchanged value keeps the instant since when it holds.
    expect(await result({ value: "silver", occurredAtUtc: "2026-01-31T12:00:00Z" })).toEqual({ result: "Changed" });
    expect(await result({ attributeKey: "age", value: exact("12345678901234567890.12345678") })).toEqual({ result: "Changed" });
    expect((await one.get("/v1/attributes?PlayerId=ann")).text).toBe(
      '{"attributes":{"tier":"silver","age":12345678901234567890.12345678}}',
    );
    expect((await one.adjust("ann", 1)).status).toBe(200);
  });

  test("advances missions and sets the zone of the player's days", async () => {
    const gold = mission("gold", { objectives: [{ attribute: "tier", operator: "EqualTo", target: "gold" }] });
    const one = await service.sandbox({ ...shop(gold), attributes: ATTRIBUTES });
    await one.missions("ann");
    await report(one, { playerTimeZoneId: "Asia/Tokyo" });
    expect((await one.points("ann")).balance).toBe(10);
    expect((await one.post("/v1/players", { playerId: "ann" })).json.timeZoneId).toBe("Asia/Tokyo");
  });

  test("defines an attribute by its first value with discovery on", async () => {
    const one = await service.sandbox({ discovery: { attributes: true } });
    expect((await report(one, {})).json).toEqual({ result: "Changed" });
    expect((await report(one, { value: 5 })).code).toBe("player_attribute.type_mismatch");
  });

  let refusing: Backend;
  beforeAll(async () => {
    refusing = await service.sandbox({ attributes: ATTRIBUTES });
  });
  test.each<[string, object, string[]]>([
    ["an unknown attribute", { attributeKey: "tire" }, ["player_attribute.not_found #/attributeKey"]],
    ["one that is switched off", { attributeKey: "plan" }, ["player_attribute.inactive #/attributeKey"]],
    ["a value of another type", { value: 5 }, ["player_attribute.type_mismatch #/value"]],
    ["a wide number", { attributeKey: "age", value: exact("1e20") }, ["player_attribute.value_out_of_range #/value"]],
    ["an instant that is none", { occurredAtUtc: "2026-01-31" }, ["player_attribute.occurred_at_invalid #/occurredAtUtc"]],
    ["an instant too far ahead", { occurredAtUtc: "2999-01-01T00:00:00Z" }, ["request.invalid #/occurredAtUtc"]],
    [
      "an instant too far ahead, and a value of another type",
      { value: 5, occurredAtUtc: "2999-01-01T00:00:00Z" },
      ["player_attribute.type_mismatch #/value", "request.invalid #/occurredAtUtc"],
    ],
    ["no instant", { occurredAtUtc: null }, ["request.invalid #/occurredAtUtc"]],
    [
      "no value, and an instant that is none",
      { value: null, occurredAtUtc: "x" },
      ["request.invalid #/value", "player_attribute.occurred_at_invalid #/occurredAtUtc"],
    ],
    [
      "no such attribute, an instant that is none, and an id with NUL",
      { externalPlayerId: "a\0", attributeKey: "tire", occurredAtUtc: "x" },
      [
        "request.invalid #/externalPlayerId",
        "player_attribute.not_found #/attributeKey",
        "player_attribute.occurred_at_invalid #/occurredAtUtc",
      ],
    ],
    ["no value", { value: null }, ["request.invalid #/value"]],
    ["an object for a value", { value: { value: "gold" } }, ["player_attribute.type_mismatch #/value"]],
    [
      "no value and no such attribute",
      { attributeKey: "tire", value: null },
      ["player_attribute.not_found #/attributeKey", "request.invalid #/value"],
    ],
    [
      "nothing",
      { externalPlayerId: "", attributeKey: "", occurredAtUtc: undefined, playerTimeZoneId: "x" },
      [
        "player.external_id_missing #/externalPlayerId",
        "request.invalid #/attributeKey",
        "request.invalid #/occurredAtUtc",
        "request.invalid #/playerTimeZoneId",
      ],
    ],
  ])("is refused with %s, and nothing is written", async (_, body, problems) => {
    const { status, json } = await report(refusing, body);
    expect([status, json.errors.map(({ code, pointer }: any) => `${code} ${pointer}`)]).toEqual([400, problems]);
    expect((await refusing.get("/v1/attributes?PlayerId=ann")).json).toEqual({ attributes: {} });
    expect((await refusing.adjust("ann", 1)).code).toBe("player.not_found");
  });
});
