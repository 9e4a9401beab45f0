import { describe, expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { addressOf } from "../../db/testing.ts";
import { ingest, type ItemResult } from "../../server/game/events/service.ts";
import { lockExclusive } from "../../server/engine/store/locks.ts";
import type { Backend } from "../backend.ts";
import { mission, ORDER_PLACED, shop } from "../definitions.ts";
import { exact, type Reply } from "../http.ts";
import { startService } from "../listening.ts";
import { exportDefinitions, importDefinitions } from "../../server/authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../server/engine/environment.ts";

const service = await startService();
const { database } = service;
const ON = { discovery: { events: true, attributes: true } };
const at = "2026-01-31T09:00:00Z";
/** For requests that define nothing. */
const refusing = await service.sandbox(ON);
const refusingInShop = await service.sandbox({ ...shop(), ...ON });
const TIER_AND_PLAN = ["tier", "plan"].map((key) => ({ key, name: key, type: "String", active: key === "tier" }));
const refusingAttributes = await service.sandbox({ attributes: TIER_AND_PLAN, ...ON });

const codesOf = ({ json }: Reply, index = 0): string[] => json.results[index].errors.map(({ code }: { code: string }) => code);
/** A refused item reports every problem against the final definitions, after the discoveries of later items. */
const verdictsOf = (reply: Reply): string[] =>
  reply.json.results.map((_: unknown, index: number) => codesOf(reply, index)[0] ?? "accepted");
const text = (words: string, language = "en") => ({ default: language, texts: { [language]: words } });
const optional = (key: string, type: string) => ({ key, type, required: false });

/** The environment's definitions, as an export has them. */
const exported = async (backend: Backend): Promise<any> =>
  JSON.parse(JSON.stringify(await exportDefinitions(database, backend.environment)));
const eventOf = async (backend: Backend, key: string): Promise<any> => (await exported(backend)).events.find((one: any) => one.key === key);
const propertiesOf = async (backend: Backend, key: string): Promise<string[]> =>
  ((await eventOf(backend, key))?.properties ?? []).map((one: any) => `${one.key}: ${one.type}`);
const keysOf = async (backend: Backend, list: "events" | "attributes"): Promise<string[]> =>
  (await exported(backend))[list].map(({ key }: { key: string }) => key);
const versionOf = async ({ environment }: Backend): Promise<number> =>
  (await loadEnvironment(database.sql, environment.id))!.definitionsVersion;
const put = (backend: Backend, attributes: object, playerId = "ann"): Promise<Reply> =>
  backend.call("PUT", "/v1/attributes", { body: { playerId, attributes } });
const item = (event: string, properties: object = {}, more: object = {}) => ({ playerId: "ann", event, properties, ...more });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const objectOf = (count: number, prefix: string) => Object.fromEntries(many(count, (index) => [`${prefix}${index}`, index]));

describe("an undefined event", () => {
  test("is defined by its first occurrence: properties of their kinds in JSON, optional; a date is a string, null is nothing", async () => {
    const backend = await service.sandbox(ON);
    const properties = {
      table: "7",
      amount: exact("12.50"),
      tip: exact("12345678901234567890.12345678"),
      takeaway: false,
      pickup_at: at,
      waiter: null,
    };
    const [id] = await backend.send(item("lunch_ordered", properties));
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await eventOf(backend, "lunch_ordered")).toEqual({
      key: "lunch_ordered",
      name: text("Lunch ordered"),
      active: true,
      properties: [
        optional("table", "String"),
        optional("amount", "Number"),
        optional("tip", "Number"),
        optional("takeaway", "Boolean"),
        optional("pickup_at", "String"),
      ],
    });
  });

  test("counts from then on like any other", async () => {
    const backend = await service.sandbox(ON);
    await backend.play(item("lunch_ordered", { amount: 3 }));
    const sum = { event: "lunch_ordered", measure: { kind: "Sum", property: "amount" }, operator: "GreaterThanOrEqualTo", target: 10 };
    await backend.define({ missions: [mission("lunches", { objectives: [sum] })] });
    await backend.missions("ann");
    await backend.play(item("lunch_ordered", { amount: 4, size: "large" }));
    expect(await backend.counterValue("ann", "lunches")).toBe(4);
    await backend.play(item("lunch_ordered", { amount: 6 }));
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
  });

  test("has a name made of its key, in the project's default language", async () => {
    const backend = await service.sandbox(ON, { defaultLanguage: "nl" });
    await backend.send(item("order_2go"), item("a"), item("a__b_"), item("x_9_y"));
    const names = (await exported(backend)).events.map(({ name }: any) => name);
    expect(names).toEqual(["Order 2go", "A", "A b", "X 9 y"].map((name) => text(name, "nl")));
  });

  test.each(["Order", "1st", "_a", "a-b", "a b", "a.b", "é", "__proto__", "a".repeat(101), " order", "order\n"])(
    "cannot be created under the key %j, and the message says why",
    async (key) => {
      expect(codesOf(await refusing.batch(item(key), item("lunch", { [key]: 1 })))).toEqual(["event.not_found"]);
      const property = await refusing.batch(item("lunch", { [key]: 1 }));
      const attribute = await put(refusing, { [key]: 1 });
      expect(codesOf(property)).toEqual(["event.unknown_property"]);
      expect(codesOf(asItem(attribute))).toEqual(["player_attribute.not_found"]);
      expect(property.json.results[0].errors[0].message).toContain("none can have this key: a key is");
      expect(attribute.json.detail).toContain("none can have this key: a key is");
      expect(await exported(refusing)).toMatchObject({ events: [], attributes: [] });
    },
  );

  test("is created under any key that a file may have, up to 100 characters", async () => {
    const backend = await service.sandbox(ON);
    const longest = "a".repeat(100);
    await backend.send(item(longest, { [longest]: 1, constructor: 2, tostring: 3 }), item("constructor"));
    await backend.setAttributes("ann", { [longest]: 1, constructor: true });
    expect(await keysOf(backend, "events")).toEqual([longest, "constructor"]);
    expect(await propertiesOf(backend, longest)).toEqual([`${longest}: Number`, "constructor: Number", "tostring: Number"]);
    expect((await backend.get("/v1/attributes?PlayerId=ann")).json.attributes).toEqual({ [longest]: 1, constructor: true });
  });

  test("stays unknown with discovery off, and in the other environment", async () => {
    const { sandbox, live } = await service.customer();
    await sandbox.define({ ...shop(), discovery: { events: true, attributes: false } });
    await live.define({ ...shop(), discovery: { events: false, attributes: true } });
    await sandbox.send(item("lunch_ordered"), item("order_placed", { cups: 2 }));
    expect(codesOf(await live.batch(item("lunch_ordered"), item("order_placed", { cups: 2 })), 0)).toEqual(["event.not_found"]);
    expect(codesOf(await live.batch(item("order_placed", { cups: 2 })))).toEqual(["event.unknown_property"]);
    expect((await put(sandbox, { tier: "gold" })).code).toBe("player_attribute.not_found");
    expect((await put(live, { tier: "gold" })).status).toBe(200);
    expect(await keysOf(live, "events")).toEqual(shop().events.map(({ key }) => key));
  });

  test("is no longer discovered once discovery is switched off; existing ones stay", async () => {
    const backend = await service.sandbox(ON);
    await backend.send(item("lunch", { cups: 1 }));
    await backend.define({ discovery: { events: false, attributes: false } });
    await backend.send(item("lunch", { cups: 2 }));
    expect(codesOf(await backend.batch(item("lunch", { size: 1 })))).toEqual(["event.unknown_property"]);
    expect(codesOf(await backend.batch(item("dinner")))).toEqual(["event.not_found"]);
  });
});

