import type { Cost, Figure, Measured, Side } from "./figure.ts";
import { median, round } from "./statistics.ts";

/** The measured result of a figure. */
export interface Result extends Rated {
  /** The checks that passed. */
  checks: string[];
  /** Cores that other programs used on average meanwhile; null if unknown. */
  othersCores: number | null;
}

interface Rated extends Pick<Figure, "name" | "title" | "better" | "reach" | "stretch"> {
  /** Ours divided by the reference: the median of the alternations. `spread` has the smallest and the largest. */
  ratio: number;
  spread: [number, number];
  mark: Mark;
  reference: Measured["reference"];
  ours: Measured["ours"];
  notes: string[];
  seconds: number;
}

/** "almost": within a tenth of the target. */
type Mark = "stretch" | "reached" | "almost" | "missed";

const SIGNS: Record<Mark, string> = { stretch: "++ stretch", reached: "+  reached", almost: "~  within a tenth", missed: "-  missed" };

export function resultOf({ name, title, better, reach, stretch }: Figure, { reference, ours, notes }: Measured, seconds: number): Rated {
  const ratios = ours.values.map((value, turn) => value / reference.values[turn]!);
  const ratio = median(ratios);
  return {
    name,
    title,
    better,
    reach,
    stretch,
    ratio: round(ratio),
    spread: [round(Math.min(...ratios)), round(Math.max(...ratios))],
    mark: markOf(ratio, { better, reach, stretch }),
    reference,
    ours,
    notes,
    seconds: Math.round(seconds),
  };
}

export function markOf(ratio: number, { better, reach, stretch }: Pick<Figure, "better" | "reach" | "stretch">): Mark {
  const isAtLeast = (goal: number) => (better === "more" ? ratio >= goal : ratio <= goal);
  if (isAtLeast(stretch)) return "stretch";
  if (isAtLeast(reach)) return "reached";
  return isAtLeast(better === "more" ? reach * 0.9 : reach * 1.1) ? "almost" : "missed";
}

/** A block of lines for each figure: the verdict, then the raw values behind it. */
export function table(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ title }) => title.length));
  const head = [`${"figure".padEnd(width)}  ratio   spread           reach   stretch  verdict`];
  return [...head, ...results.flatMap((result) => [line(result, width), ...raw(result)])].join("\n");
}

function line({ title, ratio, spread, better, reach, stretch, mark }: Result, width: number): string {
  const sign = better === "more" ? "" : "≤ ";
  const columns = [
    String(ratio).padEnd(6),
    spread.join(" – ").padEnd(15),
    `${sign}${reach}`.padEnd(6),
    `${sign}${stretch}`.padEnd(7),
    SIGNS[mark],
  ];
  return `${title.padEnd(width)}  ${columns.join("  ")}`;
}

const raw = ({ reference, ours, notes, checks, seconds }: Result): string[] => [
  ...[reference, ours].flatMap((side) => [
    `    ${side.name}: ${round(median(side.values))} ${side.unit}  (${side.values.map((value) => round(value)).join(", ")})`,
    ...(side.cost ? [`      ${describeCost(side.cost)}`] : []),
  ]),
  ...notes.map((note) => `    ${note}`),
  `    checked: ${checks.join("; ")}`,
  `    took ${seconds} s`,
];

/** The median cost of one operation; null where the machine does not report it. */
export interface MiddleCost {
  of: string;
  nodeUs: number | null;
  postgresUs: number | null;
  walBytes: number | null;
}

export function middleCost({ cost }: Side): MiddleCost | null {
  if (cost === undefined) return null;
  const middle = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : round(median(known));
  };
  return { of: cost.of, nodeUs: middle(cost.nodeUs), postgresUs: middle(cost.postgresUs), walBytes: middle(cost.walBytes) };
}

function describeCost(cost: Cost): string {
  const { of: one, nodeUs, postgresUs, walBytes } = middleCost({ name: "", unit: "", values: [], cost })!;
  const cpu = (value: number | null) => `${value ?? "unknown"} µs`;
  return `${one}: ${cpu(nodeUs)} of CPU in Node, ${cpu(postgresUs)} in PostgreSQL, ${walBytes ?? "unknown"} bytes of WAL`;
}
