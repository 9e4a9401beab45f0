import { derivedId, type PlayerKey } from "../players/identity.ts";

const PART_BITS = 10;

/** The address of a team's row among the scores: derived, as that of a player is. */
export function teamKey(leaderboardId: number, team: string): PlayerKey {
  const playerId = derivedId("team", leaderboardId, team);
  return { part: Number.parseInt(playerId.slice(0, 3), 16) >> (12 - PART_BITS), playerId };
}

/** The id of a period, as rewards and webhooks name it. */
export const periodIdOf = (leaderboardId: number, start: string): string => derivedId("leaderboardPeriod", leaderboardId, start);