/** A request's problem in the form of a batch's item, to compare both. */
const asItem = (reply: Reply): Reply => ({ ...reply, json: { results: [reply.json] } });

describe("an undefined property", () => {
  const needy = { key: "checked_in", name: "Checked in", properties: [{ key: "place", type: "String", required: true }] };

  test("is added to its event, after the existing ones", async () => {
    const backend = await service.sandbox({ ...shop(), ...ON });
    await backend.send(item("order_placed", { cups: 2, amount: 1 }), item("order_placed", { cups: 3, size: "large" }));
    expect((await eventOf(backend, "order_placed")).properties).toEqual([
      ...ORDER_PLACED.properties.map((one) => ({ ...one, required: false })),
      optional("cups", "Number"),
      optional("size", "String"),
    ]);
    expect((await eventOf(backend, "order_placed")).name).toEqual(text("Order placed"));
  });

  test("leaves defined properties alone: required, and of their type", async () => {
    const backend = await service.sandbox({ ...shop(), events: [needy, ORDER_PLACED], ...ON });
    const reply = await backend.batch(
      item("checked_in", { guests: 2 }),
      item("checked_in", { place: 4, guests: 2 }),
      item("order_placed", { amount: "4", cups: 1 }),
      item("checked_in", { place: "bar", seats: 2 }),
    );
    expect(many(4, (index) => codesOf(reply, index))).toEqual([
      ["event.property_missing"],
      ["event.property_type_mismatch"],
      ["event.property_type_mismatch"],
      [],
    ]);
    expect(await propertiesOf(backend, "checked_in")).toEqual(["place: String", "seats: Number"]);
  });

  test.each([[{ deep: 1 }], [["a"]], [[]], [{}]])("cannot be %j", async (value) => {
    expect(codesOf(await refusing.batch(item("lunch", { a: 1, bad: value })))).toEqual(["event.property_type_mismatch"]);
    expect(await keysOf(refusing, "events")).toEqual([]);
  });

  test.each(["100000000000000000000", "0.000000001", "1e400", "-1e20"])("cannot be the number %s", async (number) => {
    expect(codesOf(await refusing.batch(item("lunch", { a: 1, bad: exact(number) })))).toEqual(["event.property_value_out_of_range"]);
    expect(await keysOf(refusing, "events")).toEqual([]);
  });

  test("`__proto__` is refused, since it is no valid key; `valueof` is defined", async () => {
    const backend = await service.sandbox(ON);
    const body = `{"events":[{"playerId":"ann","event":"e","occurredAt":"${at}","properties":{"__proto__":1}},{"playerId":"ann","event":"f","occurredAt":"${at}","properties":{"valueof":1}}]}`;
    const reply = await backend.call("POST", "/v1/events", { body });
    expect([codesOf(reply, 0), codesOf(reply, 1)]).toEqual([["event.unknown_property"], []]);
    expect(await keysOf(backend, "events")).toEqual(["f"]);
  });
});

