import { type Estimate, scaled } from "../statistics/sampling.ts";
import { DAY } from "../kernel/instant.ts";

export const BACKTESTED_KINDS = ["missions", "streaks", "marketplaceItems", "leaderboards"] as const;
export type BacktestedKind = (typeof BACKTESTED_KINDS)[number];

export const isBacktested = (kind: string): kind is BacktestedKind => (BACKTESTED_KINDS as readonly string[]).includes(kind);

/** The days of history that are played, and the most players of the sample. */
export const DAYS = { min: 7, max: 90 };
export const SAMPLE = { min: 100, max: 50_000 };

/** The outcome of one definition in the window: numbers of players and totals, estimated if not all players were played. */
export interface VariantResult {
  /** Players in the audience when they met it. */
  qualified: Estimate;
  /** Players who entered a mission or began a streak; of a listing, those who could afford it; of a board, those with a score. */
  entered: Estimate;
  /** Players who completed a mission, reached a milestone, bought a listing, or won a prize, at least once. */
  completed: Estimate;
  /** Players who entered and never completed it. */
  unfinished: Estimate;
  /** Completions, milestones, purchases, or prizes. Points are what they granted, or cost. */
  completions: Estimate;
  /** Completions, points and items per week, on average. */
  perWeek: { completions: Estimate; points: Estimate; items: { key: string; name: string; quantity: Estimate }[] };
  /** What the points of a week are worth; null without a valuation that holds. */
  worthPerWeek: { amount: Estimate; currency: string } | null;
  /** From entry to completion, in milliseconds; null without completions. */
  timeToComplete: { lower: number; median: number; upper: number } | null;
  /**
   * By objective (or by milestone): the players who never finished and lack it; in order, the one at which they stop. Of a listing: real
   * purchases that it would have refused, by the reason; of a board, its prizes by rank.
   */
  stops: { label: string; players: Estimate }[];
  /** By day or week of the project's zone. `to` is the last day, included. */
  spans: { from: string; to: string; completions: Estimate; points: Estimate }[];
}

export interface BacktestResult {
  /** The window, in RFC 3339, on the environment's clock. */
  from: string;
  to: string;
  days: number;
  /** The number of players of the environment, the number played, and whether these are all. */
  players: number;
  played: number;
  isExact: boolean;
  /** The strata of the sample, by the number of days with an event in the window. */
  strata: { activeDays: string; players: number; played: number }[];
  /** Events that were played. */
  events: number;
  definitionsVersion: number;
  /** Of a board: the periods that lie wholly in the window. Results of other kinds may lack it. */
  periods?: { draft: number; today: number } | null;
  draft: VariantResult;
  /** The saved definition's outcome for the same players; null if it is new, or the draft changes nothing. */
  today: VariantResult | null;
  /** The draft less today, over the same players. */
  difference: { completions: Estimate; points: Estimate } | null;
  /** The assumptions and the gaps, a sentence each. */
  notes: string[];
}

interface Words {
  qualified: string;
  entered: string;
  completed: string;
  unfinished: string;
  /** What `completions` counts. */
  counted: string;
  points: string;
  /** The heading of `stops`. */
  stops: string;
}

const PROGRESS: Words = {
  qualified: "Players who qualify",
  entered: "Players who start",
  completed: "Players who complete it",
  unfinished: "Players who never do",
  counted: "Completions",
  points: "Points",
  stops: "Missing for players who never complete it",
};

export const BACKTEST_WORDS: Record<BacktestedKind, Words> = {
  missions: PROGRESS,
  streaks: PROGRESS,
  marketplaceItems: {
    qualified: "Players in the audience",
    entered: "Players who could afford it",
    completed: "Players who buy it",
    unfinished: "Players who could afford it and do not buy it",
    counted: "Purchases",
    points: "Points spent",
    stops: "Real purchases that it would have refused",
  },
  leaderboards: {
    qualified: "Players in the audience",
    entered: "Players with a score",
    completed: "Players who win a prize",
    unfinished: "Players with a score and no prize",
    counted: "Prizes",
    points: "Points",
    stops: "Prizes by rank",
  },
};

/** A row of figures of the draft, and of the saved definition if there is one. */
export interface FigureRow {
  label: string;
  estimates: Estimate[];
  unit: string;
}

const NONE: Estimate = { value: 0, low: 0, high: 0 };

/** The figures of a result in the order of reading: rates are of a week, and of a board of a period. */
export function figuresOf(
  kind: BacktestedKind,
  { draft, today, from, to, periods }: Pick<BacktestResult, "draft" | "today" | "from" | "to" | "periods">,
): FigureRow[] {
  const words = BACKTEST_WORDS[kind];
  const weeks = (Date.parse(to) - Date.parse(from)) / (7 * DAY);
  const perWeek = (count: number | undefined) => (count === undefined ? 1 : count === 0 ? 0 : weeks / count);
  const variants = [{ ...draft, rate: perWeek(periods?.draft) }, ...(today === null ? [] : [{ ...today, rate: perWeek(periods?.today) }])];
  const unit = periods ? "period" : "week";
  const row = (label: string, of: (variant: VariantResult) => Estimate): FigureRow => ({ label, estimates: variants.map(of), unit: "" });
  const rate = (what: string, of: (variant: VariantResult) => Estimate, currency = ""): FigureRow => ({
    label: `${what} per ${unit}`,
    estimates: variants.map((one) => scaled(of(one), one.rate)),
    unit: currency,
  });
  const items = new Map(variants.flatMap((one) => one.perWeek.items.map(({ key, name }) => [key, name] as const)));
  const currency = variants.find(({ worthPerWeek }) => worthPerWeek !== null)?.worthPerWeek?.currency;
  return [
    row(words.qualified, ({ qualified }) => qualified),
    row(words.entered, ({ entered }) => entered),
    row(words.completed, ({ completed }) => completed),
    row(words.unfinished, ({ unfinished }) => unfinished),
    rate(words.counted, (one) => one.perWeek.completions),
    rate(words.points, (one) => one.perWeek.points),
    ...(currency === undefined ? [] : [rate("Value", ({ worthPerWeek }) => worthPerWeek?.amount ?? NONE, ` ${currency}`)]),
    ...Array.from(items, ([key, name]) => rate(name, (one) => one.perWeek.items.find((item) => item.key === key)?.quantity ?? NONE)),
  ];
}
