import { describe, expect, test } from "vitest";
import { atLeast, atMost, measured, mission, orders, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const number = (value: number) => ({ type: "number", value });

/** Objectives of one mission, which a last one that nobody meets keeps open. */
async function withObjectives(...objectives: object[]) {
  const open = { event: "order_returned", operator: "GreaterThanOrEqualTo", target: 99 };
  const backend = await service.sandbox(shop(mission("observed", { objectives: [...objectives, open] })));
  await backend.missions("ann");
  const read = async (): Promise<any[]> => (await backend.mission("ann", "observed")).objectives.slice(0, -1);
  return {
    backend,
    read,
    /** The objectives after each of these sets of properties, sent one event after the other. */
    async after(...events: object[]): Promise<any[]> {
      await backend.play(...events.map((properties) => ({ playerId: "ann", properties })));
      return read();
    },
    raw: async (): Promise<string> => (await backend.post("/v1/missions", { playerId: "ann" })).text,
  };
}

const readings = (objectives: any[]) => objectives.map(({ progress }) => progress.actual?.value ?? null);

describe("a measure", () => {
  test("before the first event: counts and sums read 0, extremes have no reading", async () => {
    const kinds = [measured("Count"), measured("Sum", "amount"), measured("DistinctCount", "drink"), measured("DistinctDays")];
    const extremes = [measured("Max", "amount"), measured("Min", "amount"), measured("Latest", "amount")];
    const { read } = await withObjectives(...[...kinds, ...extremes].map((measure) => atLeast(9, measure)));
    const objectives = await read();
    expect(readings(objectives)).toEqual([0, 0, 0, 0, null, null, null]);
    for (const { progress } of objectives) expect(progress.kind).toBe("TowardTarget");
    expect(objectives.map(({ progress }) => progress.fraction)).toEqual([0, 0, 0, 0, null, null, null]);
    expect(objectives[4].progress).toEqual({
      kind: "TowardTarget",
      actual: null,
      operator: "GreaterThanOrEqualTo",
      target: number(9),
      fraction: null,
    });
  });

  test("reads what the events say", async () => {
    const kinds = [
      measured("Count"),
      measured("Sum", "amount"),
      measured("DistinctCount", "drink"),
      measured("Max", "amount"),
      measured("Min", "amount"),
      measured("Latest", "amount"),
    ];
    const { after } = await withObjectives(...kinds.map((measure) => atLeast(1_000, measure)));
    expect(readings(await after({ amount: 3, drink: "tea" }))).toEqual([1, 3, 1, 3, 3, 3]);
    expect(readings(await after({ amount: 8, drink: "tea" }, { amount: -2.5, drink: "mocha" }))).toEqual([3, 8.5, 2, 8, -2.5, -2.5]);
    expect(readings(await after({ drink: "Tea" }))).toEqual([4, 8.5, 3, 8, -2.5, -2.5]);
    expect(readings(await after({ amount: 0 }, {}))).toEqual([6, 8.5, 3, 8, -2.5, 0]);
  });

  test("DistinctCount tells values apart as they are, and a number however it is written", async () => {
    const { after } = await withObjectives(
      atLeast(99, measured("DistinctCount", "amount")),
      atLeast(99, measured("DistinctCount", "drink")),
    );
    const amounts = [
      "1",
      "1.0",
      "1e0",
      "1.00000001",
      "12345678901234567890.12345678",
      "12345678901234567890.12345679",
      "12345678901234567890.123456780",
    ];
    expect(readings(await after(...amounts.map((amount) => ({ amount: exact(amount) }))))).toEqual([4, 0]);
    const drinks = ["tea", "tea ", "Tea", "te\u0301", "té", "", "1", "true", "null", "tea"];
    expect(readings(await after(...drinks.map((drink) => ({ drink }))))).toEqual([4, 9]);
    const instants = await withObjectives(
      atLeast(99, measured("DistinctCount", "pickup_at")),
      atLeast(99, measured("DistinctCount", "takeaway")),
    );
    const pickups = ["2026-06-01T12:00:00+02:00", "2026-06-01T10:00:00Z", "2026-06-01T10:00:00.000999Z", "2026-06-01T10:00:00.001Z"];
    expect(readings(await instants.after(...pickups.map((pickup_at, index) => ({ pickup_at, takeaway: index < 3 }))))).toEqual([2, 2]);
  });

  test("DistinctDays counts days of the player's zone, else of the project's", async () => {
    const days = mission("days", { objectives: [atLeast(99, measured("DistinctDays"))] });
    const backend = await service.sandbox(shop(days), { timeZone: "Europe/Amsterdam" });
    await backend.post("/v1/players", { playerId: "ny", timeZoneId: "America/New_York" });
    const instants = [
      "2026-03-28T22:59:59Z",
      "2026-03-28T23:00:00Z",
      "2026-03-29T21:59:59Z",
      "2026-03-29T22:00:00Z",
      "2026-03-29T03:59:59Z",
    ];
    for (const playerId of ["ny", "ams"]) {
      await backend.missions(playerId);
      await backend.play(...instants.map((occurredAt) => ({ playerId, occurredAt })));
    }
    const read = async (playerId: string) => (await backend.mission(playerId, "days")).objectives[0].progress.actual.value;
    expect([await read("ams"), await read("ny")]).toEqual([3, 2]);
  });

  test("Max, Min and Latest of an instant, a truth or a text read in its type", async () => {
    const { after } = await withObjectives(
      orders("GreaterThan", "2027-01-01T00:00:00+01:00", measured("Max", "pickup_at")),
      orders("LessThan", "2020-01-01T00:00:00Z", measured("Min", "pickup_at")),
      orders("EqualTo", true, measured("Latest", "takeaway")),
      orders("In", ["tea", "mocha"], measured("Latest", "drink")),
    );
    const [max, min, truth, text] = await after(
      { pickup_at: "2026-06-01T12:00:00+02:00", takeaway: false, drink: "latte" },
      { pickup_at: "2026-05-01T12:00:00.5Z" },
    );
    const progress = { kind: "Binary", fraction: null };
    expect(max.progress).toEqual({
      ...progress,
      operator: "GreaterThan",
      actual: { type: "dateTime", value: "2026-06-01T10:00:00.000Z" },
      target: { type: "dateTime", value: "2026-12-31T23:00:00.000Z" },
    });
    expect(min.progress.actual).toEqual({ type: "dateTime", value: "2026-05-01T12:00:00.500Z" });
    expect(truth.progress).toEqual({
      ...progress,
      operator: "EqualTo",
      actual: { type: "boolean", value: false },
      target: { type: "boolean", value: true },
    });
    const drinks = {
      type: "collection",
      items: [
        { type: "string", value: "tea" },
        { type: "string", value: "mocha" },
      ],
    };
    expect(text.progress).toEqual({ ...progress, operator: "In", actual: { type: "string", value: "latte" }, target: drinks });
    const later = await after(
      { pickup_at: "2027-01-01T00:00:00Z", takeaway: true, drink: "mocha" },
      { pickup_at: "2019-12-31T23:59:59.999Z" },
    );
    expect(later.map(({ isSatisfied }) => isSatisfied)).toEqual([true, true, true, true]);
  });
});

describe("an operator", () => {
  test("holds for the readings 1, 2 and 3 as it should", async () => {
    const operators: [string, unknown, boolean[]][] = [
      ["EqualTo", 2, [false, true, false]],
      ["GreaterThan", 2, [false, false, true]],
      ["GreaterThanOrEqualTo", 2, [false, true, true]],
      ["In", [2, 7], [false, true, false]],
    ];
    const { backend } = await withObjectives(...operators.map(([operator, target]) => orders(operator, target, measured("Max", "amount"))));
    for (const amount of [1, 2, 3]) {
      await backend.missions(`max-${amount}`);
      await backend.play({ playerId: `max-${amount}`, properties: { amount } });
      const { objectives } = await backend.mission(`max-${amount}`, "observed");
      expect(objectives.slice(0, -1).map(({ isSatisfied }: any) => isSatisfied)).toEqual(operators.map(([, , held]) => held[amount - 1]));
    }
  });

  test("that excludes values holds as soon as the reading is another one", async () => {
    const { read, after } = await withObjectives(orders("NotEqualTo", 0), orders("NotIn", [0, 1]));
    const held = async () => (await read()).map(({ isSatisfied }) => isSatisfied);
    expect(await held()).toEqual([false, false]);
    await after({});
    expect(await held()).toEqual([true, false]);
    await after({});
    expect(await held()).toEqual([true, true]);
  });

  test("asks for a reading: without one only NotEqualTo and NotIn hold", async () => {
    const operators: [string, unknown][] = [
      ["EqualTo", 0],
      ["NotEqualTo", 0],
      ["GreaterThan", -1],
      ["GreaterThanOrEqualTo", 0],
      ["In", [0]],
      ["NotIn", [0]],
    ];
    const { read } = await withObjectives(...operators.map(([operator, target]) => orders(operator, target, measured("Max", "amount"))));
    expect((await read()).map(({ isSatisfied }) => isSatisfied)).toEqual([false, true, false, false, false, true]);
  });

  test("kind of progress: toward a target, within a limit, binary", async () => {
    const targets = {
      EqualTo: 2,
      NotEqualTo: 5,
      GreaterThan: 2,
      GreaterThanOrEqualTo: 2,
      LessThan: 2,
      LessThanOrEqualTo: 2,
      In: [2],
      NotIn: [5],
    };
    const { read } = await withObjectives(
      ...Object.entries(targets).map(([operator, target]) => orders(operator, target, measured("Sum", "amount"))),
    );
    const objectives = await read();
    expect(Object.fromEntries(objectives.map(({ progress }) => [progress.operator, progress.kind]))).toEqual({
      EqualTo: "Binary",
      NotEqualTo: "Binary",
      GreaterThan: "TowardTarget",
      GreaterThanOrEqualTo: "TowardTarget",
      LessThan: "WithinLimit",
      LessThanOrEqualTo: "WithinLimit",
      In: "Binary",
      NotIn: "Binary",
    });
    for (const { progress } of objectives) expect(progress.fraction).toBe(progress.kind === "Binary" ? null : 0);
    expect(objectives[6].progress.target).toEqual({ type: "collection", items: [number(2)] });
  });
});

describe("satisfaction", () => {
  test("latches, though the value behind it falls back", async () => {
    const { after } = await withObjectives(atLeast(10, measured("Sum", "amount")), orders("EqualTo", 1));
    expect((await after({ amount: 12 }))[0]).toMatchObject({ isSatisfied: true, progress: { actual: number(12), fraction: 1 } });
    const [sum, one] = await after({ amount: -7 });
    expect(sum).toMatchObject({ isSatisfied: true, progress: { actual: number(5), fraction: 0.5 } });
    expect(one).toMatchObject({ isSatisfied: true, progress: { actual: number(2) } });
  });

  test("of a limit holds from the start, and stays when it is broken: fraction 1 means gone", async () => {
    const { read, after } = await withObjectives(
      atMost(2),
      orders("LessThan", 0, measured("Sum", "amount")),
      atMost(5, measured("Max", "amount")),
      atMost(0),
    );
    expect((await read()).map(({ isSatisfied, progress }) => [isSatisfied, progress.fraction])).toEqual([
      [true, 0],
      [true, 1],
      [true, null],
      [true, 1],
    ]);
    const broken = await after({ amount: 4 }, { amount: 7 }, { amount: 1 });
    expect(broken.map(({ isSatisfied, progress }) => [isSatisfied, progress.actual.value, progress.fraction])).toEqual([
      [true, 3, 1],
      [true, 12, 1],
      [true, 7, 1],
      [true, 3, 1],
    ]);
  });

  test("of a compound objective follows its parts, and shows no reading", async () => {
    const invite = { event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 1 };
    const { backend, read } = await withObjectives(
      { description: "Both", all: [atLeast(1), invite] },
      { any: [atLeast(1), invite] },
      { not: { any: [atLeast(1), invite] } },
      { not: { event: "friend_invited", operator: "EqualTo", target: 0 } },
    );
    const state = async () => (await read()).map(({ isSatisfied }) => isSatisfied);
    const hidden = { kind: "NotDisplayable", actual: null, operator: null, target: null, fraction: null };
    expect((await read()).map(({ description, progress }) => [description, progress])).toEqual([
      ["Both", hidden],
      [null, hidden],
      [null, hidden],
      [null, hidden],
    ]);
    expect(await state()).toEqual([false, false, true, false]);
    await backend.play({ playerId: "ann" });
    expect(await state()).toEqual([false, true, true, false]);
    await backend.play({ playerId: "ann", event: "friend_invited" });
    expect(await state()).toEqual([true, true, true, true]);
  });
});

describe("a fraction", () => {
  test("is actual / target, cut to 0..1 and rounded half-even to 8 decimals", async () => {
    const cases: [string, string, string][] = [
      ["1", "3", "0.33333333"],
      ["2", "3", "0.66666667"],
      ["1", "200000000", "0"],
      ["3", "200000000", "2e-8"],
      ["5", "200000000", "2e-8"],
      ["7", "200000000", "4e-8"],
      ["0.99999999", "1", "0.99999999"],
      ["99999999999999999999.99999998", "99999999999999999999.99999999", "1"],
      ["4", "3", "1"],
      ["-1", "3", "0"],
      ["1", "-4", "0"],
      ["12345678901234567890", "98765432109876543210", "0.125"],
    ];
    const ofCase = (index: number) => ({
      ...measured("Latest", "amount"),
      where: { property: "drink", operator: "EqualTo", value: `${index}` },
    });
    const objectives = cases.flatMap(([, target], index) =>
      ["GreaterThan", "LessThan"].map((operator) => orders(operator, exact(target), ofCase(index))),
    );
    const { after } = await withObjectives(...objectives);
    const shown = await after(...cases.map(([actual], index) => ({ amount: exact(actual), drink: `${index}` })));
    expect(shown.map(({ progress }) => progress.fraction)).toEqual(cases.flatMap(([, , fraction]) => [Number(fraction), Number(fraction)]));
  });

  test("of a target of 0 is 1", async () => {
    const { read } = await withObjectives(atLeast(0), orders("GreaterThan", 0, measured("Sum", "amount")), atMost(0));
    expect((await read()).map(({ progress }) => progress.fraction)).toEqual([1, 1, 1]);
  });
});

describe("numbers are exact", () => {
  const WIDE = "12345678901234567890.12345678";

  test("read back digit for digit, as JSON numbers", async () => {
    const kinds = [measured("Sum", "amount"), measured("Max", "amount"), measured("Min", "amount"), measured("Latest", "amount")];
    const { after, raw } = await withObjectives(
      ...kinds.map((measure) => orders("GreaterThan", exact("99999999999999999999.99999999"), measure)),
    );
    await after({ amount: exact(WIDE) });
    const text = await raw();
    expect(text.split(`"actual":{"type":"number","value":${WIDE}}`)).toHaveLength(5);
    expect(text.split(`"target":{"type":"number","value":99999999999999999999.99999999}`)).toHaveLength(5);
  });

  test("summed without losing a digit", async () => {
    const sums: [string[], string][] = [
      [["0.1", "0.2"], "0.3"],
      [["9007199254740993", "2"], "9007199254740995"],
      [["99999999999999999999.99999999", "0.00000001"], "100000000000000000000"],
      [["99999999999999999999.99999999", "99999999999999999999.99999999"], "199999999999999999999.99999998"],
      [["1e19", "-9999999999999999999.99999999"], "0.00000001"],
      [["0.00000001", "0.00000002"], "0.00000003"],
      [["-0", "0"], "0"],
      [["1.10", "2.20"], "3.3"],
      [["123456789012345678", "0.5"], "123456789012345678.5"],
    ];
    const ofCase = (index: number) => ({
      ...measured("Sum", "amount"),
      where: { property: "drink", operator: "EqualTo", value: `${index}` },
    });
    const { after, raw } = await withObjectives(...sums.map((_, index) => orders("EqualTo", 7, ofCase(index))));
    await after(...sums.flatMap(([amounts], index) => amounts.map((amount) => ({ amount: exact(amount), drink: `${index}` }))));
    const shown = [...(await raw()).matchAll(/"actual":\{"type":"number","value":([^}]*)\}/g)].map(([, sum]) => sum!);
    expect(shown.slice(0, -1).map((sum) => (sum.includes("e") ? Number(sum).toFixed(8) : sum))).toEqual(sums.map(([, sum]) => sum));
  });

  test("a thousand sums of 0.1 in one batch are 100", async () => {
    const { after } = await withObjectives(orders("EqualTo", 100, measured("Sum", "amount")));
    const [sum] = await after(...Array.from({ length: 1_000 }, () => ({ amount: 0.1 })));
    expect(sum).toMatchObject({ isSatisfied: true, progress: { actual: number(100) } });
  });

  test("compared exactly, in the last of 28 digits", async () => {
    const filter = (operator: string, value: unknown) => atLeast(99, { where: { property: "amount", operator, value } });
    const { after } = await withObjectives(
      filter("EqualTo", exact(WIDE)),
      filter("GreaterThan", exact(WIDE)),
      filter("GreaterThanOrEqualTo", exact(WIDE)),
      filter("LessThan", exact(WIDE)),
      filter("In", [exact("1"), exact(WIDE)]),
      filter("NotIn", [exact(WIDE)]),
    );
    const amounts = ["12345678901234567890.12345677", WIDE, "12345678901234567890.12345679"];
    expect(readings(await after(...amounts.map((amount) => ({ amount: exact(amount) }))))).toEqual([1, 1, 2, 1, 1, 2]);
  });

  test("1e2 is 100, and trailing zeros are nothing", async () => {
    const { after } = await withObjectives(atLeast(99, { where: { property: "amount", operator: "EqualTo", value: 100 } }));
    expect(
      readings(await after(...["1e2", "100.0", "100.000000000000", "1E+2", "10000e-2"].map((amount) => ({ amount: exact(amount) })))),
    ).toEqual([5]);
  });
});

