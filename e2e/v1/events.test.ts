import { describe, expect, test } from "vitest";
import { EVENTS, mission, shop } from "../definitions.ts";
import { exact, type Reply } from "../http.ts";
import { startService } from "../listening.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HOUR = 3_600_000;
const service = await startService();
const WIDE = exact("12345678901234567890.12345678");
const at = "2026-01-31T09:00:00Z";
const needy = { key: "checked_in", name: "Checked in", properties: [{ key: "place", type: "String", required: true }] };
const off = { key: "switched_off", name: "Switched off", active: false };
const odd = { key: "odd", name: "Odd", properties: ["constructor", "hasownproperty", "value"].map((key) => ({ key, type: "Number" })) };
const backend = await service.sandbox({ events: [...EVENTS, needy, off, odd] });

const codesOf = ({ json }: Reply, index = 0): string[] => json.results[index].errors.map(({ code }: { code: string }) => code);
const judged = async (item: unknown): Promise<string[]> => codesOf(await backend.batch(item));

describe("a batch", () => {
  test("is answered item by item, in the order sent, each refused or accepted alone", async () => {
    const { status, json } = await backend.batch({ playerId: "ann" }, { playerId: "ann", event: "no_such" }, 7, {
      playerId: "bob",
      properties: { amount: 3, drink: "tea", takeaway: true, pickup_at: at },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ accepted: 2, rejected: 2 });
    expect(json.results.map(({ index, accepted }: any) => [index, accepted])).toEqual([
      [0, true],
      [1, false],
      [2, false],
      [3, true],
    ]);
    for (const { accepted, eventId, errors } of json.results) {
      if (accepted) expect([eventId, errors]).toEqual([expect.stringMatching(UUID), []]);
      else expect([eventId, errors]).toEqual([null, [{ code: expect.any(String), message: expect.stringMatching(/\w .+/) }]]);
    }
    expect(json.results[0].eventId).not.toBe(json.results[3].eventId);
  });

  test("without items is refused as a whole", async () => {
    const { status, code } = await backend.post("/v1/events", { events: [] });
    expect([status, code]).toEqual([400, "event_batch.empty"]);
  });

  test("accepts 1,000 items; a batch with one more writes nothing", async () => {
    const items = (count: number, playerId: string) =>
      Array.from({ length: count }, () => ({ playerId, event: "order_placed", occurredAt: at }));
    const taken = await backend.post("/v1/events", { events: items(1_000, "thousand") });
    expect(taken.json).toMatchObject({ accepted: 1_000, rejected: 0 });
    expect(new Set(taken.json.results.map(({ eventId }: any) => eventId)).size).toBe(1_000);
    const refused = await backend.post("/v1/events", { events: items(1_001, "too-many") });
    expect([refused.status, refused.code]).toEqual([400, "event_batch.too_large"]);
    expect((await backend.adjust("too-many", 1)).code).toBe("player.not_found");
    await backend.applied();
  });

  test("of only refused items is a 200", async () => {
    expect((await backend.batch(null, [], "x", 1, true)).json).toMatchObject({ accepted: 0, rejected: 5 });
  });

  test.each([
    {},
    { events: null },
    { events: {} },
    { events: "order_placed" },
    { items: [] },
    [],
    [{ playerId: "a" }],
    null,
    7,
    '"events"',
  ])("whose shape is %j is request.invalid", async (body) => {
    const { status, code } = await backend.post("/v1/events", body);
    expect([status, code]).toEqual([400, "request.invalid"]);
  });

  test("ignores members it does not know", async () => {
    const { json } = await backend.post("/v1/events", {
      events: [{ playerId: "ann", event: "order_placed", occurredAt: at, environment: "live" }],
      dryRun: true,
    });
    expect(json.accepted).toBe(1);
  });
});

