import type { Definitions, Leaderboard, Mission, Streak } from "../../model/definitions/compiled.ts";
import { leaderboardLookups } from "../../model/leaderboards/lookups.ts";
import { effectScores } from "../../model/leaderboards/shape.ts";
import type { Audience } from "../../model/rules/audience.ts";

/** Definitions in which facts move only one mission, streak or leaderboard, which is switched on. */

/** Definitions without missions, streaks and leaderboards. */
export const nothingMoves = (definitions: Definitions): Definitions => ({
  ...definitions,
  missions: [],
  missionsById: new Map(),
  missionsByKey: new Map(),
  missionsByEvent: new Map(),
  missionsByAttribute: new Map(),
  partitionsByEvent: new Map(),
  streaks: [],
  streaksByEvent: new Map(),
  rollupsByEvent: new Map(),
  ...leaderboardLookups([]),
});

export function onlyMission(definitions: Definitions, mission: Mission): Definitions {
  const ids = (isAttribute: boolean) => [
    ...new Set(
      mission.objectives.flatMap(({ criteria }) =>
        criteria.filter(({ source }) => (source === "Attribute") === isAttribute).map(({ definitionId }) => definitionId),
      ),
    ),
  ];
  return {
    ...nothingMoves(definitions),
    missions: [mission],
    missionsById: new Map([[mission.id, mission]]),
    missionsByKey: new Map([[mission.key, mission]]),
    missionsByEvent: new Map(ids(false).map((id) => [id, [mission]])),
    missionsByAttribute: new Map(ids(true).map((id) => [id, [mission]])),
    partitionsByEvent: new Map(ids(false).map((id) => [id, [mission.partitionId]])),
  };
}

export const onlyStreak = (definitions: Definitions, streak: Streak): Definitions => ({
  ...nothingMoves(definitions),
  streaks: [streak],
  streaksByEvent: new Map([[streak.criterion.definitionId, [streak]]]),
});

/** A board over effects scores what missions and streaks bring about, which therefore move too. */
export const onlyLeaderboard = (definitions: Definitions, board: Leaderboard): Definitions => ({
  ...(effectScores(board) === null ? nothingMoves(definitions) : { ...definitions, rollupsByEvent: new Map() }),
  ...leaderboardLookups([board]),
});

/** The definition as if active, and existing since an instant. */
export const asTried = <Tried extends { active: boolean; createdAt: number }>(tried: Tried, since: number): Tried => ({
  ...tried,
  active: true,
  createdAt: Math.min(tried.createdAt, since),
});

export const forEverybody = <Tried extends { audience: Audience }>(tried: Tried): Tried => ({
  ...tried,
  audience: { ...tried.audience, rule: null },
});