describe("once defined, the type is fixed", () => {
  test("within one batch: the first item defines, a later one of another type is refused", async () => {
    const backend = await service.sandbox(ON);
    const reply = await backend.batch(
      item("lunch", { cups: "two" }),
      item("lunch", { cups: 2 }),
      item("lunch", { size: true }),
      item("lunch", { size: "large", cups: "one" }),
      item("lunch", { cups: "three", size: false }),
    );
    expect(many(5, (index) => codesOf(reply, index))).toEqual([
      [],
      ["event.property_type_mismatch"],
      [],
      ["event.property_type_mismatch"],
      [],
    ]);
    expect(await propertiesOf(backend, "lunch")).toEqual(["cups: String", "size: Boolean"]);
  });

  test("in later batches, where a date is still a string", async () => {
    const backend = await service.sandbox(ON);
    await backend.send(item("lunch", { at, cups: 1 }));
    await backend.send(item("lunch", { at: "tomorrow", cups: 2 }));
    expect(codesOf(await backend.batch(item("lunch", { at: 5, cups: at })))).toEqual([
      "event.property_type_mismatch",
      "event.property_type_mismatch",
    ]);
  });

  test("and a switched-off event stays off", async () => {
    const backend = await service.sandbox(ON);
    await backend.send(item("lunch", { cups: 1 }));
    const [lunch] = (await exported(backend)).events;
    await backend.define({ events: [{ ...lunch, active: false }] });
    expect(codesOf(await backend.batch(item("lunch", { size: 1 })))).toEqual(["event.inactive"]);
    expect(await propertiesOf(backend, "lunch")).toEqual(["cups: Number"]);
  });
});

