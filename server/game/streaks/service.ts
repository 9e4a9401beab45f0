import type { Database, Sql } from "#db/client.ts";
import { definitionsOf } from "../../authoring/definitions/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { periodAt } from "../../model/kernel/time.ts";
import { type PlayerKey, playerKey } from "../../model/players/identity.ts";
import { zoneOf } from "../players/service.ts";
import type { StreakRule } from "../../model/rules/condition.ts";
import { type StreakRow, streakRow } from "../../model/streaks/rows.ts";
import { withCurrent } from "../../model/streaks/advance.ts";
import { liveRun } from "../../model/streaks/runs.ts";
import { loadLongest, loadPeriods, loadRunsNear, loadRunsNearAll } from "../../engine/store/streaks.ts";

/** Every active streak of a player; all at zero for an unknown one. */
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
  const asked = currentPeriods(streaks, now, zone);
  const [runs, longest, periods] = await Promise.all([
    loadRunsNear(sql, key, asked),
    loadLongest(sql, key),
    loadPeriods(
      sql,
      asked.map(({ streakId, current }) => ({ ...key, streakId, starts: [current] })),
    ),
  ]);
  const runsOf = Map.groupBy(runs, ({ streakId }) => streakId);
  const qualified = new Set(periods.filter(({ period }) => period.isQualified).map(({ streakId }) => streakId));
  return streaks.map((streak) => {
    const { id } = streak;
    const isQualified = qualified.has(id);
    const known = runsOf.get(id) ?? [];
    const runs = isQualified ? withCurrent(streak, known, periodAt(now, zone, streak.cadence).start) : known;
    const progress = { runs, longest: longest.get(id) ?? 0, isQualified };
    return streakRow(streak, progress, now, zone, language);
  });
}

/** The lengths of a player's live runs at `now`, by streak id; 0 without one. */
export async function liveLengths(
  sql: Sql,
  key: PlayerKey,
  streaks: readonly StreakRule[],
  now: number,
  zone: string,
): Promise<Map<number, number>> {
  const asked = currentPeriods(streaks, now, zone);
  const runsOf = Map.groupBy(await loadRunsNear(sql, key, asked), ({ streakId }) => streakId);
  return new Map(
    streaks.map(({ id, cadence }) => [id, liveRun(runsOf.get(id) ?? [], periodAt(now, zone, cadence).start, cadence)?.run.length ?? 0]),
  );
}

/** As `liveLengths`, for several players: by player id and streak id. */
export async function liveLengthsOfPlayers(
  sql: Sql,
  players: readonly (PlayerKey & { zone: string })[],
  streaks: readonly StreakRule[],
  now: number,
): Promise<Map<string, Map<number, number>>> {
  const asked = players.flatMap(({ part, playerId, zone }) =>
    currentPeriods(streaks, now, zone).map((period) => ({ part, playerId, ...period })),
  );
  const runs = Map.groupBy(await loadRunsNearAll(sql, asked), ({ playerId, streakId }) => `${playerId}/${streakId}`);
  return new Map(
    players.map(({ playerId, zone }) => {
      const lengths = streaks.map(({ id, cadence }): [number, number] => {
        const live = liveRun(runs.get(`${playerId}/${id}`) ?? [], periodAt(now, zone, cadence).start, cadence);
        return [id, live?.run.length ?? 0];
      });
      return [playerId, new Map(lengths)];
    }),
  );
}

const currentPeriods = (streaks: readonly StreakRule[], now: number, zone: string) =>
  streaks.map(({ id, cadence }) => ({ streakId: id, current: periodAt(now, zone, cadence).start }));
