import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { LockedEnvironment } from "#server/engine/apply.ts";
import { nextSeq, untilOthersWrote } from "#server/engine/store.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";
import { isFilling } from "../store/fills.ts";
import { hasUnsettledBefore, type PeriodRow } from "#server/engine/store/periods.ts";
import { hasWaitingFrom } from "../store/settling.ts";
import { beginNext } from "./begin-next.ts";
import { close } from "./close.ts";
import { type Next, saveProgress } from "./progress.ts";

/**
 * Freezes a period: nothing moves it from here on. Every fact received before it must be applied, and every earlier period settled;
 * otherwise it waits. It does not wait for the quarantine: ranks are final whatever becomes of those facts. It also waits until the board
 * has the values that players held when it was created or switched on. A board that is off is settled once it is on again.
 */
export async function freeze(tx: Transaction, locked: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next | null> {
  const { environment, now } = locked;
  if (!board.active) return saveProgress(tx, period.id, { step: "Ended", dueAt: null });
  if (period.settlesAt === null || (await hasUnsettledBefore(tx, board.id, period.number))) return null;
  if (await isFilling(tx, board.id)) return null;
  const frozenSeq = await nextSeq(tx);
  // A request may still be writing what it received before; on a Sandbox clock that is moved the period ended only just now.
  if (!(await untilOthersWrote(tx, environment.id))) return null;
  if (await hasWaitingFrom(tx, environment.id, period.settlesAt, FINE_LANES)) return null;
  // Periods that passed while the board was off are left out.
  if (period.step === "Open") await beginNext(tx, locked, board, period);
  const frozen = { dueAt: now, prizes: board.prizes, settledAt: now, frozenSeq };
  if (board.league !== null) return saveProgress(tx, period.id, { step: "Seating", ...frozen });
  const next = await saveProgress(tx, period.id, { step: "Closing", ...frozen });
  // Without prizes the period is done.
  return board.prizes.length > 0 ? next : close(tx, locked, board, { ...period, settledAt: now });
}
