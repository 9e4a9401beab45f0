import { ranks, byPlace, type Placed } from "./ranking.ts";

export interface LeagueRules {
  groupSize: number;
  /** The number of tiers. */
  tiers: number;
  promotes: number;
  relegates: number;
}

export type Outcome = "Promoted" | "Relegated" | "Stayed";

export interface Moved<Row> {
  row: Row;
  /** Competition rank in the group. */
  rank: number;
  outcome: Outcome;
  /** The tier from now on. */
  tier: number;
}

/**
 * The moves of one group when a period is settled: the first `promotes` move up, then of the rest the last `relegates` move down. A group
 * less than half full relegates nobody. The highest tier has nothing above it, the lowest nothing below. Order decides, not rank: of two
 * players with equal scores the one who reached the score first is ahead.
 */
export function outcomes<Row extends Placed>(group: readonly Row[], tier: number, rules: LeagueRules): Moved<Row>[] {
  const rows = [...group].sort(byPlace);
  const placed = ranks(rows);
  const promoted = tier < rules.tiers - 1 ? Math.min(rules.promotes, rows.length) : 0;
  const isHalfFull = rows.length * 2 >= rules.groupSize;
  const relegated = tier > 0 && isHalfFull ? Math.min(rules.relegates, rows.length - promoted) : 0;
  return rows.map((row, at) => {
    const rank = placed[at] ?? 0;
    if (at < promoted) return { row, rank, outcome: "Promoted", tier: tier + 1 };
    if (at >= rows.length - relegated) return { row, rank, outcome: "Relegated", tier: tier - 1 };
    return { row, rank, outcome: "Stayed", tier };
  });
}

/** The group in which the n-th seat of a tier is, counted from 0. */
export const groupOf = (seat: number, groupSize: number): number => Math.floor(seat / groupSize);