describe("an item is refused by code", () => {
  test.each<[string, object, string[]]>([
    ["no player", { playerId: undefined }, ["player.external_id_missing"]],
    ["a player that is null", { playerId: null }, ["player.external_id_missing"]],
    ["an empty player", { playerId: "" }, ["player.external_id_missing"]],
    ["a player that is a number", { playerId: 7 }, ["event.invalid"]],
    ["a player of 201 characters", { playerId: "é".repeat(201) }, ["player.external_id_too_long"]],
    ["no event", { event: undefined }, ["event.key_missing"]],
    ["an empty event", { event: "" }, ["event.key_missing"]],
    ["an event that is a list", { event: ["order_placed"] }, ["event.invalid"]],
    ["an unknown event", { event: "order_eaten" }, ["event.not_found"]],
    ["an event in other case", { event: "Order_Placed" }, ["event.not_found"]],
    ["an event with spaces around", { event: " order_placed " }, ["event.not_found"]],
    ["an event of Object's", { event: "constructor" }, ["event.not_found"]],
    ["an event of every object's", { event: "__proto__" }, ["event.not_found"]],
    ["an event of 100,000 characters", { event: "e".repeat(100_000) }, ["event.not_found"]],
    ["a switched-off event", { event: "switched_off" }, ["event.inactive"]],
    ["no instant", { occurredAt: undefined }, ["event.occurred_at_missing"]],
    ["an instant that is null", { occurredAt: null }, ["event.occurred_at_missing"]],
    ["an instant that is a number", { occurredAt: 1769850000 }, ["event.invalid"]],
    ["a key of 201 characters", { idempotencyKey: "k".repeat(201) }, ["event.idempotency_key_too_long"]],
    ["a key that is a number", { idempotencyKey: 7 }, ["event.invalid"]],
    ["properties that are a list", { properties: [1] }, ["event.invalid"]],
    ["properties that are a number", { properties: 7 }, ["event.invalid"]],
    ["properties that are a text", { properties: "amount" }, ["event.invalid"]],
    ["an unknown property", { properties: { amounts: 1 } }, ["event.unknown_property"]],
    ["a property in other case", { properties: { Amount: 1 } }, ["event.unknown_property"]],
    ["a property of Object's", { properties: { constructor: 1 } }, ["event.unknown_property"]],
    ["a number that is a text", { properties: { amount: "3" } }, ["event.property_type_mismatch"]],
    ["a text that is a number", { properties: { drink: 3 } }, ["event.property_type_mismatch"]],
    ["a truth that is a text", { properties: { takeaway: "true" } }, ["event.property_type_mismatch"]],
    ["a truth that is a number", { properties: { takeaway: 1 } }, ["event.property_type_mismatch"]],
    ["a date without zone", { properties: { pickup_at: "2026-01-31T09:00:00" } }, ["event.property_type_mismatch"]],
    ["a date that is a number", { properties: { pickup_at: 1 } }, ["event.property_type_mismatch"]],
    ["a property that is an object", { properties: { drink: { name: "tea" } } }, ["event.property_type_mismatch"]],
    ["a property that is a list", { properties: { amount: [1] } }, ["event.property_type_mismatch"]],
    ["a required property left out", { event: "checked_in" }, ["event.property_missing"]],
    ["a required property that is null", { event: "checked_in", properties: { place: null } }, ["event.property_missing"]],
  ])("%s", async (_, part, codes) => {
    expect(await judged({ playerId: "ann", event: "order_placed", occurredAt: at, ...part })).toEqual(codes);
  });

  test.each([null, [], [{}], "order_placed", 1, false, WIDE])("event.invalid: %j is not an object", async (item) => {
    expect(await judged(item)).toEqual(["event.invalid"]);
  });

  test("a number of many digits in any place is a number, not an object and not a text", async () => {
    const codes = await judged({ playerId: WIDE, event: WIDE, occurredAt: WIDE, idempotencyKey: WIDE, properties: WIDE });
    expect(codes).toEqual(Array.from({ length: 5 }, () => "event.invalid"));
    expect(await judged({ playerId: "ann", properties: { drink: WIDE, takeaway: WIDE, pickup_at: WIDE } })).toEqual(
      Array.from({ length: 3 }, () => "event.property_type_mismatch"),
    );
  });

  test("with every problem it has", async () => {
    const codes = await judged({
      playerId: "",
      event: "order_placed",
      occurredAt: "yesterday",
      idempotencyKey: "k".repeat(201),
      properties: { amount: "x", size: 1 },
    });
    expect(codes).toEqual([
      "player.external_id_missing",
      "event.occurred_at_invalid",
      "event.idempotency_key_too_long",
      "event.property_type_mismatch",
      "event.unknown_property",
    ]);
    expect((await judged({ occurredAt: undefined })).toSorted()).toEqual(["event.occurred_at_missing", "player.external_id_missing"]);
    const empty = await backend.post("/v1/events", { events: [{}] });
    expect(codesOf(empty)).toEqual(["player.external_id_missing", "event.key_missing", "event.occurred_at_missing"]);
  });
});

describe("a refused request leaves nothing behind", () => {
  test("no player is created", async () => {
    await backend.batch({ playerId: "stranger", event: "no_such" }, { playerId: "stranger", occurredAt: "never" });
    expect((await backend.adjust("stranger", 5)).code).toBe("player.not_found");
    await backend.send({ playerId: "stranger" });
    expect((await backend.adjust("stranger", 5)).status).toBe(200);
  });
});

