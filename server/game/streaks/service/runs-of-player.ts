import type { Sql } from "#db/client.ts";
import type { Streak } from "#server/model/streaks/definition.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { runIdOf } from "#server/model/streaks/advance.ts";
import { loadRuns } from "#server/engine/store/streaks.ts";

/** The streak of each of a player's runs, by the run's id in rewards. */
export async function streaksOfRuns(sql: Sql, key: PlayerKey, streaks: readonly Streak[]): Promise<Map<string, Streak>> {
  const byId = new Map(streaks.map((streak) => [streak.id, streak]));
  const runs = await loadRuns(
    sql,
    streaks.map(({ id }) => ({ part: key.part, playerId: key.playerId, streakId: id })),
  );
  return new Map(runs.map((run) => [runIdOf(key, byId.get(run.streakId)!, run), byId.get(run.streakId)!]));
}
