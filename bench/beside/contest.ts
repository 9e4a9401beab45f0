import type { Context } from "../harness/figure.ts";
import { nodeCpuUsOf } from "../harness/proc.ts";
import { median, percentile, round } from "../harness/statistics.ts";

/** A table with a line for each of the systems that did the same work. */
export interface Contest {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  notes: readonly string[];
}

export interface BesideContext extends Context {
  /** Players on the leaderboards. */
  players: number;
}

/** CPU per operation, of Node.js processes and of the database server; null if unknown. */
export interface Spending {
  nodeUs: number | null;
  serverUs: number | null;
}

/** Starts measuring; the returned function divides what was spent since by the number of operations. */
export function spending(node: readonly number[], serverUs: () => number | null) {
  const now = () => ({ nodeUs: nodeCpuUsOf(...node), serverUs: serverUs() });
  const before = now();
  return (done: number): Spending => {
    const after = now();
    const each = (key: keyof Spending) => (after[key] === null || before[key] === null ? null : (after[key] - before[key]) / done);
    return { nodeUs: each("nodeUs"), serverUs: each("serverUs") };
  };
}

/** The median of the turns, with their range. */
export const middle = (values: readonly number[], unit = ""): string =>
  `${round(median(values))}${unit} (${round(Math.min(...values))} – ${round(Math.max(...values))})`;

export function middleSpending(all: readonly Spending[]): string {
  const of = (key: keyof Spending) => {
    const known = all.map((one) => one[key]).filter((value) => value !== null);
    return known.length === 0 ? "unknown" : String(round(median(known)));
  };
  return `${of("nodeUs")} + ${of("serverUs")}`;
}

export const p95 = (times: readonly number[]): number => percentile(times, 0.95);

export function markdown({ title, columns, rows, notes }: Contest): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `### ${title}`,
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map(line),
    "",
    ...notes.map((note) => `- ${note}`),
    "",
  ].join("\n");
}
