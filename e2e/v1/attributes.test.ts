import { describe, expect, test } from "vitest";
import { resetSandbox } from "../../server/operations/sandbox/reset.ts";
import type { Backend } from "../backend.ts";
import { atLeast, mission, shop } from "../definitions.ts";
import { exact, type Reply } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const attribute = (key: string, type: string, more: object = {}) => ({ key, name: key, type, ...more });
const ATTRIBUTES = [
  attribute("tier", "String"),
  attribute("visits", "Number"),
  attribute("is_member", "Boolean"),
  attribute("born_at", "DateTime"),
  attribute("retired", "String", { active: false }),
  attribute("constructor", "String"),
];
const backend = await service.sandbox({ attributes: ATTRIBUTES });

const put = (body: unknown, to: Backend = backend): Promise<Reply> => to.call("PUT", "/v1/attributes", { body });
const write = (playerId: string, attributes: object): Promise<Record<string, string>> => backend.setAttributes(playerId, attributes);
const readReply = (playerId: string, from: Backend = backend): Promise<Reply> =>
  from.get(`/v1/attributes?PlayerId=${encodeURIComponent(playerId)}`);
const read = async (playerId: string, from: Backend = backend): Promise<Record<string, unknown>> =>
  (await readReply(playerId, from)).json.attributes;
const isKnown = async (playerId: string): Promise<boolean> => (await backend.adjust(playerId, 1)).code !== "player.not_found";
/** Code and pointer of every problem, in order. */
const problemsOf = ({ json }: Reply): string[][] => json.errors.map(({ code, pointer }: any) => [code, pointer]);
const since = (value: unknown, occurredAt: unknown) => ({ value, occurredAt });
const day = (number: number, time = "09:00:00Z") => `2026-01-${String(number).padStart(2, "0")}T${time}`;

let players = 0;
const HOUR = 3_600_000;
const at = (instant: number): string => new Date(instant).toISOString();
const someone = (): string => `player-${++players}`;

describe("a write", () => {
  test("sets bare values and dated ones, creates the player, and is read back", async () => {
    const playerId = someone();
    expect(await isKnown(playerId)).toBe(false);
    const results = await write(playerId, {
      tier: "gold",
      visits: since(3, day(1)),
      is_member: true,
      born_at: since("1990-05-06T07:08:09Z", null),
    });
    expect(results).toEqual({ tier: "Changed", visits: "Changed", is_member: "Changed", born_at: "Changed" });
    expect(Object.keys(results)).toEqual(["tier", "visits", "is_member", "born_at"]);
    expect(await read(playerId)).toEqual({ tier: "gold", visits: 3, is_member: true, born_at: "1990-05-06T07:08:09.000Z" });
    expect(await isKnown(playerId)).toBe(true);
  });

  test("without attributes creates the player", async () => {
    const playerId = someone();
    expect(await write(playerId, {})).toEqual({});
    expect(await isKnown(playerId)).toBe(true);
    expect(await read(playerId)).toEqual({});
  });

  test("leaves other attributes, other players and the other environment as they are", async () => {
    const { sandbox, live } = await service.customer();
    for (const one of [sandbox, live]) await one.define({ attributes: ATTRIBUTES });
    await sandbox.setAttributes("ann", { tier: "gold", visits: 1 });
    await sandbox.setAttributes("ann", { tier: "silver" });
    await sandbox.setAttributes("bob", { tier: "bronze" });
    expect([await read("ann", sandbox), await read("bob", sandbox), await read("ann", live)]).toEqual([
      { tier: "silver", visits: 1 },
      { tier: "bronze" },
      {},
    ]);
  });

  test("takes any text: empty, blank, long, in any script", async () => {
    const playerId = someone();
    for (const tier of ["", " ", "null", "0", "👩‍🚀 té", "x".repeat(50_000), '{"value":1}', "2026-01-31T09:00:00Z"]) {
      await write(playerId, { tier });
      expect(await read(playerId)).toEqual({ tier });
    }
  });

  test("ignores members that it does not know", async () => {
    const playerId = someone();
    const body = { playerId, attributes: { tier: { value: "gold", since: 5, occurredAt: day(1), type: 7 } }, environment: "live" };
    expect((await put(body)).json).toEqual({ results: { tier: "Changed" } });
  });

  test("with a key twice in one body takes the last value", async () => {
    const playerId = someone();
    expect((await put(`{"playerId":"${playerId}","attributes":{"tier":"gold","tier":"silver"}}`)).json.results).toEqual({
      tier: "Changed",
    });
    expect(await read(playerId)).toEqual({ tier: "silver" });
  });
});