describe("an item that is refused defines nothing", () => {
  const long = "x".repeat(201);
  test.each<[string, object]>([
    ["player.external_id_missing", { playerId: " " }],
    ["player.external_id_too_long", { playerId: long }],
    ["event.occurred_at_missing", { occurredAt: null }],
    ["event.occurred_at_invalid", { occurredAt: "yesterday" }],
    ["event.idempotency_key_too_long", { idempotencyKey: long }],
    ["event.invalid", { idempotencyKey: 5 }],
    ["event.invalid", { properties: { bad: "\u0000" } }],
    ["event.unknown_property", { properties: { Bad: 1, good: 2 } }],
    ["event.property_type_mismatch", { properties: { good: 2, amount: "much" } }],
  ])("for %s: %j", async (code, wrong) => {
    const version = await versionOf(refusingInShop);
    expect(codesOf(await refusingInShop.batch(item("order_placed", { cups: 1 }, wrong)))).toEqual([code]);
    // The properties of an event that does not exist yet have no types.
    if (code !== "event.property_type_mismatch")
      expect(codesOf(await refusingInShop.batch(item("lunch", { cups: 1 }, wrong)))).toEqual([code]);
    expect(await versionOf(refusingInShop)).toBe(version);
    expect(await propertiesOf(refusingInShop, "order_placed")).toHaveLength(ORDER_PLACED.properties.length);
  });

  test("nor the definition of a refused item before it", async () => {
    const backend = await service.sandbox(ON);
    const reply = await backend.batch(item("lunch", { cups: 1, bad: [] }), item("lunch", { cups: "two" }));
    expect(verdictsOf(reply)).toEqual(["event.property_type_mismatch", "accepted"]);
    expect(await propertiesOf(backend, "lunch")).toEqual(["cups: String"]);
  });

  test("and every problem of it is listed", async () => {
    const backend = await service.sandbox(ON);
    const wrong = item("lunch", { Bad: 1, deep: {}, wide: exact("1e30"), good: 1 }, { occurredAt: 5, playerId: "" });
    expect(codesOf(await backend.batch(wrong))).toEqual([
      "player.external_id_missing",
      "event.invalid",
      "event.unknown_property",
      "event.property_type_mismatch",
      "event.property_value_out_of_range",
    ]);
  });
});

describe("a replay", () => {
  test("of an event in the log is answered with its id, and defines nothing", async () => {
    const backend = await service.sandbox(ON);
    const [id] = await backend.send(item("lunch", { cups: 1 }, { idempotencyKey: "k" }));
    expect(await backend.send(item("lunch", { cups: 1, size: 2 }, { idempotencyKey: "k" }))).toEqual([id]);
    expect(await backend.send(item("lunch", { cups: "one" }, { idempotencyKey: "k" }))).toEqual([id]);
    expect(await propertiesOf(backend, "lunch")).toEqual(["cups: Number"]);
  });

  test("of an event in its own batch defines nothing either", async () => {
    const backend = await service.sandbox(ON);
    const keyed = (properties: object) => item("lunch", properties, { idempotencyKey: "k" });
    const ids = await backend.send(keyed({ cups: 1 }), keyed({ size: 1 }), item("lunch", { size: "large" }), keyed({ cups: true }));
    expect([ids[1], ids[3]]).toEqual([ids[0], ids[0]]);
    expect(await propertiesOf(backend, "lunch")).toEqual(["cups: Number", "size: String"]);
  });

  test("is recognised after a refused first attempt, which uses no key up", async () => {
    const backend = await service.sandbox(ON);
    const keyed = (properties: object) => item("lunch", properties, { idempotencyKey: "k" });
    const reply = await backend.batch(keyed({ cups: [] }), keyed({ cups: 1 }), keyed({ cups: 2 }));
    const [first, second, third] = reply.json.results;
    expect([first.accepted, second.accepted, third.eventId]).toEqual([false, true, second.eventId]);
    expect(await backend.send(keyed({ other: 5 }))).toEqual([second.eventId]);
    expect(await propertiesOf(backend, "lunch")).toEqual(["cups: Number"]);
  });
});

