import type { Transaction } from "#db/client.ts";

/** Deletes the periods of a board that never had a score, with the ranges and seats made for them, and what it was to be filled with. */
export async function deletePeriodsOf(tx: Transaction, leaderboardId: number): Promise<void> {
  const periods = tx`select id from leaderboard_periods where leaderboard_id = ${leaderboardId}::int`;
  for (const table of ["leaderboard_counts", "leaderboard_blocks", "leaderboard_seats"] as const) {
    await tx`delete from ${tx(table)} where period_id in (${periods})`;
  }
  await tx`delete from leaderboard_fills where leaderboard_id = ${leaderboardId}::int`;
  await tx`delete from leaderboard_periods where leaderboard_id = ${leaderboardId}::int`;
}
