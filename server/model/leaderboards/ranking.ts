import { compareNumbers, type Numeric } from "../kernel/decimal.ts";

/** The order of a board: the smaller `sortScore` is better; of equal ones, the one reached first. */
export interface Rankable {
  sortScore: Numeric;
  reachedSeq: number;
}

export const byRank = (a: Rankable, b: Rankable): number => compareNumbers(a.sortScore, b.sortScore) || a.reachedSeq - b.reachedSeq;

/**
 * Competition ranks (1, 2, 2, 4) of rows of a board that follow each other. `first` is the rank of the first of them and
 * `second` that of the first one with another score, since there may be rows before these with the same two scores.
 */
export function ranks(rows: readonly Pick<Rankable, "sortScore">[], first = 1, second: number | null = null): number[] {
  const isTied = rows.map(({ sortScore }, at) => at > 0 && compareNumbers(sortScore, rows[at - 1]!.sortScore) === 0);
  const other = isTied.indexOf(false, 1);
  const found: number[] = [];
  for (const at of rows.keys()) {
    if (at === 0) found.push(first);
    else if (isTied[at]) found.push(found[at - 1]!);
    else found.push((second ?? first + other) + at - other);
  }
  return found;
}

export interface LeagueRules {
  groupSize: number;
  tiers: number;
  promotes: number;
  relegates: number;
}

export type Outcome = "Promoted" | "Relegated" | "Stayed";

export interface TierMove<Row> {
  row: Row;
  /** Competition rank in the group. */
  rank: number;
  outcome: Outcome;
  /** The tier from now on. */
  tier: number;
}

/**
 * Where the player at a place of a group (from 0, of `size`) would move: the first `promotes` up, then of the rest the last `relegates`
 * down. There is no relegation from a group that is less than half full, no promotion from the highest tier, and no relegation from the
 * lowest.
 */
export function zoneOf(at: number, size: number, tier: number, rules: LeagueRules): Outcome {
  const promoted = tier < rules.tiers - 1 ? Math.min(rules.promotes, size) : 0;
  const relegated = tier > 0 && size * 2 >= rules.groupSize ? Math.min(rules.relegates, size - promoted) : 0;
  return at < promoted ? "Promoted" : at >= size - relegated ? "Relegated" : "Stayed";
}

const STEPS: Record<Outcome, number> = { Promoted: 1, Stayed: 0, Relegated: -1 };

/** The moves of one group when a period is settled (`zoneOf`). Players with equal scores are ordered by who reached the score first. */
export function outcomes<Row extends Rankable>(group: readonly Row[], tier: number, rules: LeagueRules): TierMove<Row>[] {
  const rows = [...group].sort(byRank);
  const placed = ranks(rows);
  return rows.map((row, at) => {
    const outcome = zoneOf(at, rows.length, tier, rules);
    return { row, rank: placed[at] ?? 0, outcome, tier: tier + STEPS[outcome] };
  });
}

/** The group in which the n-th seat of a tier is, counted from 0. */
export const groupOfSeat = (seat: number, groupSize: number): number => Math.floor(seat / groupSize);
