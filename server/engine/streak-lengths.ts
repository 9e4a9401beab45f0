import type { Sql } from "../../db/client.ts";
import { periodAt } from "../model/kernel/time.ts";
import type { PlayerKey } from "../model/players/identity.ts";
import type { StreakRule } from "../model/rules/condition.ts";
import { liveRun } from "../model/streaks/runs.ts";
import { loadRunsNear, loadStreaksNow } from "./store/streaks.ts";

/** The lengths of a player's live runs at `now`, by streak id; 0 without a live run. */
export async function liveLengths(
  sql: Sql,
  key: PlayerKey,
  streaks: readonly StreakRule[],
  now: number,
  zone: string,
): Promise<Map<number, number>> {
  const asked = currentPeriods(streaks, now, zone);
  const found = await loadStreaksNow(sql, key, asked);
  return new Map(
    streaks.map(({ id, cadence }) => [
      id,
      liveRun(found.get(id)?.runs ?? [], periodAt(now, zone, cadence).start, cadence)?.run.length ?? 0,
    ]),
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
  const runs = Map.groupBy(await loadRunsNear(sql, asked), ({ playerId, streakId }) => `${playerId}/${streakId}`);
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

export const currentPeriods = (streaks: readonly StreakRule[], now: number, zone: string) =>
  streaks.map(({ id, cadence }) => ({ streakId: id, current: periodAt(now, zone, cadence).start }));
