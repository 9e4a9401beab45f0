import { expect, it } from "vitest";
import { compared, distribution, fileRows, isEmpty } from "./data.ts";

const FRAME = { by: "Week" as const, starts: ["2026-11-09", "2026-11-16"], to: "2026-11-22", today: "2026-11-18" };

it("a chart and its file have the same figures; the running period is marked", () => {
  const data = compared(FRAME, "Events", { values: [3, 1], before: [0, 2] });
  expect(data.rows.map(({ name, isSoFar }) => [name, isSoFar])).toEqual([
    ["Week of 9 Nov 2026", false],
    ["Week of 16 Nov 2026", true],
  ]);
  expect(fileRows(data)).toEqual([
    ["Week", "Events", "Previous period"],
    ["2026-11-09", 3, 0],
    ["2026-11-16", 1, 2],
  ]);
});

it("no past period is marked as running", () => {
  const data = compared({ ...FRAME, today: "2026-11-23" }, "Events", { values: [1, 1], before: [] });
  expect(data.rows.map(({ isSoFar }) => isSoFar)).toEqual([false, false]);
});

it("a chart without rows is empty", () => {
  expect(isEmpty(distribution("Points", "Players", [], String))).toBe(true);
  expect(isEmpty(distribution("Points", "Players", [{ from: 1, to: 2, count: 1 }], String))).toBe(false);
});

it("charts by period highlight the same one; a histogram has no periods", () => {
  expect(compared(FRAME, "Events", { values: [], before: [] }).isByPeriod).toBe(true);
  expect(distribution("Points", "Players", [], String).isByPeriod).toBeUndefined();
});
