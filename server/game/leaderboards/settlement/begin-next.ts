import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { LockedEnvironment } from "#server/engine/apply.ts";
import type { ScorePeriod } from "#server/model/kernel/effects.ts";
import { periodOf } from "#server/model/leaderboards/periods.ts";
import { newPeriod } from "../service/schedule.ts";
import { ensurePeriods, type PeriodRow } from "#server/engine/store/periods.ts";

/** Creates the next period; null if none follows. */
export async function beginNext(tx: Transaction, { environment, definitions }: LockedEnvironment, board: Leaderboard, period: PeriodRow) {
  const next = board.active && board.period.kind === "Calendar" ? following(board, period, definitions.timeZone) : null;
  if (next !== null) await ensurePeriods(tx, environment.id, [newPeriod(board, next)]);
  return next;
}

/** Where the project has since moved to a zone further west, a period ends while its last day goes on. */
function following(board: Leaderboard, { start, endsAt }: PeriodRow, zone: string): ScorePeriod | null {
  const next = endsAt === null ? null : periodOf(board, endsAt, zone);
  return next === null || next.start > start || next.endsAt === null ? next : periodOf(board, next.endsAt, zone);
}
