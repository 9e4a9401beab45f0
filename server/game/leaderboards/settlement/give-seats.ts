import { type Database, transact, type Transaction } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import { openLocked } from "#server/engine/apply.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";
import { groupOfSeat } from "#server/model/leaderboards/ranking.ts";
import { type PeriodRow, takePeriod, takesScores, unsettledPeriods } from "#server/engine/store/periods.ts";
import { untilSeenEverywhere } from "#server/engine/store/locks.ts";
import { firstWaiting, giveSeats, loadUnseated, periodsWithSeatsToGive } from "../store/settling.ts";
import { type Next, PAGE, saveProgress } from "./progress.ts";

/**
 * Gives seats to a page of waiting players. Called once all facts of the period are applied, so that in the end every scorer has a seat.
 */
export async function seat(tx: Transaction, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const given = await seatPage(tx, board, period, null);
  return given === PAGE ? period : saveProgress(tx, period.id, { step: "Closing", dueAt: period.dueAt });
}

/** Gives waiting players seats in the leagues of an environment. */
export async function giveSeatsIn(database: Database, environmentId: number): Promise<void> {
  for (const period of await periodsWithSeatsToGive(database.sql)) {
    if (period.environmentId !== environmentId) continue;
    while ((await giveSeatsOf(database, environmentId, period.id)) === PAGE);
  }
}

/**
 * Gives seats in a league's period to scorers once the period before it is settled: in the order of first scores, and only up to the first
 * fact that is not applied. Returns the number given.
 */
export async function giveSeatsOf(database: Database, environmentId: number, periodId: number): Promise<number> {
  return transact(database, async (tx) => {
    const { definitions } = await openLocked(tx, environmentId);
    const seen = (await unsettledPeriods(tx, environmentId)).find(({ id }) => id === periodId);
    const board = seen === undefined ? undefined : definitions.leaderboardsById.get(seen.leaderboardId);
    if (seen === undefined || board === undefined || !takesScores(seen)) return 0;
    const waiting = await firstWaiting(tx, environmentId, FINE_LANES);
    // Every applied fact has its seat, but on another machine that may not be visible yet: later players would get earlier places.
    if (!(await untilSeenEverywhere(tx))) return 0;
    const period = await takePeriod(tx, seen);
    if (period === null) return 0;
    return seatPage(tx, board, period, waiting);
  });
}

async function seatPage(tx: Transaction, { id, league }: Leaderboard, period: PeriodRow, beforeSeq: number | null): Promise<number> {
  if (league === null) return 0;
  const players = await loadUnseated(tx, id, period.id, beforeSeq, PAGE);
  if (players.length === 0) return 0;
  const given = league.tiers.map((_, tier) => period.seats[tier] ?? 0);
  const seated = players.map((player) => {
    const seat = given[player.tier] ?? 0;
    given[player.tier] = seat + 1;
    return { ...player, groupNumber: groupOfSeat(seat, league.groupSize) };
  });
  await giveSeats(tx, period.id, seated, given);
  return players.length;
}
