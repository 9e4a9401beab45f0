import type { Transaction } from "#db/client.ts";
import { type LockedEnvironment, wholePlayer } from "#server/engine/apply.ts";
import { ensurePeriods, type PeriodRow } from "#server/engine/store/periods.ts";
import { lockPlayers, type PlayerRow } from "#server/engine/store/players.ts";
import { saveScores, type ScoreChangeRow } from "#server/engine/store/scores.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { ScorePeriod } from "#server/model/rules/effects.ts";
import { periodOf } from "#server/model/leaderboards/periods.ts";
import { sortScore } from "#server/model/leaderboards/scores.ts";
import { isIn } from "#server/model/rules/audience.ts";
import { changesByAttributesAlone } from "#server/model/rules/condition.ts";
import { type Next, PAGE, saveProgress } from "./progress.ts";
import { withAudienceInputs } from "../service/fill-boards.ts";
import { newPeriod } from "../service/schedule.ts";
import { fillAgain } from "../store/fills.ts";
import { type ContributionCursor, selectContributions, rowsAfter } from "../store/settling.ts";
import type { RowCursor } from "../store/pages.ts";

/**
 * Ends a period of a board over an attribute; its values are carried into the next. It is settled some time later. A player may have
 * entered the audience without a fact that scores the value, so the board is filled again, as of just before the end.
 */
export async function end(tx: Transaction, locked: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const { audience } = board;
  // Before the next period is created: a page of a fill may wait for that, holding its row of fills.
  if (audience.rule !== null && !changesByAttributesAlone(audience.rule)) await fillAgain(tx, board.id, (period.endsAt ?? locked.now) - 1);
  const next = await beginNext(tx, locked, board, period);
  return saveProgress(
    tx,
    period.id,
    next === null ? { step: "Ended", dueAt: period.settlesAt } : { step: "Carrying", dueAt: period.dueAt },
  );
}

/**
 * Carries a page of values into the next period, unless it has newer ones; those of players who have left the audience stay behind. Hidden
 * players' values follow the others; players of the period cannot be hidden or shown meanwhile (`service/hide.ts`).
 */
export async function carry(tx: Transaction, locked: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const { environment, definitions } = locked;
  const next = await beginNext(tx, locked, board, period);
  const { isHidden, after } = cursorFrom(period.cursor);
  const id = isHidden ? -period.id : period.id;
  const page =
    board.teamAttributeId === null
      ? await heldScores(tx, board, id, after as RowCursor | null)
      : await heldContributions(tx, id, after as ContributionCursor | null);
  if (next !== null && page.rows.length === 0 && !isHidden)
    return saveProgress(tx, period.id, { step: "Carrying", dueAt: period.dueAt, cursor: { isHidden: true, after: null } });
  if (next === null || page.rows.length === 0) return saveProgress(tx, period.id, { step: "Ended", dueAt: period.settlesAt });
  const audience = await audienceAmong(tx, locked, board, await lockPlayers(tx, page.rows));
  const carried = page.rows.filter(({ playerId }) => audience.has(playerId));
  const changes = carried.map(({ part, playerId, team, score, reachedSeq }): ScoreChangeRow => ({
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

/** The ids of the players who are in the board's audience. */
async function audienceAmong(
  tx: Transaction,
  { environment, definitions, now }: LockedEnvironment,
  board: Leaderboard,
  rows: readonly PlayerRow[],
): Promise<Set<string>> {
  const players = rows.map((row) => wholePlayer(environment.id, { row, partitions: [], attributes: new Map(), balance: 0 }));
  const judged = await withAudienceInputs(tx, definitions, now, board, players);
  return new Set(judged.filter((player) => isIn(player, board.audience)).map(({ playerId }) => playerId));
}

interface CarryCursor {
  /** Whether hidden players' values are being carried. */
  isHidden: boolean;
  after: unknown;
}

const cursorFrom = (cursor: unknown): CarryCursor => (cursor as CarryCursor | null) ?? { isHidden: false, after: null };

async function heldScores(tx: Transaction, board: Leaderboard, id: number, after: RowCursor | null) {
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
