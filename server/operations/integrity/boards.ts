import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "../../model/definitions/compiled.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { boundsOf, standingPeriod } from "../../model/leaderboards/periods.ts";
import { isHeld, logOf } from "../../model/leaderboards/shape.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { environmentNow } from "../../engine/environment.ts";
import { purgedBefore } from "../../engine/store/applied.ts";
import { HOUR } from "../../model/kernel/instant.ts";

/** An attribute board with its current period. */
export interface HeldBoard {
  board: Leaderboard;
  periodId: number;
  /** Epoch milliseconds; null for one without an end. */
  endsAt: number | null;
}

/**
 * The attribute boards that are complete. Left out are boards being filled, and boards whose values are being carried over into a new
 * period.
 */
export async function heldBoards(tx: Transaction, environment: Environment): Promise<HeldBoard[]> {
  const { leaderboards, timeZone } = await definitionsOf(tx, environment);
  const now = await environmentNow(tx, environment);
  const boards = leaderboards.filter((board) => isHeld(board) && board.active);
  const asked = boards.flatMap((board) => {
    const period = standingPeriod(board, now, timeZone);
    return period === null ? [] : [{ id: board.id, start: period.start }];
  });
  if (asked.length === 0) return [];
  const rows = await tx<{ id: number; periodId: number; endsAt: number | null }[]>`
    select b.id, l.id as period_id, l.ends_at
    from json_to_recordset(${writeJson(asked)}::text::json) as b("id" int, "start" text)
    join leaderboard_periods l on l.leaderboard_id = b.id and l.start = b.start and l.step = 'Open'
    where not exists (select from leaderboard_fills f where f.leaderboard_id = b.id and not f.is_through)
      and not exists (
        select from leaderboard_periods e
        where e.leaderboard_id = b.id and (e.step = 'Carrying' or e.step = 'Open' and e.ends_at <= ${now}))`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return boards.flatMap((board) => {
    const row = byId.get(board.id);
    return row === undefined ? [] : [{ board, periodId: row.periodId, endsAt: row.endsAt }];
  });
}

/** A line for a player whose score on an attribute board differs from their value. */
export const heldLine = (externalId: string, key: string, team: string, score: unknown, value: unknown): string =>
  `player "${externalId}", leaderboard ${key}${team === "" ? "" : `, team "${team}"`}: score ${score ?? "none"}, but the attribute is ${value ?? "without a value"}`;

/**
 * The instant from which the log is complete, by receipt; 0 if nothing was purged. A fact may have been received shortly before the start
 * of what it counts for: its request took longer.
 */
export async function logWholeFrom(tx: Transaction, environmentId: number): Promise<number> {
  const before = await purgedBefore(tx, environmentId);
  return before === null ? 0 : before + HOUR;
}

/**
 * Whether the log has everything that a period of a board may have counted. An event may happen up to a day after its receipt
 * (`isTooFarAhead`).
 */
export function isWholeInLog(board: Leaderboard, start: string, timeZone: string, wholeFrom: number): boolean {
  if (wholeFrom === 0 || logOf(board) === "Ledger") return true;
  const { startsAt } = boundsOf(board, start, timeZone);
  return Math.max(board.createdAt, (startsAt ?? 0) - 25 * HOUR) >= wholeFrom;
}

/** A board and its period, as named in lines of the check. */
export const periodName = (key: string, start: string): string =>
  start === "" ? `leaderboard ${key}` : `leaderboard ${key}, period of ${start}`;