describe("the limits", () => {
  const LIMIT = /no more are defined by their first/;

  test("500 events are created this way, besides any defined by people; the next is event.not_found and says why", async () => {
    const authored = many(30, (index) => ({ key: `authored_${index}`, name: "Authored" }));
    const backend = await service.sandbox({ events: authored, ...ON });
    await backend.send(...many(490, (index) => item(`found_${index}`)));
    const reply = await backend.batch(...many(12, (index) => item(`more_${index}`)), item("found_1"), item("more_11"));
    expect(many(14, (index) => codesOf(reply, index))).toEqual([
      ...many(10, () => []),
      ["event.not_found"],
      ["event.not_found"],
      [],
      ["event.not_found"],
    ]);
    expect(reply.json.results[10].errors[0].message).toMatch(LIMIT);
    expect(await keysOf(backend, "events")).toHaveLength(530);

    const version = await versionOf(backend);
    const file = await exported(backend);
    expect(await importDefinitions(database, backend.environment, file)).toMatchObject({ changes: [] });
    file.events.forEach((event: any) => (event.name = text("Edited")));
    await backend.define({ events: file.events });
    expect(codesOf(await backend.batch(item("one_more")))).toEqual(["event.not_found"]);
    await backend.define({ events: [{ key: "one_more", name: "One more" }] });
    await backend.send(item("one_more", { cups: 1 }));
    expect(await versionOf(backend)).toBe(version + 3);
  });

  test("100 properties of an event are created this way, likewise", async () => {
    const backend = await service.sandbox({ ...shop(), ...ON });
    await backend.send(item("order_placed", objectOf(95, "found_")));
    const reply = await backend.batch(
      item("order_placed", objectOf(6, "more_")),
      item("order_placed", objectOf(5, "fit_")),
      item("order_placed", { amount: 1, one_more: 1 }),
      item("order_placed", { amount: 1, fit_0: 1 }),
    );
    expect(verdictsOf(reply)).toEqual(["event.unknown_property", "accepted", "event.unknown_property", "accepted"]);
    expect(reply.json.results[2].errors[0].message).toMatch(LIMIT);
    expect(await propertiesOf(backend, "order_placed")).toHaveLength(104);
    expect(codesOf(await backend.batch(item("lunch", objectOf(101, "p"))))).toEqual(["event.unknown_property"]);
    await backend.send(item("lunch", objectOf(100, "p")));

    const { events } = await exported(backend);
    await backend.define({
      events: events.map((event: any) => ({ ...event, properties: [...event.properties, optional("by_hand", "Number")] })),
    });
    await backend.send(item("order_placed", { by_hand: 1 }), item("lunch", { by_hand: 1 }));
    expect(codesOf(await backend.batch(item("lunch", { one_more: 1 })))).toEqual(["event.unknown_property"]);
  });

  test("an event never gets more properties than its limit, so that its definition can be read again", async () => {
    const properties = many(995, (index) => optional(`authored_${index}`, "Number"));
    const backend = await service.sandbox({ events: [{ key: "wide", name: "Wide", properties }], ...ON });
    const reply = await backend.batch(item("wide", objectOf(6, "more_")), item("wide", objectOf(5, "fit_")), item("wide", { last: 1 }));
    expect(verdictsOf(reply)).toEqual(["event.unknown_property", "accepted", "event.unknown_property"]);
    expect(await propertiesOf(backend, "wide")).toHaveLength(1_000);
  });

  test("removing discovered properties from an event makes room for others", async () => {
    const backend = await service.sandbox(ON);
    await backend.send(item("lunch", objectOf(100, "p")));
    const [lunch] = (await exported(backend)).events;
    await backend.define({ events: [{ ...lunch, properties: lunch.properties.slice(0, 99) }] });
    await backend.send(item("lunch", { better: true }));
    expect(codesOf(await backend.batch(item("lunch", { p99: 1 })))).toEqual(["event.unknown_property"]);
  });

  test("500 attributes are created this way; a request with one more defines and writes nothing", async () => {
    const backend = await service.sandbox({ attributes: [{ key: "tier", name: "Tier", type: "String" }], ...ON });
    await backend.setAttributes("ann", objectOf(499, "found_"));
    const refused = await put(backend, { tier: "gold", fits: 1, one_more: 1 }, "bob");
    expect([refused.status, refused.code, refused.json.errors.length]).toEqual([400, "player_attribute.not_found", 1]);
    expect(refused.json.errors[0]).toMatchObject({ pointer: "#/attributes/one_more", message: expect.stringMatching(LIMIT) });
    expect((await backend.adjust("bob", 1)).code).toBe("player.not_found");
    expect(await keysOf(backend, "attributes")).toHaveLength(500);
    await backend.setAttributes("ann", { fits: 1 });
    expect((await put(backend, { one_more: 1 })).code).toBe("player_attribute.not_found");
    expect(await importDefinitions(database, backend.environment, await exported(backend))).toMatchObject({ changes: [] });
    expect((await put(backend, { one_more: 1 })).code).toBe("player_attribute.not_found");
  });
});

