import type { Machine } from "./machine.ts";
import { type MiddleCost, middleCost, type Result } from "./report.ts";

/** The output of `--json`, which `--compare` reads. */
export interface Run {
  machine: Machine;
  results: Result[];
}

export type Change = "better" | "worse" | "within the spread";

/** A ratio has changed if each run's median is outside the other's range: a difference within the scatter proves nothing. */
export function changeOf(earlier: Pick<Result, "ratio" | "spread">, now: Pick<Result, "ratio" | "spread" | "better">): Change {
  const isOutside = (ratio: number, [low, high]: readonly [number, number]) => ratio < low || ratio > high;
  if (!isOutside(now.ratio, earlier.spread) || !isOutside(earlier.ratio, now.spread)) return "within the spread";
  return now.ratio > earlier.ratio === (now.better === "more") ? "better" : "worse";
}

const MARKS: Record<Change, string> = { better: "▲ better", worse: "▼ worse", "within the spread": "" };

/** A line for each figure that either run has. */
export function comparison(earlier: Run, now: Run): string {
  const lines = now.results.map((result) => {
    const before = earlier.results.find(({ name }) => name === result.name);
    if (before === undefined) return [result.name, "–", shown(result), "not in the earlier run", ""];
    return [result.name, shown(before), shown(result), MARKS[changeOf(before, result)], costs(before, result)];
  });
  const missing = earlier.results.filter(({ name }) => !now.results.some((result) => result.name === name));
  const rows = [
    ["figure", "earlier", "now", "", "cost of one, ours: earlier → now"],
    ...lines,
    ...missing.map((result) => [result.name, shown(result), "–", "not in this run", ""]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const shown = ({ ratio, spread }: Pick<Result, "ratio" | "spread">): string => `${ratio} (${spread.join(" – ")})`;

function costs(before: Result, now: Result): string {
  const [was, is] = [middleCost(before.ours), middleCost(now.ours)];
  if (was === null || is === null) return "";
  const pair = (unit: string, key: "nodeUs" | "postgresUs" | "walBytes", where: string) =>
    `${where} ${was[key] ?? "?"} → ${is[key] ?? "?"} ${unit}${percent(was, is, key)}`;
  return [pair("µs", "nodeUs", "Node"), pair("µs", "postgresUs", "PostgreSQL"), pair("bytes", "walBytes", "WAL")].join(", ");
}

function percent(was: MiddleCost, is: MiddleCost, key: "nodeUs" | "postgresUs" | "walBytes"): string {
  const [before, after] = [was[key], is[key]];
  if (before === null || after === null || before === 0) return "";
  const change = Math.round((after / before - 1) * 100);
  return change === 0 ? "" : ` (${change > 0 ? "+" : ""}${change} %)`;
}