describe("a filter", () => {
  const where = (property: string, operator: string, value: unknown) => ({ property, operator, value });
  /** How many of the events each filter lets through. */
  async function expectCounts(filters: [object, number][], events: object[]): Promise<void> {
    const { after } = await withObjectives(...filters.map(([filter]) => atLeast(99, { where: filter })));
    const counts = readings(await after(...events));
    expect(filters.map(([filter], index) => [filter, counts[index]])).toEqual(filters);
  }

  test("over text, an event without the property among them", async () => {
    const isTea = where("drink", "EqualTo", "tea");
    const isLatte = where("drink", "EqualTo", "latte");
    const filters: [object, number][] = [
      [where("drink", "EqualTo", "mocha"), 1],
      [where("drink", "NotEqualTo", "mocha"), 4],
      [where("drink", "In", ["mocha", "tea"]), 2],
      [where("drink", "NotIn", ["mocha", "tea"]), 3],
      [{ all: [where("drink", "NotEqualTo", "tea"), where("drink", "NotEqualTo", "latte")] }, 3],
      [{ any: [isTea, isLatte] }, 2],
      [{ not: isTea }, 4],
      [{ not: { any: [where("drink", "In", ["tea"]), { not: isLatte }] } }, 1],
    ];
    await expectCounts(filters, [{ drink: "latte" }, { drink: "mocha" }, { drink: "Mocha" }, { drink: "tea" }, {}]);
  });

  test("over a number, an event without it among them", async () => {
    const filters: [object, number][] = [
      [where("amount", "EqualTo", 10), 1],
      [where("amount", "NotEqualTo", 10), 3],
      [where("amount", "GreaterThan", 10), 1],
      [where("amount", "GreaterThanOrEqualTo", 10), 2],
      [where("amount", "LessThan", 10), 1],
      [where("amount", "LessThanOrEqualTo", 10), 2],
      [where("amount", "In", [9.5, 11]), 2],
      [where("amount", "NotIn", [9.5, 11]), 2],
    ];
    await expectCounts(filters, [{ amount: 9.5 }, { amount: 10 }, { amount: 11 }, {}]);
  });

  test("over a truth", async () => {
    const filters: [object, number][] = [
      [where("takeaway", "EqualTo", true), 1],
      [where("takeaway", "NotEqualTo", true), 2],
      [where("takeaway", "EqualTo", false), 1],
    ];
    await expectCounts(filters, [{ takeaway: true }, { takeaway: false }, {}]);
  });

  test("over an instant, whatever zone it is written in", async () => {
    const filters: [object, number][] = [
      [where("pickup_at", "EqualTo", "2026-06-01T12:00:00+02:00"), 1],
      [where("pickup_at", "GreaterThan", "2026-06-01T10:00:00Z"), 1],
      [where("pickup_at", "GreaterThanOrEqualTo", "2026-06-01T10:00:00Z"), 2],
      [where("pickup_at", "LessThan", "2026-06-01T10:00:00Z"), 1],
      [where("pickup_at", "In", ["2026-06-01T05:00:00-05:00"]), 1],
    ];
    const instants = ["2026-06-01T11:59:59.999+02:00", "2026-06-01T10:00:00.000Z", "2026-06-01T10:00:00.001Z"];
    await expectCounts(
      filters,
      instants.map((pickup_at) => ({ pickup_at })),
    );
  });
});
