import { pageOf } from "#server/model/kernel/page.ts";
import type { Database, Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { ranks } from "#server/model/leaderboards/ranking.ts";
import {
  type KeptPeriod,
  type PageRow,
  entryAbove,
  type RowCursor,
  selectGroup,
  selectPeriod,
  selectPeriods,
  selectRows,
  selectTeamOf,
} from "../store/pages.ts";
import { teamKey } from "#server/model/leaderboards/scores.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import { playerKey } from "#server/model/players/identity.ts";

export type { KeptPeriod, PageRow, RowCursor };
export { finishesBelow, selectPeriodsOf } from "../store/periods.ts";

/** A board by its key, switched on or off. Throws OperatorError. */
export async function boardOf(sql: Sql, environment: Environment, key: string): Promise<Leaderboard> {
  const board = (await definitionsOf(sql, environment)).leaderboardsByKey.get(key);
  if (board === undefined) throw new OperatorError("There is no such leaderboard.");
  return board;
}

/** A period of a board. Throws OperatorError. */
export async function periodOfBoard(sql: Sql, board: Leaderboard, start: string): Promise<KeptPeriod> {
  const period = await selectPeriod(sql, board.id, start);
  if (period === null) throw new OperatorError("This leaderboard has no such period; a reset of the Sandbox deletes them.");
  return period;
}

/** The periods of a board before one of them, newest first; `next` is the cursor of the next page. */
export async function listPeriods(
  { sql }: Database,
  environment: Environment,
  key: string,
  before: string | null,
  limit: number,
): Promise<{ board: Leaderboard; periods: KeptPeriod[]; next: string | null }> {
  const board = await boardOf(sql, environment, key);
  const { page, next } = pageOf(await selectPeriods(sql, board.id, before, limit + 1), limit);
  return { board, periods: page, next: next && next.start };
}

interface Wanted {
  key: string;
  start: string;
  after: RowCursor | null;
  /** A player, or on a team board a team; null: none. */
  around: string | null;
  limit: number;
}

/** Rows shown above the named row. */
const ABOVE = 10;

/** A page of the rows of a period; empty around a player or team without a score. Throws OperatorError. */
export async function listStandings(
  { sql }: Database,
  environment: Environment,
  { key, start, after, around, limit }: Wanted,
): Promise<{ board: Leaderboard; rows: PageRow[]; hasMore: boolean }> {
  const board = await boardOf(sql, environment, key);
  const period = await periodOfBoard(sql, board, start);
  const from = around === null || after !== null ? after : await pageCursor(sql, environment, board, period, around);
  if (from === undefined) return { board, rows: [], hasMore: false };
  const { page, next } = pageOf(await selectRows(sql, period.id, from, limit + 1), limit);
  return { board, rows: page, hasMore: next !== null };
}

/** The cursor above a player; on a team board, above the named team or that of the named player. */
async function pageCursor(sql: Sql, environment: Environment, board: Leaderboard, { id }: KeptPeriod, name: string) {
  const player = playerKey(environment.id, name);
  if (board.teamAttributeId === null) return entryAbove(sql, id, player, ABOVE);
  const place = await entryAbove(sql, id, teamKey(board.id, name), ABOVE);
  if (place !== undefined) return place;
  const team = await selectTeamOf(sql, id, player);
  return team === null ? undefined : entryAbove(sql, id, teamKey(board.id, team), ABOVE);
}

/** The players of a group of a league, with their ranks in it. Throws OperatorError. */
export async function listGroup(
  { sql }: Database,
  environment: Environment,
  { key, start, tier, group }: { key: string; start: string; tier: number; group: number },
): Promise<{ board: Leaderboard; rows: PageRow[] }> {
  const board = await boardOf(sql, environment, key);
  const found = await selectGroup(sql, (await periodOfBoard(sql, board, start)).id, tier, group);
  const placed = ranks(found);
  return { board, rows: found.map((row, at) => ({ ...row, team: null, members: null, rank: placed[at] ?? 0 })) };
}