describe("an undefined attribute", () => {
  test("is defined by its first value, as a number, a boolean or a text, and held to that type afterwards", async () => {
    const backend = await service.sandbox(ON, { defaultLanguage: "nl" });
    const values = { age: 42, is_member: true, born_on: at, home_city: { value: "Gent", occurredAt: at } };
    expect(await backend.setAttributes("ann", values)).toEqual({
      age: "Changed",
      is_member: "Changed",
      born_on: "Changed",
      home_city: "Changed",
    });
    expect((await exported(backend)).attributes).toEqual([
      { key: "age", name: text("Age", "nl"), active: true, type: "Number" },
      { key: "is_member", name: text("Is member", "nl"), active: true, type: "Boolean" },
      { key: "born_on", name: text("Born on", "nl"), active: true, type: "String" },
      { key: "home_city", name: text("Home city", "nl"), active: true, type: "String" },
    ]);
    const { json } = await put(backend, { age: "42", is_member: 1, born_on: 5 });
    expect(json.errors.map(({ code }: any) => code)).toEqual(many(3, () => "player_attribute.type_mismatch"));
    await backend.setAttributes("ann", { born_on: "in May" });
    expect((await backend.get("/v1/attributes?PlayerId=ann")).json.attributes).toEqual({
      age: 42,
      is_member: true,
      born_on: "in May",
      home_city: "Gent",
    });
  });

  test.each<[string, object]>([
    ["request.invalid", { fresh: null }],
    ["request.invalid", { fresh: { occurredAt: at } }],
    ["player_attribute.not_found", { Fresh: 1 }],
    ["player_attribute.type_mismatch", { fresh: [1] }],
    ["player_attribute.type_mismatch", { fresh: { value: {} } }],
    ["player_attribute.type_mismatch", { tier: 5 }],
    ["player_attribute.inactive", { plan: "free" }],
    ["player_attribute.value_out_of_range", { fresh: exact("1e20") }],
    ["player_attribute.occurred_at_invalid", { fresh: { value: 1, occurredAt: "now" } }],
  ])("stays undefined if the request is refused: %s, %j", async (code, wrong) => {
    const version = await versionOf(refusingAttributes);
    expect((await put(refusingAttributes, { ...wrong, good: 1 })).code).toBe(code);
    expect((await put(refusingAttributes, { good: 1, ...wrong })).json.errors).toHaveLength(1);
    expect(await versionOf(refusingAttributes)).toBe(version);
    expect(await keysOf(refusingAttributes, "attributes")).toEqual(["tier", "plan"]);
    expect((await refusingAttributes.adjust("ann", 1)).code).toBe("player.not_found");
  });

  test("advances missions that are created over it later", async () => {
    const backend = await service.sandbox(ON);
    await backend.setAttributes("ann", { visits: 3 });
    const objective = { attribute: "visits", operator: "GreaterThanOrEqualTo", target: 4 };
    await backend.define({ missions: [mission("regular", { objectives: [objective] })] });
    expect(await backend.counterValue("ann", "regular")).toBe(3);
    await backend.setAttributes("ann", { visits: 4 });
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
  });
});

