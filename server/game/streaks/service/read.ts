import type { Database, Sql } from "#db/client.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { loadRuns, loadStreaksNow } from "#server/engine/store/streaks.ts";
import { currentPeriods } from "#server/engine/streak-lengths.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { periodAt } from "#server/model/kernel/time.ts";
import { playerKey, type PlayerKey } from "#server/model/players/identity.ts";
import { runIdOf, withCurrent } from "#server/model/streaks/advance.ts";
import type { Streak } from "#server/model/streaks/definition.ts";
import { type StreakRow, streakRow } from "#server/model/streaks/rows.ts";
import { zoneOf } from "../../players/service/players.ts";

/** Every active streak of a player; all are zero for an unknown player. */
export async function readStreaks(
  { sql }: Database,
  environment: Environment,
  now: number,
  { externalId, language }: { externalId: string; language: string | null },
): Promise<StreakRow[]> {
  const definitions = await definitionsOf(sql, environment);
  const streaks = definitions.streaks.filter(({ active }) => active);
  const key = playerKey(environment.id, externalId);
  const zone = (await zoneOf(sql, key)) ?? definitions.timeZone;
  const found = await loadStreaksNow(sql, key, currentPeriods(streaks, now, zone));
  return streaks.map((streak) => {
    const { runs: known, longest, period } = found.get(streak.id) ?? { runs: [], longest: 0, period: null };
    const isQualified = period?.isQualified ?? false;
    const runs = isQualified ? withCurrent(streak, known, periodAt(now, zone, streak.cadence).start) : known;
    return streakRow(streak, { runs, longest, isQualified }, now, zone, language);
  });
}

/** The streak of each of a player's runs, by the run's id in rewards. */
export async function streaksOfRuns(sql: Sql, key: PlayerKey, streaks: readonly Streak[]): Promise<Map<string, Streak>> {
  const byId = new Map(streaks.map((streak) => [streak.id, streak]));
  const runs = await loadRuns(
    sql,
    streaks.map(({ id }) => ({ part: key.part, playerId: key.playerId, streakId: id })),
  );
  return new Map(runs.map((run) => [runIdOf(key, byId.get(run.streakId)!, run), byId.get(run.streakId)!]));
}
