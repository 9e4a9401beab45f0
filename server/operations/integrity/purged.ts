import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "../../model/definitions/compiled.ts";
import { boundsOf } from "../../model/leaderboards/periods.ts";
import { purgedBefore } from "../retention/service/settings.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * The instant from which the log is complete, by receipt; 0 if nothing was purged. A fact may have been received shortly before the start
 * of what it counts for: its request took longer.
 */
export async function logWholeFrom(tx: Transaction, environmentId: number): Promise<number> {
  const before = await purgedBefore(tx, environmentId);
  return before === null ? 0 : before + HOUR_MS;
}

/**
 * Whether the log has everything that a period of a board may have counted. An event may happen up to a day after its receipt
 * (spec/decisions.md).
 */
export function isWholeInLog(board: Leaderboard, start: string, timeZone: string, wholeFrom: number): boolean {
  if (wholeFrom === 0 || board.scoreSource === "Points") return true;
  const { startsAt } = boundsOf(board, start, timeZone);
  return Math.max(board.createdAt, (startsAt ?? 0) - 25 * HOUR_MS) >= wholeFrom;
}