describe("Changed, Unchanged, Stale", () => {
  const steps = async (...values: unknown[]): Promise<string[]> => {
    const playerId = someone();
    const results: string[] = [];
    for (const value of values) results.push((await write(playerId, { tier: value }))["tier"]!);
    return [...results, String((await read(playerId))["tier"])];
  };

  test("the newer value wins by occurredAt, however late it arrives", async () => {
    expect(await steps(since("silver", day(2)), since("gold", day(3)), since("bronze", day(1)))).toEqual([
      "Changed",
      "Changed",
      "Stale",
      "gold",
    ]);
  });

  test("an older instant is Stale for any value", async () => {
    expect(await steps(since("gold", day(2)), since("gold", day(1)), since("gold", day(2, "08:59:59.999Z")))).toEqual([
      "Changed",
      "Stale",
      "Stale",
      "gold",
    ]);
  });

  test("the same value again is Unchanged and keeps the instant at which it first became true", async () => {
    expect(await steps(since("gold", day(1)), since("gold", day(9)), since("gold", day(1)), since("silver", day(5)))).toEqual([
      "Changed",
      "Unchanged",
      "Unchanged",
      "Changed",
      "silver",
    ]);
    expect(await steps("gold", "gold", since("silver", day(1)))).toEqual(["Changed", "Unchanged", "Stale", "gold"]);
  });

  test("at an equal instant another value is Changed, however the instant is written", async () => {
    expect(await steps(since("gold", day(1)), since("silver", day(1)), since("gold", "2026-01-01T10:00:00.000+01:00"))).toEqual([
      "Changed",
      "Changed",
      "Changed",
      "gold",
    ]);
  });

  test("fractions of a millisecond do not make an instant newer or older", async () => {
    expect(await steps(since("gold", day(1, "09:00:00.0009Z")), since("silver", day(1, "09:00:00.0001Z")))).toEqual([
      "Changed",
      "Changed",
      "silver",
    ]);
    expect(await steps(since("gold", day(1, "09:00:00.001Z")), since("silver", day(1, "09:00:00.0009Z")))).toEqual([
      "Changed",
      "Stale",
      "gold",
    ]);
  });

  test("a value dated ahead wins over one dated now; one dated more than 24 hours ahead is refused", async () => {
    const ahead = Date.now() + 23 * HOUR;
    expect(await steps(since("gold", at(ahead)), "silver", since("bronze", at(ahead + 1)))).toEqual([
      "Changed",
      "Stale",
      "Changed",
      "bronze",
    ]);
    const reply = await put({ playerId: someone(), attributes: { visits: 1, tier: since("gold", at(Date.now() + 25 * HOUR)) } });
    expect(problemsOf(reply)).toEqual([["request.invalid", "#/attributes/tier/occurredAt"]]);
  });

  test("the earliest and the latest allowed instants are compared to the millisecond", async () => {
    const end = Date.now() + 23 * HOUR;
    expect(
      await steps(
        since("a", "0001-01-01T00:00:00Z"),
        since("b", "0001-01-01T00:00:00.001Z"),
        since("c", "0001-01-01T00:00:00Z"),
        since("d", at(end)),
        since("e", at(end + 1)),
        since("f", at(end)),
      ),
    ).toEqual(["Changed", "Changed", "Stale", "Changed", "Changed", "Stale", "e"]);
  });

  test("each key has a result of its own", async () => {
    const playerId = someone();
    await write(playerId, { tier: since("gold", day(5)), visits: since(1, day(5)) });
    const results = await write(playerId, { visits: since(1, day(6)), tier: since("silver", day(4)), is_member: false });
    expect(results).toEqual({ visits: "Unchanged", tier: "Stale", is_member: "Changed" });
    expect(await read(playerId)).toEqual({ tier: "gold", visits: 1, is_member: false });
  });

  test("false, 0 and the empty text are values", async () => {
    const playerId = someone();
    const values = { tier: "", visits: 0, is_member: false };
    expect(await write(playerId, values)).toEqual({ tier: "Changed", visits: "Changed", is_member: "Changed" });
    expect(await write(playerId, values)).toEqual({ tier: "Unchanged", visits: "Unchanged", is_member: "Unchanged" });
    expect(await read(playerId)).toEqual(values);
  });
});

