import type { Leaderboard } from "../definitions/compiled.ts";
import type { ScoreChangeEffect } from "../rules/effects.ts";
import { addNumbers, compareNumbers, Decimal, type Numeric, simplify } from "../kernel/decimal.ts";
import { boardLaneOf } from "../kernel/lanes.ts";
import type { PlayerKey } from "../players/identity.ts";
import { changed, type Score, sortScore, teamKey } from "./scores.ts";

/** A change of a player's score in a stored period. `periodId` is the period's id, negated for a hidden player. */
export interface PlacedChange extends PlayerKey, Omit<ScoreChangeEffect, "kind" | "period" | "leaderboardId"> {
  periodId: number;
  board: Leaderboard;
}

export interface ScoreRow extends PlayerKey, Score {
  periodId: number;
}

/** The score of a player for a team. */
export interface ContributionRow extends ScoreRow {
  team: string;
}

/** The amount to add to a team's row. */
export interface TeamChange extends PlayerKey {
  periodId: number;
  team: string;
  board: Leaderboard;
  score: Numeric;
  members: number;
  reachedSeq: number;
}

export const scoreName = ({ periodId, playerId }: { periodId: number; playerId: string }): string => `${periodId}/${playerId}`;

/** The scores after changes, which are in the order of facts; unchanged scores are left out. `before` is keyed by `scoreName`. */
export function scoresAfter(
  changes: readonly PlacedChange[],
  before: ReadonlyMap<string, ScoreRow>,
): { row: ScoreRow; before: ScoreRow | null; board: Leaderboard; firstSeq: number }[] {
  const byScore = Map.groupBy(changes, scoreName);
  return [...byScore].flatMap(([name, own]) => {
    const [first] = own;
    const earlier = before.get(name) ?? null;
    let score: Score | null = earlier;
    for (const { change, seq } of own) score = changed(score, change, seq);
    if (first === undefined || score === null || score === earlier) return [];
    const { part, playerId, periodId, board, seq } = first;
    const { reachedSeq, latestAt } = score;
    return [{ row: { part, playerId, periodId, score: score.score, reachedSeq, latestAt }, before: earlier, board, firstSeq: seq }];
  });
}

/** Contributions to write and to delete, and the changes of teams that follow. */
export interface ContributionChanges {
  written: ContributionRow[];
  gone: ContributionRow[];
  teams: TeamChange[];
}

/**
 * Contributions after changes. A score stays with the team it was scored for; a *held* value (a board over an attribute) moves with the
 * player from team to team.
 */
export function contributionsAfter(
  changes: readonly PlacedChange[],
  before: ReadonlyMap<string, readonly ContributionRow[]>,
): ContributionChanges {
  const found: ContributionChanges = { written: [], gone: [], teams: [] };
  const teams = new Map<string, TeamChange>();
  for (const [name, own] of Map.groupBy(changes, scoreName)) {
    const earlier = new Map((before.get(name) ?? []).map((row) => [row.team, row]));
    const after = contributionsOf(own, earlier);
    for (const row of earlier.values()) if (!after.has(row.team)) found.gone.push(row);
    for (const [team, row] of after) if (row !== earlier.get(team)) found.written.push(row);
    for (const team of new Set([...earlier.keys(), ...after.keys()]))
      addTo(teams, own[0]!, team, earlier.get(team), after.get(team), own.at(-1)!.seq);
  }
  found.teams = [...teams.values()];
  return found;
}

function contributionsOf(changes: readonly PlacedChange[], before: ReadonlyMap<string, ContributionRow>): Map<string, ContributionRow> {
  const after = new Map(before);
  for (const { part, playerId, periodId, team, change, seq } of changes) {
    if (team === null || (change.by === "Carry" && after.size > 0)) continue;
    if (change.by === "Set") for (const other of [...after.keys()]) if (other !== team) after.delete(other);
    const earlier = after.get(team) ?? null;
    const score = changed(earlier, change, seq);
    if (score !== earlier)
      after.set(team, { part, playerId, periodId, team, score: score.score, reachedSeq: score.reachedSeq, latestAt: score.latestAt });
  }
  return after;
}

function addTo(
  teams: Map<string, TeamChange>,
  { periodId, board }: PlacedChange,
  team: string,
  before: ContributionRow | undefined,
  after: ContributionRow | undefined,
  seq: number,
): void {
  if (before === after) return;
  const name = `${periodId}/${team}`;
  const known = teams.get(name) ?? { ...teamKey(board.id, team), periodId, team, board, score: 0, members: 0, reachedSeq: 0 };
  const score = addNumbers(known.score, difference(after?.score ?? 0, before?.score ?? 0));
  const members = known.members + (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
  teams.set(name, { ...known, score, members, reachedSeq: Math.max(known.reachedSeq, seq) });
}

export const difference = (a: Numeric, b: Numeric): Numeric => simplify(Decimal.of(a).minus(b));

/** Changes of the counts of scores, by period, lane and sort score. */
export class CountChanges {
  readonly periods: number[] = [];
  readonly lanes: number[] = [];
  readonly scores: Numeric[] = [];
  readonly changes: number[] = [];

  /** Counts a score's change, both values as sort scores; null for a score that does not exist before or after it. */
  move({ part, periodId }: { part: number; periodId: number }, before: Numeric | null, after: Numeric | null): void {
    if (before !== null && after !== null && compareNumbers(before, after) === 0) return;
    if (before !== null) this.#add(periodId, part, before, -1);
    if (after !== null) this.#add(periodId, part, after, 1);
  }

  #add(periodId: number, part: number, score: Numeric, change: number): void {
    this.periods.push(periodId);
    this.lanes.push(boardLaneOf(part));
    this.scores.push(score);
    this.changes.push(change);
  }
}

export const sortScoreOf = ({ board: { rankOrder }, score }: { board: Leaderboard; score: Numeric }): Numeric =>
  sortScore(score, rankOrder);
