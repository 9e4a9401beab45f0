import type { Transaction } from "#db/client.ts";
import type { LockedEnvironment } from "#server/engine/apply.ts";
import { ensurePeriods, type PeriodRow } from "#server/engine/store/periods.ts";
import { lockPlayers } from "#server/engine/store/players.ts";
import { saveScores, type ScoreChangeRow } from "#server/engine/store/scores.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { ScorePeriod } from "#server/model/rules/effects.ts";
import { periodOf } from "#server/model/leaderboards/periods.ts";
import { sortScore } from "#server/model/leaderboards/scores.ts";
import { type Next, PAGE, saveProgress } from "./progress.ts";
import { newPeriod } from "../service/schedule.ts";
import { type ContributionCursor, selectContributions, type PeriodCursor, rowsAfter } from "../store/settling.ts";

/** Ends a period of a board over an attribute; its values are carried into the next. It is settled some time later. */
export async function end(tx: Transaction, locked: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const next = await beginNext(tx, locked, board, period);
  return saveProgress(
    tx,
    period.id,
    next === null ? { step: "Ended", dueAt: period.settlesAt } : { step: "Carrying", dueAt: period.dueAt },
  );
}

/**
 * Carries a page of values into the next period, unless it has newer ones. Hidden players' values follow the others; players of the period
 * cannot be hidden or shown meanwhile (`service/hide.ts`).
 */
export async function carry(tx: Transaction, locked: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const { environment, definitions } = locked;
  const next = await beginNext(tx, locked, board, period);
  const { isHidden, after } = cursorFrom(period.cursor);
  const id = isHidden ? -period.id : period.id;
  const page =
    board.teamAttributeId === null
      ? await heldScores(tx, board, id, after as PeriodCursor | null)
      : await heldContributions(tx, id, after as ContributionCursor | null);
  if (next !== null && page.rows.length === 0 && !isHidden)
    return saveProgress(tx, period.id, { step: "Carrying", dueAt: period.dueAt, cursor: { isHidden: true, after: null } });
  if (next === null || page.rows.length === 0) return saveProgress(tx, period.id, { step: "Ended", dueAt: period.settlesAt });
  await lockPlayers(tx, page.rows);
  const changes = page.rows.map(({ part, playerId, team, score, reachedSeq }): ScoreChangeRow => ({
    part,
    playerId,
    isHidden,
    leaderboardId: board.id,
    period: next,
    team,
    change: { by: "Carry", value: score, at: 0 },
    seq: reachedSeq,
  }));
  await saveScores(tx, definitions, environment.id, changes);
  return saveProgress(tx, period.id, { step: "Carrying", dueAt: period.dueAt, cursor: { isHidden, after: page.cursor } });
}

/** The cursor of carrying. */
interface CarryCursor {
  /** Whether hidden players' values are being carried. */
  isHidden: boolean;
  after: unknown;
}

const cursorFrom = (cursor: unknown): CarryCursor => (cursor as CarryCursor | null) ?? { isHidden: false, after: null };

async function heldScores(tx: Transaction, board: Leaderboard, id: number, after: PeriodCursor | null) {
  const rows = await rowsAfter(tx, id, after, PAGE);
  const last = rows.at(-1);
  return {
    rows: rows.map((row) => ({ ...row, score: sortScore(row.sortScore, board.rankOrder) })),
    cursor: last === undefined ? null : { sortScore: String(last.sortScore), reachedSeq: last.reachedSeq, playerId: last.playerId },
  };
}

async function heldContributions(tx: Transaction, id: number, after: ContributionCursor | null) {
  const rows = await selectContributions(tx, id, after, PAGE);
  const last = rows.at(-1);
  return { rows, cursor: last === undefined ? null : { team: last.team, part: last.part, playerId: last.playerId } };
}

/** Creates the next period; null if none follows. */
export async function beginNext(tx: Transaction, { environment, definitions }: LockedEnvironment, board: Leaderboard, period: PeriodRow) {
  const next = board.active && board.period.kind === "Calendar" ? following(board, period, definitions.timeZone) : null;
  if (next !== null) await ensurePeriods(tx, environment.id, [newPeriod(board, next)]);
  return next;
}

/**
 * The period after this one. If the project has moved to a zone further west, this one ends before its last day is over, so the period at
 * its end may be the same one.
 */
function following(board: Leaderboard, { start, endsAt }: PeriodRow, zone: string): ScorePeriod | null {
  const next = endsAt === null ? null : periodOf(board, endsAt, zone);
  return next === null || next.start > start || next.endsAt === null ? next : periodOf(board, next.endsAt, zone);
}