describe("properties", () => {
  test("that are null count as absent, known or not", async () => {
    expect(await judged({ playerId: "ann", properties: { amount: null, drink: null, size: null } })).toEqual([]);
    expect(await judged({ playerId: "ann", properties: null })).toEqual([]);
  });

  test("may be named like members of every object", async () => {
    expect(await judged({ playerId: "ann", event: "odd", properties: { constructor: 1, hasownproperty: 2 } })).toEqual([]);
    const body = '{"events":[{"playerId":"ann","event":"odd","occurredAt":"2026-01-31T09:00:00Z","properties":{"__proto__":{"value":1}}}]}';
    expect(codesOf(await backend.post("/v1/events", body))).toEqual(["event.unknown_property"]);
    const hidden = '{"events":[{"__proto__":{"playerId":"ann","event":"odd","occurredAt":"2026-01-31T09:00:00Z"}}]}';
    expect(codesOf(await backend.post("/v1/events", hidden))).toEqual([
      "player.external_id_missing",
      "event.key_missing",
      "event.occurred_at_missing",
    ]);
  });

  test.each([
    ["20 digits and 8 decimals", "99999999999999999999.99999999", []],
    ["the same, negative", "-99999999999999999999.99999999", []],
    ["zeros behind, which are no width", "1.500000000000000000000", []],
    ["an exponent", "1.5e19", []],
    ["a small exponent", "1E-8", []],
    ["minus nothing", "-0", []],
    ["nothing, whatever its exponent", "0e30", []],
    ["21 digits", "100000000000000000000", ["event.property_value_out_of_range"]],
    ["21 digits by exponent", "1e20", ["event.property_value_out_of_range"]],
    ["9 decimals", "0.123456789", ["event.property_value_out_of_range"]],
    ["9 decimals by exponent", "1e-9", ["event.property_value_out_of_range"]],
    ["more than a double holds", "1e400", ["event.property_value_out_of_range"]],
    ["an exponent beyond all", "1e999999999999", ["event.property_value_out_of_range"]],
    ["a million digits", "9".repeat(1_000_000), ["event.property_value_out_of_range"]],
  ])("have numbers of at most 20 digits and 8 decimals: %s", async (_, number, codes) => {
    const body = `{"events":[{"playerId":"ann","event":"order_placed","occurredAt":"${at}","properties":{"amount":${number}}}]}`;
    expect(codesOf(await backend.post("/v1/events", body))).toEqual(codes);
  });

  test("wider than that are refused alone, not with the batch", async () => {
    const wide = { playerId: "ann", properties: { amount: exact("123456789012345678901") } };
    expect((await backend.batch({ playerId: "ann" }, wide, { playerId: "ann" })).json).toMatchObject({ accepted: 2, rejected: 1 });
  });
});

