import type { CountedMeasure } from "../kernel/counts.ts";
import type { DefinitionKind } from "../rules/finding.ts";

/** A sum of the reports that a figure is made of, or that counts towards a budget. */
export interface Term {
  measure: CountedMeasure;
  field: "count" | "amount";
  sign: 1 | -1;
}

interface FigureRule {
  /** `sum`: of a window. `share`: the first term divided by all terms, from 0 to 1. `level`: the value at a moment. */
  type: "sum" | "share" | "level";
  /** The terms over all definitions; null if the figure only exists for a single one. */
  whole: readonly Term[] | null;
  /** Kinds whose single definitions can be watched, and the terms for one of them. */
  kinds: readonly DefinitionKind[];
  one: readonly Term[];
}

const count = (measure: CountedMeasure): Term => ({ measure, field: "count", sign: 1 });
const amount = (measure: CountedMeasure, sign: 1 | -1 = 1): Term => ({ measure, field: "amount", sign });
const sum = (whole: readonly Term[] | null, kinds: readonly DefinitionKind[] = [], one: readonly Term[] = []): FigureRule => ({
  type: "sum",
  whole,
  kinds,
  one,
});

/** The figures that alerts watch, as the reports have them. A measure `hour.*` is of all definitions; others are kept by hour for each. */
export const FIGURES = {
  PointsGranted: sum([amount("hour.granted")], ["missions", "streaks", "leaderboards"], [amount("points.granted")]),
  PointsSpent: sum([amount("hour.spent")], ["marketplaceItems"], [amount("points.spent"), amount("points.refunded", -1)]),
  PointsOutstanding: {
    type: "level",
    kinds: [],
    one: [],
    whole: [amount("hour.granted"), amount("hour.spent", -1), amount("hour.adjusted")],
  },
  Completions: sum([count("hour.completed")], ["missions"], [count("completed")]),
  Entries: sum([count("entered")], ["missions"], [count("entered")]),
  ItemsGranted: sum([amount("items")], ["missions"], [amount("items")]),
  Milestones: sum([count("streak.milestone")], ["streaks"], [count("streak.milestone")]),
  Purchases: sum([count("hour.purchased")], ["marketplaceItems"], [count("purchased")]),
  Refused: sum([count("refused")], ["marketplaceItems"], [count("refused")]),
  RefusedShare: {
    type: "share",
    whole: [count("refused"), count("hour.purchased")],
    kinds: ["marketplaceItems"],
    one: [count("refused"), count("purchased")],
  },
  Events: sum([count("hour.events")], ["events"], [count("event")]),
  MetricAmount: sum(null, ["metrics"], [amount("metric")]),
  /** No terms: webhook attempts are counted in their own table, as failed and delivered ones. */
  DeliveriesFailedShare: { type: "share", whole: [], kinds: [], one: [] },
} as const satisfies Record<string, FigureRule>;

export type Figure = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as [Figure, ...Figure[]];
export const ruleOf = (figure: Figure): FigureRule => FIGURES[figure];

/** The words of a figure: on the screen, in notices, and its unit for a number of them. */
export const FIGURE_WORDS: Record<Figure, { label: string; unit: string }> = {
  PointsGranted: { label: "Points granted", unit: "point" },
  PointsSpent: { label: "Points spent, net of refunds", unit: "point" },
  PointsOutstanding: { label: "Points outstanding", unit: "point" },
  Completions: { label: "Missions completed", unit: "completion" },
  Entries: { label: "Missions entered", unit: "entry" },
  ItemsGranted: { label: "Items granted by missions", unit: "item" },
  Milestones: { label: "Streak milestones", unit: "milestone" },
  Purchases: { label: "Purchases", unit: "purchase" },
  Refused: { label: "Purchases refused", unit: "refusal" },
  RefusedShare: { label: "Share of purchases refused", unit: "%" },
  Events: { label: "Events received", unit: "event" },
  MetricAmount: { label: "Amount of a metric", unit: "" },
  DeliveriesFailedShare: { label: "Share of webhook attempts that failed", unit: "%" },
};

/** A value of a figure for people: shares as a percentage. */
export function figureInWords(figure: Figure, value: number): string {
  if (ruleOf(figure).type === "share") return `${rounded(value * 100)}%`;
  return rounded(value);
}

/** Rounds to two decimals, smaller numbers to two digits: 0.001 is not zero. */
const ROUNDED = new Intl.NumberFormat("en", { maximumFractionDigits: 2, maximumSignificantDigits: 2, roundingPriority: "morePrecision" });
const rounded = (value: number): string => ROUNDED.format(value);
