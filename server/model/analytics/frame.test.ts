import { expect, test } from "vitest";
import { boundsOf, comparedDays, frameOf, wholesOf } from "./frame.ts";

test.each([
  ["days", "2026-03-01", "2026-03-02", "Day", ["2026-03-01", "2026-03-02"], ["2026-02-27", "2026-02-28"], "2026-03-02"],
  [
    "weeks are widened to whole ones",
    "2026-01-01",
    "2026-01-06",
    "Week",
    ["2025-12-29", "2026-01-05"],
    ["2025-12-15", "2025-12-22"],
    "2026-01-11",
  ],
  [
    "months have their own lengths",
    "2024-02-10",
    "2024-03-01",
    "Month",
    ["2024-02-01", "2024-03-01"],
    ["2023-12-01", "2024-01-01"],
    "2024-03-31",
  ],
] as const)("%s", (_, from, to, by, starts, before, last) => {
  const frame = frameOf(from, to, by)!;
  expect(frame).toMatchObject({ from: starts[0], to: last, starts, before: { from: before[0], starts: before } });
  expect(boundsOf(frame).bounds).toEqual([...before, starts[0], ...starts]);
});

test("a range that ends before it begins, or has too many periods, is invalid", () => {
  expect(frameOf("2026-03-02", "2026-03-01", "Day")).toBeNull();
  expect(frameOf("2020-01-01", "2026-03-01", "Day")).toBeNull();
  expect(frameOf("2026-03-01", "2026-03-02", "Day", "2026-03-01"), "compared with itself").toBeNull();
});

test.each([
  ["the running day is not compared", "2026-11-22", "2026-11-28", "Day", null, "2026-11-22/2026-11-27 2026-11-15/2026-11-20"],
  ["days that are over are all compared", "2026-11-20", "2026-11-21", "Day", null, "2026-11-20/2026-11-21 2026-11-18/2026-11-19"],
  ["of a running week the days so far", "2026-11-23", "2026-11-28", "Week", null, "2026-11-23/2026-11-27 2026-11-16/2026-11-20"],
  ["of a running month too", "2026-10-05", "2026-11-28", "Month", null, "2026-10-01/2026-11-27 2026-08-01/2026-09-27"],
  ["this week with last week", "2026-11-23", "2026-11-28", "Day", "2026-11-16", "2026-11-23/2026-11-27 2026-11-16/2026-11-20"],
  ["this month with last month", "2026-11-01", "2026-11-28", "Day", "2026-10-01", "2026-11-01/2026-11-27 2026-10-01/2026-10-27"],
  ["a day that has just begun with nothing", "2026-11-28", "2026-11-28", "Day", null, null],
] as const)("%s", (_, from, to, by, comparedFrom, days) => {
  const compared = comparedDays(frameOf(from, to, by, comparedFrom)!, "2026-11-28");
  expect(compared && `${compared.from}/${compared.to} ${compared.before.from}/${compared.before.to}`).toBe(days);
});

test.each(["Day", "Month"] as const)("March, by %s, is compared with the 28 days that February has", (by) => {
  const frame = frameOf("2026-03-01", "2026-03-31", by, "2026-02-01")!;
  expect(comparedDays(frame, "2026-03-31")).toMatchObject({ to: "2026-03-28", before: { to: "2026-02-28" } });
  expect(frame.before.starts.length).toBe(by === "Day" ? 28 : 1);
  expect(wholesOf(frame, "2026-03-31").bounds).toEqual(["2026-02-01", "2026-03-01", "2026-03-01", "2026-03-29"]);
});