describe("a discovered definition is like any other", () => {
  test("exported, imported elsewhere and exported again it is the same, and imported again it changes nothing", async () => {
    const { sandbox, live } = await service.customer();
    await sandbox.define({ ...shop(), ...ON });
    await sandbox.send(item("lunch", { cups: 1, at }), item("order_placed", { size: "large" }));
    await sandbox.setAttributes("ann", { age: 4 });
    const file = await exported(sandbox);
    await live.define(file);
    expect(await exported(live)).toEqual(file);
    expect(await importDefinitions(database, sandbox.environment, file)).toMatchObject({ changes: [] });
  });

  test("people may edit it, but not its type", async () => {
    const backend = await service.sandbox(ON);
    await backend.send(item("lunch", { at }));
    const [lunch] = (await exported(backend)).events;
    const retyped = { version: 1, events: [{ ...lunch, properties: [optional("at", "DateTime")] }] };
    expect(await importDefinitions(database, backend.environment, retyped)).toHaveProperty("problems");
    await backend.define({ events: [{ ...lunch, name: "Lunch!", properties: [{ ...lunch.properties[0], required: true }] }] });
    expect(codesOf(await backend.batch(item("lunch")))).toEqual(["event.property_missing"]);
    expect(codesOf(await backend.batch(item("lunch", { size: 2 })))).toEqual(["event.property_missing"]);
    await backend.send(item("lunch", { at, size: 2 }));
    expect((await eventOf(backend, "lunch")).name).toEqual(text("Lunch!"));
  });

  test("an ordinary batch keeps the version, and does not wait for changes of definitions", async () => {
    const backend = await service.sandbox({ ...shop(), ...ON });
    await backend.send(item("lunch", { cups: 1 }), item("order_placed", { amount: 1 }));
    const version = await versionOf(backend);
    await database.sql.begin(async (tx) => {
      await lockExclusive(tx, backend.environment.id);
      await backend.send(item("lunch", { cups: 2 }), item("lunch"), item("order_placed", { amount: 2 }));
      await backend.batch(item("lunch", { cups: "two" }), item("Lunch"), item("order_placed", { "": 1 }));
    });
    expect(await versionOf(backend)).toBe(version);
  });
});

