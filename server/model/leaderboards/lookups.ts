import type { Definitions, Leaderboard } from "../definitions/compiled.ts";
import { attributesIn } from "../rules/condition.ts";

type Lookups = Pick<
  Definitions,
  "leaderboards" | "leaderboardsByKey" | "leaderboardsById" | "leaderboardsByEvent" | "pointsLeaderboards" | "leaderboardsByAttribute"
>;

/** Lookups of leaderboards, in creation order; those by source only have active boards. */
export function leaderboardLookups(leaderboards: readonly Leaderboard[]): Lookups {
  const active = leaderboards.filter((board) => board.active);
  const ofEvents = active.filter(({ scoreSource }) => scoreSource === "Event" || scoreSource === "Metric");
  const ofAttributes = active.filter(({ scoreSource }) => scoreSource === "Attribute");
  const named = ofAttributes.flatMap((board) => Array.from(decidingAttributes(board), (attributeId) => ({ attributeId, board })));
  const byAttribute = Map.groupBy(named, ({ attributeId }) => attributeId);
  return {
    leaderboards,
    leaderboardsByKey: new Map(leaderboards.map((board) => [board.key, board])),
    leaderboardsById: new Map(leaderboards.map((board) => [board.id, board])),
    leaderboardsByEvent: Map.groupBy(ofEvents, ({ definitionId }) => definitionId ?? 0),
    pointsLeaderboards: active.filter(({ scoreSource }) => scoreSource === "Points"),
    leaderboardsByAttribute: new Map([...byAttribute].map(([id, entries]) => [id, entries.map(({ board }) => board)])),
  };
}

/** The attributes whose change may move a player on a board over an attribute. */
export function decidingAttributes({ definitionId, teamAttributeId, audience }: Leaderboard): Set<number> {
  const named = audience.rule === null ? [] : attributesIn(audience.rule);
  return new Set([definitionId, teamAttributeId, ...named].filter((id) => id !== null));
}
