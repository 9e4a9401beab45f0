import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { LockedEnvironment } from "#server/engine/apply.ts";
import { notify } from "#server/engine/apply/rewards.ts";
import { periodClosed } from "#server/model/leaderboards/notification.ts";
import { countParticipants, type PeriodRow } from "#server/engine/store/periods.ts";
import { closePage } from "./close-page.ts";
import { type Next, saveProgress } from "./progress.ts";

/** Takes one page of closing. After the last page the period is settled, and its webhook is written. */
export async function close(tx: Transaction, { environment }: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const settledAt = period.settledAt ?? 0;
  const cursor = await closePage(tx, board, { ...period, prizes: period.prizes ?? [], settledAt }, period.cursor);
  if (cursor !== null) return saveProgress(tx, period.id, { step: "Closing", dueAt: period.dueAt, cursor });
  const participants = await countParticipants(tx, period.id);
  await notify(tx, [periodClosed(board.key, { ...period, environmentId: environment.id, participants, settledAt })]);
  return saveProgress(tx, period.id, { step: "Settled", dueAt: null, participants });
}
