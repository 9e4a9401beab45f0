import { expect, it } from "vitest";
import { byScore, COMPACT, compared, distribution, fileRows, isEmpty, ticksOf } from "./data.ts";

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

it("scores are shown with their thousands apart, and are plain numbers in the file", () => {
  const scores = [
    { from: "-12345.678", to: "-12345.678", count: 1 },
    { from: "1000", to: "90071992547409930.8", count: 2 },
  ];
  const data = byScore("Players", scores);
  expect(data.rows.map(({ short, name }) => [short, name])).toEqual([
    ["-12,345.678", "-12,345.678"],
    ["1,000", "1,000 – 90,071,992,547,409,930.8"],
  ]);
  expect(fileRows(data).map(([score]) => score)).toEqual(["Score", "-12345.678", "1000 – 90071992547409930.8"]);
});

it("charts by period highlight the same one; a histogram has no periods", () => {
  expect(compared(FRAME, "Events", { values: [], before: [] }).isByPeriod).toBe(true);
  expect(distribution("Points", "Players", [], String).isByPeriod).toBeUndefined();
});

it("the axis has at most six round whole numbers, up to the largest value or above", () => {
  const ticks = (...values: number[]) => ticksOf(compared(FRAME, "Events", { values, before: [] }))?.join(" ");
  expect([0, 1, 5, 22, 118, 2_600, 12_300].map((largest) => ticks(largest))).toEqual([
    "0 1",
    "0 1",
    "0 1 2 3 4 5",
    "0 5 10 15 20 25",
    "0 25 50 75 100 125",
    "0 1000 2000 3000",
    "0 2500 5000 7500 10000 12500",
  ]);
  for (let largest = 1; largest < 1e9; largest = Math.ceil(largest * 1.1)) {
    const all = ticks(largest)!.split(" ").map(Number);
    const labels = all.map((tick) => COMPACT.format(tick).replace(/[KMB]$/, (unit) => ({ K: "e3", M: "e6", B: "e9" })[unit]!));
    expect(labels.map(Number), "labels that are not rounded").toEqual(all);
    expect([all.length <= 6, all.every(Number.isInteger), all.at(-1)! >= largest, all.at(-1)! < 2 * largest]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }
  expect(ticks(-1, 5)).toBeUndefined();
});

it("stacked bars fit under the last number of the axis", () => {
  const series = [
    { label: "New", look: "bar" as const, values: [30] },
    { label: "Returning", look: "second-bar" as const, values: [70] },
  ];
  const data = compared(FRAME, "Players", { values: [], before: [] });
  expect(ticksOf({ ...data, series, rows: [{ ...data.rows[0]!, values: [30, 70] }], isStacked: true })?.at(-1)).toBe(100);
});
