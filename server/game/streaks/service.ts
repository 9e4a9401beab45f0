import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { periodAt } from "../../model/kernel/time.ts";
import { playerKey } from "../../model/players/identity.ts";
import { zoneOf } from "../players/service.ts";
import { type StreakRow, streakRow } from "../../model/streaks/rows.ts";
import { withCurrent } from "../../model/streaks/advance.ts";
import { loadLongest, loadPeriods, loadRunsNear } from "../../engine/store/streaks.ts";
import { currentPeriods } from "../../engine/streak-lengths.ts";
import { definitionsOf } from "../../engine/definitions.ts";

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
