import { type Database, transact, type Transaction } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import { type LockedEnvironment, openLocked } from "#server/engine/apply.ts";
import { lockExclusive } from "#server/engine/store.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";
import { isFilling } from "../store/fills.ts";
import { duePeriods, type PeriodRow, takePeriod } from "#server/engine/store/periods.ts";
import { hasWaitingFrom } from "../store/settling.ts";
import { carry, end } from "./carry.ts";
import { close } from "./close.ts";
import { freeze } from "./freeze.ts";
import { giveSeatsIn, seat } from "./give-seats.ts";
import type { Next } from "./progress.ts";
import { isHeld } from "#server/model/leaderboards/definition/sources.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";

/**
 * Takes every due step for the periods of an environment, in the order of their ends: freeze, next period, seats, leagues, prizes, webhook
 * (README.md). Each step commits by itself and stores its state, so that any process can go on from there, and any number may try at once.
 * Returns the number of steps.
 */
export async function settlePeriods(database: Database, environmentId: number, isStopping: () => boolean = () => false): Promise<number> {
  const environment = await loadEnvironment(database.sql, environmentId);
  if (environment === null) return 0;
  const [now, definitions] = await Promise.all([environmentNow(database.sql, environment), definitionsOf(database.sql, environment)]);
  let steps = 0;
  for (const period of await duePeriods(database.sql, environmentId, now)) {
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

/** Carrying comes first, and only over an attribute: values go on in the next period. A board's source never changes. */
const isToFreeze = (board: Leaderboard, { step }: PeriodRow): boolean => step === "Ended" || (step === "Open" && !isHeld(board));

async function step(tx: Transaction, locked: LockedEnvironment, seen: PeriodRow): Promise<Next | null> {
  const period = await takePeriod(tx, seen.id, seen.step);
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
