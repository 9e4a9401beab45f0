import { expect, test } from "vitest";
import { boundsOf, frameOf } from "./frame.ts";

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
  expect(boundsOf(frame).bounds).toEqual([...before, ...starts]);
});

test("a range that ends before it begins, or has too many periods, is invalid", () => {
  expect(frameOf("2026-03-02", "2026-03-01", "Day")).toBeNull();
  expect(frameOf("2020-01-01", "2026-03-01", "Day")).toBeNull();
});

test.each(["Day", "Week", "Month"] as const)("a range whose bounds the calendar does not have is invalid, by %s", (by) => {
  for (const day of ["0000-01-01", "0001-01-01", "9999-12-31"]) expect(frameOf(day, day, by), day).toBeNull();
  const [first, last] = [frameOf("0001-03-01", "0001-03-01", by)!, frameOf("9999-11-20", "9999-11-20", by)!];
  for (const { bounds, end } of [boundsOf(first), boundsOf(last)])
    for (const day of [...bounds, end]) expect(day).toMatch(/^(?!0000)\d{4}-\d\d-\d\d$/);
});