describe("two concurrent requests", () => {
  /** As in another process: connections of its own. */
  async function withAnotherPool<T>(
    run: (send: (backend: Backend, ...items: object[]) => Promise<ItemResult[]>) => Promise<T>,
  ): Promise<T> {
    const other = openDatabase(addressOf(service.database));
    try {
      return await run(async ({ environment }, ...items) => {
        const latest = (await loadEnvironment(other.sql, environment.id))!;
        const full = items.map((one) => ({ occurredAt: at, ...one }));
        return ingest(other, latest, { items: full, mayHoldBadText: false, now: Date.now() });
      });
    } finally {
      await other.close();
    }
  }

  test("of batches that define the same thing one wins, and the others are judged by it", async () => {
    const backend = await service.sandbox(ON);
    const valueOf = (index: number) => (index % 2 === 0 ? index : `${index}`);
    const results = await withAnotherPool((send) =>
      Promise.all(
        many(32, async (index) => {
          const own = item("lunch", { cups: valueOf(index), [`only_${index}`]: true }, { playerId: `p${index}` });
          return index % 4 < 2 ? (await backend.batch(own)).json.results[0] : (await send(backend, own))[0];
        }),
      ),
    );
    const [type] = (await propertiesOf(backend, "lunch")).filter((one) => one.startsWith("cups"));
    const winners = many(32, (index) => index).filter(
      (index) => (typeof valueOf(index) === "number" ? "cups: Number" : "cups: String") === type,
    );
    expect(winners).toHaveLength(16);
    for (const [index, { accepted, errors }] of results.entries()) {
      const codes = errors.map(({ code }: { code: string }) => code);
      expect([accepted, codes]).toEqual(winners.includes(index) ? [true, []] : [false, ["event.property_type_mismatch"]]);
    }
    expect(await keysOf(backend, "events")).toEqual(["lunch"]);
    expect((await propertiesOf(backend, "lunch")).sort()).toEqual([type, ...winners.map((index) => `only_${index}: Boolean`)].sort());
  });

  test("batches that define different things define all of them, once each", async () => {
    const backend = await service.sandbox({
      ...shop(mission("many", { objectives: [{ event: "order_placed", operator: "GreaterThan", target: 99 }] })),
      ...ON,
    });
    await backend.missions("ann");
    const both = (index: number) => [
      item("order_placed", { [`p${index}`]: 1 }),
      item(`event_${index}`, { shared: 1 }),
      item("shared", { [`p${index}`]: "" }),
    ];
    await withAnotherPool((send) =>
      Promise.all(
        many(24, async (index) => {
          if (index % 2 === 0) return backend.send(...both(index));
          const results = await send(backend, ...both(index));
          return expect(results.map(({ accepted }) => accepted)).toEqual([true, true, true]);
        }),
      ),
    );
    await backend.applied();
    expect(await backend.counterValue("ann", "many")).toBe(24);
    const { events } = await exported(backend);
    expect(events).toHaveLength(shop().events.length + 24 + 1);
    expect(new Set(events.map(({ key }: any) => key)).size).toBe(events.length);
    expect(await propertiesOf(backend, "shared")).toHaveLength(24);
    expect(await propertiesOf(backend, "order_placed")).toHaveLength(ORDER_PLACED.properties.length + 24);
  });

  test("concurrent batches stay within the limit", async () => {
    const backend = await service.sandbox(ON);
    const batches = await Promise.all(many(6, (batch) => backend.batch(...many(90, (index) => item(`of_${batch}_${index}`)))));
    expect(await keysOf(backend, "events")).toHaveLength(500);
    expect(batches.reduce((sum, { json }) => sum + json.accepted, 0)).toBe(500);
    for (const reply of batches) expect(verdictsOf(reply).filter((one) => one !== "accepted" && one !== "event.not_found")).toEqual([]);
  });

  test("attributes too: a request that lost the race defines none of its other attributes", async () => {
    const backend = await service.sandbox(ON);
    const valueOf = (index: number) => (index % 2 === 0 ? index : `${index}`);
    const replies = await Promise.all(many(16, (index) => put(backend, { [`only_${index}`]: 1, level: valueOf(index) }, `p${index}`)));
    const attributes = (await exported(backend)).attributes;
    const { type } = attributes.find(({ key }: any) => key === "level");
    const winners = many(16, (index) => index).filter((index) => typeof valueOf(index) === type.toLowerCase());
    expect(replies.map(({ status }) => status === 200)).toEqual(many(16, (index) => winners.includes(index)));
    for (const { status, code, json } of replies) {
      if (status === 200) expect(Object.values(json.results)).toEqual(["Changed", "Changed"]);
      else
        expect([code, json.errors]).toEqual([
          "player_attribute.type_mismatch",
          [expect.objectContaining({ pointer: "#/attributes/level" })],
        ]);
    }
    expect(attributes.map(({ key }: any) => key).sort()).toEqual(["level", ...winners.map((index) => `only_${index}`)].sort());
  });

  test("while events stream, attributes are set and definitions imported, nothing is lost, refused or stuck", async () => {
    const orders = { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 10_000 };
    const backend = await service.sandbox({ ...shop(mission("many", { objectives: [orders] })), ...ON });
    await backend.missions("ann");
    const ROUNDS = 12;
    await Promise.all([
      ...many(4, async (stream) => {
        for (let round = 0; round < ROUNDS; round++) {
          await backend.send(
            item("order_placed", { [`s${stream}_${round}`]: 1 }),
            item("order_placed", { amount: 1 }),
            item(`e${stream}_${round}`),
          );
        }
      }),
      (async () => {
        for (let round = 0; round < ROUNDS; round++) await backend.setAttributes("ann", { [`a${round}`]: round });
      })(),
      (async () => {
        for (let round = 0; round < ROUNDS; round++)
          await backend.define({ missions: [mission("many", { objectives: [orders], name: `Round ${round}` })] });
      })(),
    ]);
    await backend.applied();
    expect(await backend.counterValue("ann", "many")).toBe(4 * ROUNDS * 2);
    expect(await keysOf(backend, "events")).toHaveLength(shop().events.length + 4 * ROUNDS);
    expect(Object.keys((await backend.get("/v1/attributes?PlayerId=ann")).json.attributes)).toHaveLength(ROUNDS);
  });
});
