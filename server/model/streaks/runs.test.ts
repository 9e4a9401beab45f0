import { expect, it } from "vitest";
import { MAX_MISSED, missedPeriods } from "./runs.ts";

const run = (first: string, last: string, freezes = 0) => ({ origin: first, first, last, length: 1, freezes, paid: [] });

it.each([
  ["no run", [], "2026-03-10", []],
  ["a run that ended", [run("2026-03-01", "2026-03-07")], "2026-03-10", ["2026-03-08", "2026-03-09"]],
  ["a run that is live", [run("2026-03-01", "2026-03-09")], "2026-03-10", []],
  ["a run that a freeze keeps", [run("2026-03-01", "2026-03-08", 1)], "2026-03-10", []],
  [
    "a new run after a lost one",
    [run("2026-03-01", "2026-03-05"), run("2026-03-08", "2026-03-10")],
    "2026-03-10",
    ["2026-03-06", "2026-03-07"],
  ],
  ["one that lies ahead", [run("2026-03-01", "2026-03-08"), run("2026-03-12", "2026-03-12")], "2026-03-10", ["2026-03-09"]],
])("after %s these days are missed", (_, runs, current, missed) =>
  expect(missedPeriods(runs, new Set(), current, { cadence: "Day" })).toEqual(missed),
);

it("weeks and months are stepped by the calendar, and periods that qualified are not missed", () => {
  expect(missedPeriods([run("2026-01-05", "2026-02-02")], new Set(["2026-02-09"]), "2026-03-02", { cadence: "Week" })).toEqual([
    "2026-02-16",
    "2026-02-23",
  ]);
  expect(missedPeriods([run("2026-01-01", "2026-01-01")], new Set(), "2026-04-01", { cadence: "Month" })).toEqual([
    "2026-02-01",
    "2026-03-01",
  ]);
  expect(missedPeriods([run("2020-01-01", "2020-01-01")], new Set(), "2026-04-01", { cadence: "Day" })).toHaveLength(MAX_MISSED + 1);
});
