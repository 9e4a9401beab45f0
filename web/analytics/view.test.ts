import { describe, expect, it } from "vitest";
import type { Parameters } from "../client/address.ts";
import { coveredBy, presetOf, rangeOf, REPORT, type ReportView } from "./view.ts";

it.each<[parameters: Parameters, view: Partial<ReportView>]>([
  [{}, {}],
  [
    { range: "90d", by: "Week" },
    { range: "90d", by: "Week" },
  ],
  [{ range: "1y", by: "Hour" }, {}],
  [
    { from: "2026-01-31", to: "2026-02-28" },
    { from: "2026-01-31", to: "2026-02-28" },
  ],
  [{ from: "2026-02-30", to: "2026-03-31" }, { to: "2026-03-31" }],
  [
    { sort: "points", order: "ascending" },
    { sort: "points", order: "ascending" },
  ],
  [{ page: "2" }, { page: "2" }],
  [{ page: "0" }, {}],
  [{ of: ["a", "b"] }, {}],
  [{ segment: "vip" }, { segment: "vip" }],
  [{ of: "daily & more" }, { of: "daily & more" }],
])("an address with %j shows %j, and the address made from that shows the same", (parameters, changes) => {
  const view = REPORT.from(parameters);
  expect(view).toEqual({ ...REPORT.none, ...changes });
  expect(REPORT.from(Object.fromEntries(new URLSearchParams(REPORT.queryOf(view))))).toEqual(view);
});

it.each([
  [{}, "28d"],
  [{ range: "7d" }, "7d"],
  [{ from: "2026-01-31", to: "2026-02-28", range: "7d" }, "custom"],
  [{ from: "2026-02-28", to: "2026-01-31" }, "28d"],
  [{ from: "2026-02-30", to: "2026-03-31" }, "28d"],
])("an address with %j has the range %s", (parameters, preset) => expect(presetOf(REPORT.from(parameters))).toBe(preset));

describe("on the 22nd of November the days of", () => {
  it.each<[range: Partial<ReportView>, by: ReportView["by"], days: [string, string, string]]>([
    [{ range: "7d" }, "Day", ["2026-11-16", "2026-11-22", "Day"]],
    [{ range: "week" }, "Day", ["2026-11-16", "2026-11-22", "Day"]],
    [{ range: "last-week" }, "Day", ["2026-11-09", "2026-11-15", "Day"]],
    [{ range: "month" }, "Week", ["2026-11-01", "2026-11-22", "Week"]],
    [{ from: "2026-11-20", to: "2027-01-01" }, "Day", ["2026-11-20", "2026-11-22", "Day"]],
    [{ from: "2027-01-01", to: "2027-01-02" }, "Day", ["2026-11-22", "2026-11-22", "Day"]],
    [{ from: "2025-10-19", to: "2026-11-22" }, "Day", ["2025-10-19", "2026-11-22", "Day"]],
    [{ from: "2025-10-18", to: "2026-11-22" }, "Day", ["2025-10-18", "2026-11-22", "Week"]],
    [{ from: "2010-01-01", to: "2026-11-22" }, "Day", ["2010-01-01", "2026-11-22", "Month"]],
    [{ from: "0001-01-01", to: "2026-11-22" }, "Day", ["1994-01-01", "2026-11-22", "Month"]],
    [{ from: "0001-01-01", to: "0040-12-31" }, "Week", ["0008-01-01", "0040-12-31", "Month"]],
  ])("%j by %s are %j", (range, by, [from, to, divided]) =>
    expect(rangeOf({ ...REPORT.none, ...range, by }, "2026-11-22")).toEqual({ from, to, by: divided }),
  );

  it.each([
    ["2026-11-03", "2026-11-05", "Day", ["2026-11-03", "2026-11-05"]],
    ["2026-11-03", "2026-11-05", "Week", ["2026-11-02", "2026-11-08"]],
    ["2026-11-03", "2026-11-22", "Month", ["2026-11-01", "2026-11-22"]],
  ] as const)("a report from %s to %s by %s are %j", (from, to, by, [first, last]) =>
    expect(coveredBy({ from, to, by }, "2026-11-22")).toEqual({ from: first, to: last }),
  );
});
