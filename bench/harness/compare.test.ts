import { expect, test } from "vitest";
import { changeOf, comparison, type Run } from "./compare.ts";
import { Outcome, WrongOutcome } from "./outcome.ts";
import type { Result } from "./report.ts";

const rated = (ratio: number, low: number, high: number, better: "more" | "less" = "more") => ({
  ratio,
  spread: [low, high] as [number, number],
  better,
});

test.each([
  ["each inside the other's spread", rated(0.3, 0.28, 0.33), rated(0.31, 0.29, 0.33), "within the spread"],
  ["outside one spread only", rated(0.3, 0.29, 0.31), rated(0.35, 0.29, 0.4), "within the spread"],
  ["more where more is better", rated(0.3, 0.29, 0.31), rated(0.4, 0.38, 0.41), "better"],
  ["less where more is better", rated(0.4, 0.38, 0.41), rated(0.3, 0.29, 0.31), "worse"],
  ["more where less is better", rated(1.2, 1.1, 1.3, "less"), rated(1.5, 1.4, 1.6, "less"), "worse"],
])("a change counts outside both spreads: %s", (_, earlier, now, expected) => {
  expect(changeOf(earlier, now)).toBe(expected);
});

const result = (name: string, ratio: number, nodeUs: number): Result => ({
  ...{ name, title: name, better: "more", reach: 1, stretch: 2, ratio, spread: [ratio, ratio], mark: "missed" },
  reference: { name: "reference", unit: "events/s", values: [1000] },
  ours: {
    ...{ name: "ours", unit: "events/s", values: [1000 * ratio] },
    cost: { of: "an event", nodeUs: [nodeUs], postgresUs: [null], walBytes: [500] },
  },
  ...{ notes: [], checks: [], seconds: 1, othersCores: 0 },
});

test("a comparison has a line for every figure of either run, with the cost of one operation", () => {
  const run = (...results: Result[]) => ({ results }) as Run;
  const lines = comparison(run(result("ingest", 0.3, 20), result("gone", 0.1, 1)), run(result("ingest", 0.4, 15), result("new", 1, 1)));
  expect(lines.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
    "figure | earlier | now | cost of one, ours: earlier → now",
    "ingest | 0.3 (0.3 – 0.3) | 0.4 (0.4 – 0.4) | ▲ better | Node 20 → 15 µs (-25 %), PostgreSQL ? → ? µs, WAL 500 → 500 bytes",
    "new | – | 1 (1 – 1) | not in the earlier run",
    "gone | 0.1 (0.1 – 0.1) | – | not in this run",
  ]);
});

test("an unexpected outcome fails, and the checks are reported", () => {
  const outcome = new Outcome();
  outcome.equal("events logged", { events: 2 }, { events: 2 });
  outcome.atLeast("rows", 3, 1);
  expect(outcome.checks).toEqual(['events logged: {"events":2}', "rows: 3"]);
  expect(() => outcome.equal("events logged", 1, 2)).toThrow(new WrongOutcome("events logged: 1, expected 2"));
  expect(() => outcome.atLeast("rows", Number.NaN, 1)).toThrow(WrongOutcome);
});
