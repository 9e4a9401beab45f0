import { z } from "zod";
import { inEnvironment } from "../../model/contract/rpc.ts";
import { alongShape } from "../../model/definitions/contract.ts";
import type { Estimate } from "../../model/statistics/sampling.ts";

/** The kinds that can be backtested. */
export const BACKTESTED_KINDS = ["missions", "streaks"] as const;
export type BacktestedKind = (typeof BACKTESTED_KINDS)[number];

export const MIN_DAYS = 7;
export const MAX_DAYS = 90;
export const MAX_SAMPLE = 50_000;

/** When a player meets the draft: at the start of the window, or just before their first event that it counts. */
export const ENTRIES = ["WindowStart", "FirstEvent"] as const;
export type Entry = (typeof ENTRIES)[number];

/** What a backtest is asked to do. */
export const backtestShape = inEnvironment.extend({
  kind: z.enum(BACKTESTED_KINDS),
  /** A definition as the file has it, as JSON text. */
  document: z.string().max(1_000_000),
  along: alongShape,
  days: z.int().min(MIN_DAYS).max(MAX_DAYS).default(30),
  entry: z.enum(ENTRIES).default("WindowStart"),
  /** How many players are played at most; everybody if there are no more. */
  sample: z.int().min(100).max(MAX_SAMPLE).default(10_000),
});

/** What one definition would have done in the window: people and totals of all players, estimated where not everybody was played. */
export interface VariantResult {
  /** Players in the audience when they met it. */
  qualified: Estimate;
  entered: Estimate;
  /** Players who completed a mission, or reached a milestone, at least once. */
  completed: Estimate;
  /** Players who entered and never completed it. */
  unfinished: Estimate;
  /** Completions, or milestones. */
  completions: Estimate;
  /** A week on average. */
  perWeek: { completions: Estimate; points: Estimate; items: { key: string; name: string; quantity: Estimate }[] };
  /** What the points of a week are worth; null without a valuation that holds. */
  worthPerWeek: { amount: Estimate; currency: string } | null;
  /** From entry to completion, in milliseconds; null without completions. */
  timeToComplete: { lower: number; median: number; upper: number } | null;
  /** By objective (or by milestone): the players who never finished and lack it; in order, the one at which they stop. */
  stops: { label: string; players: Estimate }[];
  /** By day or week of the project's zone. `to` is the last day, included. */
  spans: { from: string; to: string; completions: Estimate; points: Estimate }[];
}

export interface BacktestResult {
  /** The window, in RFC 3339, on the environment's clock. */
  from: string;
  to: string;
  days: number;
  /** How many players the environment has, how many were played, and whether that was everybody. */
  players: number;
  played: number;
  isExact: boolean;
  /** The strata of the sample, by days with an event in the window. */
  strata: { activeDays: string; players: number; played: number }[];
  /** Events that were played. */
  events: number;
  definitionsVersion: number;
  draft: VariantResult;
  /** The definition as it is saved, over the same players; null where it is new, or the draft changes nothing. */
  today: VariantResult | null;
  /** The draft less today, over the same players. */
  difference: { completions: Estimate; points: Estimate } | null;
  /** What was assumed, and what is left out. */
  notes: string[];
}