describe("numbers are exact", () => {
  test.each([
    ["12345678901234567890.12345678", "12345678901234567890.12345678"],
    ["99999999999999999999.99999999", "99999999999999999999.99999999"],
    ["-99999999999999999999.99999999", "-99999999999999999999.99999999"],
    ["9007199254740993", "9007199254740993"],
    ["0.1", "0.1"],
    ["0.00000001", "0.00000001"],
    ["123456789.12345678", "123456789.12345678"],
    ["1e2", "100"],
    ["1.5E+3", "1500"],
    ["12e-8", "0.00000012"],
    ["-0", "0"],
    ["-0.0", "0"],
    ["1.50", "1.5"],
    ["0.100000000000", "0.1"],
    ["99999999999999999999.999999990000000", "99999999999999999999.99999999"],
    ["1e19", "10000000000000000000"],
    ["0e999", "0"],
  ])("%s is stored and read back as %s", async (sent, shown) => {
    const playerId = someone();
    await write(playerId, { visits: exact(sent) });
    expect((await readReply(playerId)).text).toBe(`{"attributes":{"visits":${shown}}}`);
    expect(await write(playerId, { visits: exact(shown) })).toEqual({ visits: "Unchanged" });
    expect(await write(playerId, { visits: since(exact(sent), at(Date.now() + 23 * HOUR)) })).toEqual({ visits: "Unchanged" });
  });

  test("values that a double cannot distinguish are different", async () => {
    const playerId = someone();
    await write(playerId, { visits: exact("12345678901234567890.12345678") });
    expect(await write(playerId, { visits: exact("12345678901234567890.12345679") })).toEqual({ visits: "Changed" });
    expect(await write(playerId, { visits: exact("12345678901234567890.12345679") })).toEqual({ visits: "Unchanged" });
  });

  test.each(["100000000000000000000", "1e20", "-1e20", "0.000000001", "1.000000001", "1e400", "-1e400", "1e-9"])(
    "%s is out of range, and nothing is written",
    async (number) => {
      const playerId = someone();
      const reply = await put({ playerId, attributes: { tier: "gold", visits: exact(number) } });
      expect([reply.status, reply.code, problemsOf(reply)]).toEqual([
        400,
        "player_attribute.value_out_of_range",
        [["player_attribute.value_out_of_range", "#/attributes/visits"]],
      ]);
      expect(await isKnown(playerId)).toBe(false);
    },
  );
});

