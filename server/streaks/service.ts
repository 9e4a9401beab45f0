import type { Database, Sql } from "../../db/client.ts";
import type { Streak } from "../definitions/compiled.ts";
import { definitionsOf } from "../definitions/service.ts";
import type { Environment } from "../kernel/environment.ts";
import type { Run } from "../kernel/player.ts";
import { type PlayerKey, playerKey } from "../players/identity.ts";
import { zoneOf } from "../players/service.ts";
import { type StreakRow, streakRow } from "./rows.ts";
import { loadLatestRuns, loadLongest } from "./store.ts";

/** Every active streak as it stands for a player (api.md 4.8); all at zero for one that the environment has never seen. */
export async function readStreaks(
  { sql }: Database,
  environment: Environment,
  now: number,
  { externalId, language }: { externalId: string; language: string | null },
): Promise<StreakRow[]> {
  const definitions = await definitionsOf(sql, environment);
  const streaks = definitions.streaks.filter(({ active }) => active);
  const key = playerKey(environment.id, externalId);
  const [zone, latest, longest] = await Promise.all([zoneOf(sql, key), latestRuns(sql, key, streaks), loadLongest(sql, key)]);
  return streaks.map((streak) =>
    streakRow(
      streak,
      { latest: latest.get(streak.id) ?? null, longest: longest.get(streak.id) ?? 0 },
      now,
      zone ?? definitions.timeZone,
      language,
    ),
  );
}

/** The last run of some streaks of a player, by streak id. */
export async function latestRuns(sql: Sql, { part, playerId }: PlayerKey, streaks: readonly Streak[]): Promise<Map<number, Run>> {
  const rows = await loadLatestRuns(
    sql,
    streaks.map(({ id }) => ({ part, playerId, streakId: id })),
  );
  return new Map(rows.map((row) => [row.streakId, row]));
}