describe("occurredAt", () => {
  test.each([
    "2026-01-31T09:00:00Z",
    "2026-01-31t09:00:00z",
    "2026-01-31T09:00:00.1234567890123Z",
    "2026-01-31T09:00:00+14:00",
    "2026-01-31T09:00:00-00:00",
    "2024-02-29T23:59:59.999+05:45",
    "2016-12-31T23:59:60Z",
    "0001-01-01T00:00:00Z",
    new Date(Date.now() + 23 * HOUR).toISOString(),
  ])("may be %s", async (occurredAt) => {
    expect(await judged({ playerId: "ann", occurredAt })).toEqual([]);
  });

  test.each([
    "2026-01-31T09:00:00",
    "2026-01-31",
    "2026-01-31T09:00Z",
    "2026-02-30T09:00:00Z",
    "2025-02-29T09:00:00Z",
    "2026-13-01T09:00:00Z",
    "2026-00-10T09:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T09:60:00Z",
    "2026-01-31T09:00:61Z",
    "2026-01-31T09:00:00.Z",
    "2026-01-31T09:00:00+24:00",
    "2026-01-31T09:00:00+0200",
    "2026-01-31T09:00:00 Europe/Amsterdam",
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "+10000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "1769850000",
    "yesterday",
    "",
    "٢٠٢٦-01-31T09:00:00Z",
  ])("may not be %j", async (occurredAt) => {
    expect(await judged({ playerId: "ann", occurredAt })).toEqual(["event.occurred_at_invalid"]);
  });

  test("may be at most 24 hours ahead of the environment's clock, also of a moved one", async () => {
    const own = await service.sandbox(shop(mission("one")));
    const at = async (instant: number) => {
      const { json } = await own.batch({ playerId: "ann", idempotencyKey: `${instant}`, occurredAt: new Date(instant).toISOString() });
      return json.results[0].errors.map(({ code }: { code: string }) => code);
    };
    const [near, far] = [Date.now() + 23 * HOUR, Date.now() + 25 * HOUR];
    expect([await at(near), await at(far), await at(Date.parse("9999-12-31T23:59:59Z"))]).toEqual([
      [],
      ["event.invalid"],
      ["event.invalid"],
    ]);
    await own.advance("P1D");
    expect(await at(far)).toEqual([]);
    expect(await at(far + 24 * HOUR)).toEqual(["event.invalid"]);
  });

  test("may be as far back as years go, in any zone, and is applied all the same", async () => {
    const days = { event: "order_placed", measure: { kind: "DistinctDays" }, operator: "GreaterThanOrEqualTo", target: 9 };
    const every = ["Day", "Week", "Month"].map((unit) =>
      mission(unit.toLowerCase(), { recurrence: { kind: "Calendar", every: unit }, objectives: [days] }),
    );
    const own = await service.sandbox(shop(mission("days", { objectives: [days] }), ...every));
    for (const timeZoneId of ["America/New_York", "Pacific/Auckland"]) {
      await own.post("/v1/players", { playerId: timeZoneId, timeZoneId });
      await own.missions(timeZoneId);
      await own.play(
        { playerId: timeZoneId, occurredAt: "0001-01-01T00:00:00Z" },
        { playerId: timeZoneId, occurredAt: new Date(Date.now() + 23 * HOUR).toISOString() },
      );
      expect(await own.counterValue(timeZoneId, "days")).toBe(2);
    }
  });
});

describe("text", () => {
  const item = (part: string) => `{"events":[{"playerId":"good","event":"order_placed","occurredAt":"${at}"},{${part}}]}`;
  const rest = `"event":"order_placed","occurredAt":"${at}"`;

  test.each([
    ["a NUL in the player", `"playerId":"a\\u0000b",${rest}`],
    ["a lone surrogate in the player", `"playerId":"\\ud83d",${rest}`],
    ["surrogates the wrong way round", `"playerId":"\\ude00\\ud83d",${rest}`],
    ["a NUL in a property", `"playerId":"a","properties":{"drink":"\\u0000"},${rest}`],
    ["a lone surrogate in a property's name", `"playerId":"a","properties":{"\\udfff":1},${rest}`],
    ["a NUL in the key", `"playerId":"a","idempotencyKey":"\\u0000",${rest}`],
    ["a NUL in the event", `"playerId":"a","event":"order\\u0000","occurredAt":"${at}"`],
    ["a NUL in the instant", `"playerId":"a","event":"order_placed","occurredAt":"${at}\\u0000"`],
  ])("%s refuses the item, not the batch", async (_, part) => {
    const { status, json } = await backend.post("/v1/events", item(part));
    expect(status).toBe(200);
    expect(json.results[0].accepted).toBe(true);
    expect(json.results[1].errors[0].code).toBe("event.invalid");
  });

  test.each(["漢", "é", "😀", "ع", "👩‍👩‍👧", "𝔸", "\u{10ffff}", "\u007f", "'", "\\", '"', "%"])(
    "%j repeated 200 times is accepted as a player id and as an idempotency key",
    async (one) => {
      const id = [...one.repeat(200)].slice(0, 200).join("");
      const key = { playerId: id, idempotencyKey: id, properties: { drink: id } };
      const [first] = await backend.send(key);
      expect(await backend.send(key)).toEqual([first]);
      expect((await backend.batch({ ...key, playerId: `${id}x` })).json.results[0].errors[0].code).toBe("player.external_id_too_long");
      expect((await backend.batch({ ...key, idempotencyKey: `${id}x` })).json.results[0].errors[0].code).toBe(
        "event.idempotency_key_too_long",
      );
      expect((await backend.adjust(id, 5)).json.balance).toBe(5);
      expect((await backend.points(id)).balance).toBe(5);
    },
  );

  test("deep nesting in an item is that item's fault", async () => {
    const nested = `${"[".repeat(500)}${"]".repeat(500)}`;
    const { status, json } = await backend.post("/v1/events", item(`"playerId":"a","properties":{"amount":${nested}},${rest}`));
    expect([status, json.results[0].accepted, json.results[1].errors[0].code]).toEqual([200, true, "event.property_type_mismatch"]);
  });
});