describe("an instant as a value", () => {
  test.each([
    ["2026-06-01T12:00:00+02:00", "2026-06-01T10:00:00.000Z"],
    ["2026-06-01t10:00:00.123456z", "2026-06-01T10:00:00.123Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is read back as %s, and is the same value", async (sent, shown) => {
    const playerId = someone();
    await write(playerId, { born_at: sent });
    expect(await read(playerId)).toEqual({ born_at: shown });
    expect(await write(playerId, { born_at: shown })).toEqual({ born_at: "Unchanged" });
  });

  test.each(["2026-06-01T12:00:00", "2026-06-01", "2026-02-30T00:00:00Z", "now", "", 1_767_225_600, true])(
    "%j is refused",
    async (born_at) => {
      expect((await put({ playerId: someone(), attributes: { born_at } })).code).toBe("player_attribute.type_mismatch");
    },
  );
});

describe("all or nothing", () => {
  test.each<[string, string, object]>([
    ["player_attribute.not_found", "nope", { nope: 1 }],
    ["player_attribute.not_found", "Tier", { Tier: "gold" }],
    ["player_attribute.inactive", "retired", { retired: "x" }],
    ["player_attribute.type_mismatch", "tier", { tier: 5 }],
    ["player_attribute.type_mismatch", "tier", { tier: ["gold"] }],
    ["player_attribute.type_mismatch", "tier", { tier: { value: { deep: 1 } } }],
    ["player_attribute.type_mismatch", "visits", { visits: "5" }],
    ["player_attribute.type_mismatch", "is_member", { is_member: 1 }],
    ["player_attribute.type_mismatch", "is_member", { is_member: since("true", day(1)) }],
    ["player_attribute.occurred_at_invalid", "tier", { tier: since("gold", "2026-01-01T00:00:00") }],
    ["player_attribute.occurred_at_invalid", "tier", { tier: since("gold", 5) }],
    ["player_attribute.occurred_at_invalid", "tier", { tier: since("gold", "") }],
    ["request.invalid", "tier", { tier: null }],
  ])("%s for %s: %j", async (code, key, wrong) => {
    const [known, unknown] = [someone(), someone()];
    await write(known, { visits: 1, is_member: true, tier: "silver" });
    const sound = Object.fromEntries(Object.entries({ visits: 2, is_member: false }).filter(([name]) => !(name in wrong)));
    for (const playerId of [known, unknown]) {
      for (const attributes of [
        { ...sound, ...wrong },
        { ...wrong, ...sound },
      ]) {
        const reply = await put({ playerId, attributes });
        expect([reply.status, reply.code]).toEqual([400, code]);
        expect(reply.json.detail).toContain(key);
        expect(problemsOf(reply)).toEqual([[code, `#/attributes/${key}`]]);
      }
    }
    expect(await read(known)).toEqual({ visits: 1, is_member: true, tier: "silver" });
    expect(await isKnown(unknown)).toBe(false);
  });

  test("every problem is listed, in the order sent, also with one of the player id", async () => {
    const attributes = {
      nope: since(1, "never"),
      tier: since(5, "never"),
      visits: exact("1e30"),
      born_at: { occurredAt: "never" },
      is_member: null,
      retired: "x",
    };
    const expected = [
      ["player_attribute.not_found", "#/attributes/nope"],
      ["player_attribute.occurred_at_invalid", "#/attributes/nope"],
      ["player_attribute.type_mismatch", "#/attributes/tier"],
      ["player_attribute.occurred_at_invalid", "#/attributes/tier"],
      ["player_attribute.value_out_of_range", "#/attributes/visits"],
      ["request.invalid", "#/attributes/born_at/value"],
      ["player_attribute.occurred_at_invalid", "#/attributes/born_at"],
      ["request.invalid", "#/attributes/is_member"],
      ["player_attribute.inactive", "#/attributes/retired"],
    ];
    expect(problemsOf(await put({ attributes, playerId: "ann" }))).toEqual(expected);
    for (const [code, wrong] of [
      ["player.external_id_missing", {}],
      ["player.external_id_missing", { playerId: null }],
      ["player.external_id_missing", { playerId: " " }],
      ["player.external_id_too_long", { playerId: "x".repeat(201) }],
      ["request.invalid", { playerId: 7 }],
    ] as const) {
      const reply = await put({ attributes, ...wrong });
      expect([reply.code, problemsOf(reply)]).toEqual([code, [[code, "#/playerId"], ...expected]]);
    }
  });

  test.each<[string, unknown]>([
    ["player.external_id_missing", { attributes: { tier: "gold" } }],
    ["player.external_id_too_long", { playerId: "x".repeat(201), attributes: {} }],
    ["request.invalid", { playerId: "ann" }],
    ["request.invalid", { playerId: "ann", attributes: null }],
    ["request.invalid", { playerId: "ann", attributes: [] }],
    ["request.invalid", { playerId: "ann", attributes: [{ tier: "gold" }] }],
    ["request.invalid", { playerId: "ann", attributes: "tier" }],
    ["request.invalid", { playerId: "ann", attributes: 7 }],
    ["request.invalid", []],
    ["request.invalid", "attributes"],
    ["request.invalid", 7],
    ["request.malformed", "{"],
  ])("%s: %j", async (code, body) => {
    const reply = await put(code === "request.malformed" ? body : JSON.stringify(body));
    expect([reply.status, reply.code]).toEqual([400, code]);
  });

  test("both missing members are reported together", async () => {
    expect(problemsOf(await put({}))).toEqual([
      ["player.external_id_missing", "#/playerId"],
      ["request.invalid", "#/attributes"],
    ]);
  });

  test("a player id of 200 characters is accepted, with any characters", async () => {
    const playerId = "🦊".repeat(200);
    await write(playerId, { tier: "gold" });
    expect(await read(playerId)).toEqual({ tier: "gold" });
  });

  test("keys are any text: names of object members, characters that pointers escape, long ones", async () => {
    const playerId = someone();
    expect(await write(playerId, { constructor: "mine" })).toEqual({ constructor: "Changed" });
    expect(Object.entries(await read(playerId))).toEqual([["constructor", "mine"]]);
    const reply = await put(`{"playerId":"${playerId}","attributes":{"__proto__":"x","toString":"y","a/b~c%d é":"z","":1}}`);
    expect(problemsOf(reply)).toEqual([
      ["player_attribute.not_found", "#/attributes/__proto__"],
      ["player_attribute.not_found", "#/attributes/toString"],
      ["player_attribute.not_found", "#/attributes/a~1b~0c%25d%20%C3%A9"],
      ["player_attribute.not_found", "#/attributes/"],
    ]);
    expect(
      (await put(`{"playerId":"${playerId}","attributes":{"__proto__":null,"hasOwnProperty":{"value":null}}}`)).json.errors[0],
    ).toMatchObject({
      code: "request.invalid",
      pointer: "#/attributes/__proto__",
    });
    const long = await put({ playerId, attributes: { ["k".repeat(5_000)]: 1 } });
    expect([long.code, long.json.detail.length < 300, long.json.errors[0].pointer.length]).toEqual([
      "player_attribute.not_found",
      true,
      "#/attributes".length,
    ]);
  });

  test("a NUL or a lone surrogate is refused, in a value and in a key", async () => {
    for (const attributes of ['{"tier":"a\\u0000"}', '{"tier":{"value":"\\ud800"}}', '{"ti\\u0000er":"a"}']) {
      const reply = await put(`{"playerId":"ann","attributes":${attributes}}`);
      expect([reply.status, reply.code]).toEqual([400, "request.invalid"]);
    }
  });
});

describe("a read", () => {
  test("of an unknown player is empty, and creates no player", async () => {
    const playerId = someone();
    expect((await readReply(playerId)).text).toBe('{"attributes":{}}');
    expect(await isKnown(playerId)).toBe(false);
  });

  test("needs a player id", async () => {
    expect((await backend.get("/v1/attributes")).code).toBe("player.external_id_missing");
    expect((await backend.get("/v1/attributes?PlayerId=")).code).toBe("player.external_id_missing");
    expect((await readReply("x".repeat(201))).code).toBe("player.external_id_too_long");
    expect((await backend.get("/v1/attributes?playerid=nobody")).status).toBe(200);
  });

  test("still shows an attribute that was switched off, which takes no more values", async () => {
    const own = await service.sandbox({ attributes: ATTRIBUTES });
    await own.setAttributes("ann", { tier: "gold", visits: 1 });
    await own.define({ attributes: [attribute("tier", "String", { active: false })] });
    expect(await read("ann", own)).toEqual({ tier: "gold", visits: 1 });
    const reply = await put({ playerId: "ann", attributes: { visits: 2, tier: "silver" } }, own);
    expect([reply.code, reply.json.errors.length]).toEqual(["player_attribute.inactive", 1]);
    await own.define({ attributes: [attribute("tier", "String")] });
    expect(await own.setAttributes("ann", { tier: "gold" })).toEqual({ tier: "Unchanged" });
  });
});

describe("the clock of a Sandbox", () => {
  test("without an instant, a value is dated by the clock", async () => {
    const own = await service.sandbox({ attributes: ATTRIBUTES });
    await own.moveTo("2039-12-31T12:00:00Z");
    await own.setAttributes("ann", { tier: since("gold", "2040-01-01T00:00:00Z") });
    expect(await own.setAttributes("ann", { tier: "silver" })).toEqual({ tier: "Stale" });
    await own.moveTo("2040-01-01T00:00:01Z");
    expect(await own.setAttributes("ann", { tier: "bronze" })).toEqual({ tier: "Changed" });
    expect(await own.setAttributes("ann", { tier: since("silver", "2040-01-01T00:00:00Z") })).toEqual({ tier: "Stale" });
  });

  test("and a reset deletes the values, not the attributes", async () => {
    const own = await service.sandbox({ attributes: ATTRIBUTES });
    await own.setAttributes("ann", { tier: "gold" });
    await resetSandbox(service.database, own.environment);
    expect(await read("ann", own)).toEqual({});
    expect(await own.setAttributes("ann", { tier: since("silver", day(1)) })).toEqual({ tier: "Changed" });
  });
});

describe("concurrent writes", () => {
  test("16 writes of one attribute: the newest instant wins, and the answers are consistent", async () => {
    for (let round = 0; round < 4; round++) {
      const playerId = someone();
      const order = Array.from({ length: 16 }, (_, index) => (index * 7 + round) % 16);
      const results = await Promise.all(
        order.map(
          async (place) => [place, (await write(playerId, { visits: since(place, day(place + 1)), tier: `${place}` }))["visits"]] as const,
        ),
      );
      expect(await read(playerId)).toMatchObject({ visits: 15 });
      const changed = results.filter(([, result]) => result === "Changed").map(([place]) => place);
      expect(changed).toContain(15);
      expect(results.every(([, result]) => result === "Changed" || result === "Stale")).toBe(true);
      expect(await write(playerId, { visits: since(99, day(15)) })).toEqual({ visits: "Stale" });
    }
  });

  test("24 identical writes: one is Changed, all others Unchanged; the player is created once", async () => {
    const playerId = someone();
    const values = { tier: since("gold", day(1)), visits: since(exact("12345678901234567890.12345678"), day(1)) };
    const results = await Promise.all(Array.from({ length: 24 }, () => write(playerId, values)));
    const counts = Map.groupBy(results, ({ tier, visits }) => `${tier} ${visits}`);
    expect([counts.size, counts.get("Changed Changed")?.length, counts.get("Unchanged Unchanged")?.length]).toEqual([2, 1, 23]);
  });

  test("while the player's events stream in and are folded, nothing of either is lost", async () => {
    const many = [atLeast(10_000), { attribute: "visits", operator: "GreaterThanOrEqualTo", target: 10_000 }];
    const own = await service.sandbox({ ...shop(mission("many", { objectives: many })), attributes: ATTRIBUTES });
    await own.missions("ann");
    const ROUNDS = 25;
    await Promise.all([
      ...[1, 2].map(async () => {
        for (let round = 0; round < ROUNDS; round++) await own.send({ playerId: "ann" }, { playerId: "ann" }, { playerId: "bob" });
      }),
      ...["tier", "visits"].map(async (key) => {
        for (let round = 1; round <= ROUNDS; round++) {
          const value = key === "tier" ? `${round}` : round;
          expect(await own.setAttributes("ann", { [key]: value })).toEqual({ [key]: "Changed" });
        }
      }),
    ]);
    await own.applied();
    const { objectives } = await own.mission("ann", "many");
    expect(objectives.map(({ progress }: any) => progress.actual.value)).toEqual([4 * ROUNDS, ROUNDS]);
    expect(await read("ann", own)).toEqual({ tier: `${ROUNDS}`, visits: ROUNDS });
  });
});
