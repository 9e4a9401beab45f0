import { type Database, transact, type Transaction } from "#db/client.ts";
import { type LockedEnvironment, openLocked } from "#server/engine/apply.ts";
import { enqueueDeliveries } from "#server/engine/store/outbox.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";
import { lockExclusive, nextSeq, untilOthersWrote } from "#server/engine/store/locks.ts";
import { countParticipants, duePeriods, hasUnsettledBefore, type PeriodRow, takePeriod } from "#server/engine/store/periods.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";
import { periodClosed } from "#server/model/leaderboards/closing.ts";
import { isHeld } from "#server/model/leaderboards/shape.ts";
import { beginNext, carry, end } from "./carry.ts";
import { closePage } from "./close-page.ts";
import { giveSeatsIn, seat } from "./give-seats.ts";
import { type Next, saveProgress } from "./progress.ts";
import { isFilling } from "../store/fills.ts";
import { hasWaitingFrom } from "../store/settling.ts";

/**
 * Takes every due step for the periods of an environment, in the order of their ends: freeze, next period, seats, leagues, prizes, webhook
 * (README.md). Each step is a transaction that stores the next one, so any process can continue, and several may try at the same time.
 * Returns the number of steps.
 */
export async function settlePeriods(
  database: Database,
  environmentId: number,
  isStopping: () => boolean = () => false,
  isWanted: (period: PeriodRow) => boolean = () => true,
): Promise<number> {
  const environment = await loadEnvironment(database.sql, environmentId);
  if (environment === null) return 0;
  const [now, definitions] = await Promise.all([environmentNow(database.sql, environment), definitionsOf(database.sql, environment)]);
  let steps = 0;
  for (const period of (await duePeriods(database.sql, environmentId, now)).filter(isWanted)) {
    const board = definitions.leaderboardsById.get(period.leaderboardId);
    let next: Next | null = board === undefined ? null : period;
    while (next !== null && !isStopping() && next.dueAt !== null && next.dueAt <= now) {
      next = await takeStep(database, environmentId, board!, { ...period, step: next.step });
      if (next !== null) steps++;
    }
  }
  if (steps > 0) await giveSeatsIn(database, environmentId);
  return steps;
}

/** Settles the periods whose settling has begun, as in a backup that was taken meanwhile. One that has only ended stays as it is. */
export const finishSettling = (database: Database, environmentId: number): Promise<number> =>
  settlePeriods(database, environmentId, undefined, ({ step }) => step !== "Open" && step !== "Ended");

/** Takes the next step of a period; null if another process takes it, or it must wait for other work. */
async function takeStep(database: Database, environmentId: number, known: Leaderboard, period: PeriodRow): Promise<Next | null> {
  if (!isToFreeze(known, period)) return transact(database, async (tx) => step(tx, await openLocked(tx, environmentId), period));
  if (period.settlesAt === null || (await hasWaitingFrom(database.sql, environmentId, period.settlesAt, FINE_LANES))) return null;
  if (await isFilling(database.sql, period.leaderboardId)) return null;
  return transact(database, async (tx) => {
    await lockExclusive(tx, environmentId);
    const environment = await loadEnvironment(tx, environmentId);
    if (environment === null) return null;
    const [now, definitions] = await Promise.all([environmentNow(tx, environment), definitionsOf(tx, environment)]);
    return step(tx, { environment, definitions, now }, period);
  });
}

/** A board over an attribute carries its values into the next period first; others freeze directly. A board's source never changes. */
const isToFreeze = (board: Leaderboard, { step }: PeriodRow): boolean => step === "Ended" || (step === "Open" && !isHeld(board));

async function step(tx: Transaction, locked: LockedEnvironment, seen: PeriodRow): Promise<Next | null> {
  const period = await takePeriod(tx, seen);
  const board = locked.definitions.leaderboardsById.get(seen.leaderboardId);
  if (period === null || board === undefined || period.dueAt === null || period.dueAt > locked.now) return null;
  switch (period.step) {
    case "Open":
      return isToFreeze(board, period) ? freeze(tx, locked, board, period) : end(tx, locked, board, period);
    case "Carrying":
      return carry(tx, locked, board, period);
    case "Ended":
      return freeze(tx, locked, board, period);
    case "Seating":
      return seat(tx, board, period);
    case "Closing":
      return close(tx, locked, board, period);
    case "Settled":
      return null;
  }
}

/**
 * Freezes a period: its scores no longer change. It waits until all facts received before are applied, all earlier periods are settled, and
 * the board is filled with the values that players held when it was created or switched on. It does not wait for the quarantine: ranks are
 * final, even if those facts are retried. A board that is off is settled once it is on again.
 */
async function freeze(tx: Transaction, locked: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next | null> {
  const { environment, now } = locked;
  if (!board.active) return saveProgress(tx, period.id, { step: "Ended", dueAt: null });
  if (period.settlesAt === null || (await hasUnsettledBefore(tx, board.id, period.number))) return null;
  if (await isFilling(tx, board.id)) return null;
  const frozenSeq = await nextSeq(tx);
  // A request may still be writing facts that it received before the end, above all when a Sandbox clock was just moved past it.
  if (!(await untilOthersWrote(tx, environment.id))) return null;
  if (await hasWaitingFrom(tx, environment.id, period.settlesAt, FINE_LANES)) return null;
  // Periods that passed while the board was off are left out.
  if (period.step === "Open") await beginNext(tx, locked, board, period);
  const frozen = { dueAt: now, prizes: board.prizes, settledAt: now, frozenSeq };
  if (board.league !== null) return saveProgress(tx, period.id, { step: "Seating", ...frozen });
  const next = await saveProgress(tx, period.id, { step: "Closing", ...frozen });
  // Without prizes the period is settled in this transaction.
  return board.prizes.length > 0 ? next : close(tx, locked, board, { ...period, settledAt: now });
}

/** Takes one page of closing. After the last page the period is settled, and its webhook is written. */
export async function close(tx: Transaction, { environment }: LockedEnvironment, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const settledAt = period.settledAt ?? 0;
  const cursor = await closePage(tx, board, { ...period, prizes: period.prizes ?? [], settledAt }, period.cursor);
  if (cursor !== null) return saveProgress(tx, period.id, { step: "Closing", dueAt: period.dueAt, cursor });
  const participants = await countParticipants(tx, period.id);
  await enqueueDeliveries(tx, [periodClosed(board.key, { ...period, environmentId: environment.id, participants, settledAt })]);
  return saveProgress(tx, period.id, { step: "Settled", dueAt: null, participants });
}
