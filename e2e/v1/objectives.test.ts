import { describe, expect, test } from "vitest";
import { atLeast, atMost, measured, mission, orders, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";
import { observe, counterValues } from "../observed.ts";

const service = await startService();
const number = (value: number) => ({ type: "number", value });
const withObjectives = (...objectives: object[]) => observe(service, ...objectives);

describe("a measure", () => {
  test("before the first event: counts and sums read 0, extremes have no reading", async () => {
    const kinds = [measured("Count"), measured("Sum", "amount"), measured("DistinctCount", "drink"), measured("DistinctDays")];
    const extremes = [measured("Max", "amount"), measured("Min", "amount"), measured("Latest", "amount")];
    const { read } = await withObjectives(...[...kinds, ...extremes].map((measure) => atLeast(9, measure)));
    const objectives = await read();
    expect(counterValues(objectives)).toEqual([0, 0, 0, 0, null, null, null]);
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

  test("reads the events' values", async () => {
    const kinds = [
      measured("Count"),
      measured("Sum", "amount"),
      measured("DistinctCount", "drink"),
      measured("Max", "amount"),
      measured("Min", "amount"),
      measured("Latest", "amount"),
    ];
    const { after } = await withObjectives(...kinds.map((measure) => atLeast(1_000, measure)));
    expect(counterValues(await after({ amount: 3, drink: "tea" }))).toEqual([1, 3, 1, 3, 3, 3]);
    expect(counterValues(await after({ amount: 8, drink: "tea" }, { amount: -2.5, drink: "mocha" }))).toEqual([3, 8.5, 2, 8, -2.5, -2.5]);
    expect(counterValues(await after({ drink: "Tea" }))).toEqual([4, 8.5, 3, 8, -2.5, -2.5]);
    expect(counterValues(await after({ amount: 0 }, {}))).toEqual([6, 8.5, 3, 8, -2.5, 0]);
  });

  test("DistinctCount distinguishes values by type, and numbers in any notation are equal", async () => {
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
    expect(counterValues(await after(...amounts.map((amount) => ({ amount: exact(amount) }))))).toEqual([4, 0]);
    const drinks = ["tea", "tea ", "Tea", "te\u0301", "té", "", "1", "true", "null", "tea"];
    expect(counterValues(await after(...drinks.map((drink) => ({ drink }))))).toEqual([4, 9]);
    const instants = await withObjectives(
      atLeast(99, measured("DistinctCount", "pickup_at")),
      atLeast(99, measured("DistinctCount", "takeaway")),
    );
    const pickups = ["2026-06-01T12:00:00+02:00", "2026-06-01T10:00:00Z", "2026-06-01T10:00:00.000999Z", "2026-06-01T10:00:00.001Z"];
    expect(counterValues(await instants.after(...pickups.map((pickup_at, index) => ({ pickup_at, takeaway: index < 3 }))))).toEqual([2, 2]);
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
    const read = async (playerId: string) => await backend.counterValue(playerId, "days");
    expect([await read("ams"), await read("ny")]).toEqual([3, 2]);
  });

  test("Max, Min and Latest of an instant, a boolean or a text are read in its type", async () => {
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
  test("is met for the readings 1, 2 and 3 as specified", async () => {
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

  test("that excludes values is met as soon as the reading is another one", async () => {
    const { read, after } = await withObjectives(orders("NotEqualTo", 0), orders("NotIn", [0, 1]));
    const held = async () => (await read()).map(({ isSatisfied }) => isSatisfied);
    expect(await held()).toEqual([false, false]);
    await after({});
    expect(await held()).toEqual([true, false]);
    await after({});
    expect(await held()).toEqual([true, true]);
  });

  test("needs a reading: without one only NotEqualTo and NotIn are met", async () => {
    const operators: [string, unknown][] = [
      ["EqualTo", 0],
      ["NotEqualTo", 0],
      ["GreaterThan", -1],
      ["GreaterThanOrEqualTo", 0],
      ["In", [0]],
      ["NotIn", [0]],
    ];
    // One order, which meets `atLeast(1)` and has no amount, leaves the maximum without a reading.
    const { after } = await withObjectives(
      ...operators.map(([operator, target]) => ({ all: [atLeast(1), orders(operator, target, measured("Max", "amount"))] })),
    );
    expect((await after({})).map(({ isSatisfied }) => isSatisfied)).toEqual([false, true, false, false, false, true]);
  });

  test("kind of progress: toward a target, within a limit, binary", async () => {
    const targets = {
      EqualTo: 2,
      NotEqualTo: 0,
      GreaterThan: 2,
      GreaterThanOrEqualTo: 2,
      LessThan: 2,
      LessThanOrEqualTo: 2,
      In: [2],
      NotIn: [0],
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

  test("of a limit is met from the start, and stays when it is broken: fraction 1 means lost", async () => {
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

  test("of a lowest or a latest value below something waits for such a value, and then stays", async () => {
    const lap = (kind: string) => orders("LessThan", 60, measured(kind, "amount"));
    const { read, after } = await withObjectives(lap("Min"), lap("Latest"));
    const shown = (objectives: any[]) =>
      objectives.map(({ isSatisfied, progress: { kind, actual } }) => [isSatisfied, kind, actual?.value]);
    expect(shown(await read())).toEqual([
      [false, "Binary", undefined],
      [false, "Binary", undefined],
    ]);
    expect(shown(await after({ amount: 61 }))).toEqual([
      [false, "Binary", 61],
      [false, "Binary", 61],
    ]);
    expect(shown(await after({ amount: 59 }, { amount: 75 }))).toEqual([
      [true, "Binary", 59],
      [true, "Binary", 75],
    ]);
  });

  test("of a mission of one lap under a minute completes with that lap, and not by entering", async () => {
    const lap = { event: "order_placed", measure: { kind: "Min", property: "amount" }, operator: "LessThan", target: 60 };
    const backend = await service.sandbox(shop(mission("fast", { objectives: [lap] })));
    const statusOf = async () => (await backend.mission("ann", "fast", { includeCompleted: true })).status;
    expect(await statusOf()).toBe("InProgress");
    await backend.play({ playerId: "ann", properties: { amount: 60 } });
    expect(await statusOf()).toBe("InProgress");
    await backend.play({ playerId: "ann", properties: { amount: 59.5 } });
    expect(await statusOf()).toBe("Completed");
  });

  test("of a compound objective follows its parts, and shows no reading", async () => {
    const invite = { event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 1 };
    const { backend, read } = await withObjectives(
      { description: "Both", all: [atLeast(1), invite] },
      { any: [atLeast(1), invite] },
      { all: [atLeast(1), { not: { any: [orders("GreaterThan", 1), invite] } }] },
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
    expect(await state()).toEqual([false, false, false, false]);
    await backend.play({ playerId: "ann" });
    expect(await state()).toEqual([false, true, true, false]);
    await backend.play({ playerId: "ann", event: "friend_invited" });
    expect(await state()).toEqual([true, true, true, true]);
  });
});
