import type { Leaderboard } from "../definitions/compiled.ts";
import { compareNumbers, type Numeric } from "../kernel/decimal.ts";
import type { ScoreChange, ScorePeriod } from "../rules/effects.ts";
import type { EventFact } from "../kernel/facts.ts";
import { readsClock } from "../rules/filter.ts";
import { changeBy } from "./advance.ts";
import { isOpen, periodOf } from "./periods.ts";
import { changed, type Score } from "./scores.ts";
import { logOf } from "./shape.ts";

/** Points that a mission or a streak granted, as the ledger has them. */
export interface LoggedGrant {
  seq: number;
  amount: number;
  at: number;
}

/** A score as stored, or as expected. */
export interface CountedScore {
  leaderboardId: number;
  start: string;
  score: Numeric;
}

export interface Misscore {
  leaderboardKey: string;
  start: string;
  stored: Numeric | null;
  recounted: Numeric | null;
}

/**
 * Whether the logs alone give a board's scores. They do not if scores depend on a player's past team, audience or zone, for attributes,
 * whose history is not kept, and for boards that are off or were edited.
 */
export const isRecountable = (board: Leaderboard, editedAt: number): boolean =>
  board.active &&
  logOf(board) !== null &&
  !readsClock(board.where) &&
  board.audience.rule === null &&
  board.teamAttributeId === null &&
  editedAt <= board.createdAt;

/** The boards during the time of one project zone. */
export interface Era {
  timeZone: string;
  boards: readonly Leaderboard[];
}

/**
 * The scores of one player that differ from what the logs give. `eraOf` gives the zone in force at a fact's position, `wasTaken` whether a
 * settled period counted it.
 */
export function misscores(
  boards: readonly Leaderboard[],
  eraOf: (seq: number) => Era,
  wasTaken: (board: Leaderboard, start: string, seq: number) => boolean,
  stored: readonly CountedScore[],
  events: readonly EventFact[],
  grants: readonly LoggedGrant[],
): Misscore[] {
  const recounted = new Map<string, CountedScore & { state: Score }>();
  const name = (leaderboardId: number, start: string) => `${leaderboardId}/${start}`;
  const add = (board: Leaderboard, period: ScorePeriod | null, change: ScoreChange, seq: number, receivedAt: number) => {
    if (period === null || !isOpen(board, period, receivedAt) || !wasTaken(board, period.start, seq)) return;
    const key = name(board.id, period.start);
    const state = changed(recounted.get(key)?.state ?? null, change, seq);
    recounted.set(key, { leaderboardId: board.id, start: period.start, score: state.score, state });
  };
  for (const fact of events) {
    const { timeZone, boards: known } = eraOf(fact.seq);
    for (const board of known) {
      const change = fact.definitionId === board.definitionId ? changeBy(board, fact, timeZone) : null;
      if (change !== null) add(board, periodOf(board, fact.occurredAt, timeZone), change, fact.seq, fact.receivedAt);
    }
  }
  for (const { amount, at, seq } of grants) {
    const { timeZone, boards: known } = eraOf(seq);
    for (const board of known.filter((one) => logOf(one) === "Ledger"))
      add(board, periodOf(board, at, timeZone), { by: "Sum", value: amount, at }, seq, at);
  }
  const storedByName = new Map(stored.map((one) => [name(one.leaderboardId, one.start), one]));
  const keys = new Map(boards.map(({ id, key }) => [id, key]));
  return [...new Set([...storedByName.keys(), ...recounted.keys()])].flatMap((key) => {
    const before = storedByName.get(key);
    const after = recounted.get(key);
    const one = before ?? after;
    if (one === undefined || (before !== undefined && after !== undefined && compareNumbers(before.score, after.score) === 0)) return [];
    const leaderboardKey = keys.get(one.leaderboardId) ?? "?";
    return [{ leaderboardKey, start: one.start, stored: before?.score ?? null, recounted: after?.score ?? null }];
  });
}
