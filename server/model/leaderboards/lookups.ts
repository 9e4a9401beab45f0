import type { Definitions, Leaderboard } from "../definitions/compiled.ts";
import { isEvent, type WaitingFact } from "../kernel/facts.ts";
import { attributesIn, type ConditionInput, inputsIn } from "../rules/condition.ts";
import { effectScores, isHeld, isMeasured } from "./shape.ts";

type Lookups = Pick<
  Definitions,
  "leaderboards" | "leaderboardsByKey" | "leaderboardsById" | "leaderboardsByEvent" | "effectLeaderboards" | "leaderboardsByAttribute"
>;

/** Lookups of leaderboards, in creation order; those by source only have active boards. */
export function leaderboardLookups(leaderboards: readonly Leaderboard[]): Lookups {
  const active = leaderboards.filter((board) => board.active);
  const ofEvents = active.filter(isMeasured);
  const ofAttributes = active.filter(isHeld);
  const named = ofAttributes.flatMap((board) => Array.from(decidingAttributes(board), (attributeId) => ({ attributeId, board })));
  const byAttribute = Map.groupBy(named, ({ attributeId }) => attributeId);
  return {
    leaderboards,
    leaderboardsByKey: new Map(leaderboards.map((board) => [board.key, board])),
    leaderboardsById: new Map(leaderboards.map((board) => [board.id, board])),
    leaderboardsByEvent: Map.groupBy(ofEvents, ({ definitionId }) => definitionId ?? 0),
    effectLeaderboards: active.filter((board) => effectScores(board) !== null),
    leaderboardsByAttribute: new Map([...byAttribute].map(([id, entries]) => [id, entries.map(({ board }) => board)])),
  };
}

/** The attributes whose change may move a player on a board over an attribute. */
export function decidingAttributes({ definitionId, teamAttributeId, audience }: Leaderboard): Set<number> {
  const named = audience.rule === null ? [] : attributesIn(audience.rule);
  return new Set([definitionId, teamAttributeId, ...named].filter((id) => id !== null));
}

/**
 * The leaderboards that queued facts may move and that read the player before they score, for the team or the audience. A fold of the
 * facts needs these inputs. A period that begins may pay, even if its streak is off by then.
 */
export function boardsReadingPlayer(definitions: Definitions, facts: readonly WaitingFact[]): Leaderboard[] {
  const { leaderboardsByEvent, effectLeaderboards, missionsByEvent, streaksByEvent } = definitions;
  const hasEffects = (fact: WaitingFact) =>
    !isEvent(fact) || missionsByEvent.has(fact.definitionId) || streaksByEvent.has(fact.definitionId);
  const boards = new Set(facts.filter(isEvent).flatMap(({ definitionId }) => leaderboardsByEvent.get(definitionId) ?? []));
  if (effectLeaderboards.length > 0 && facts.some(hasEffects)) for (const board of effectLeaderboards) boards.add(board);
  return [...boards].filter(({ audience, teamAttributeId }) => audience.rule !== null || teamAttributeId !== null);
}

/** The condition inputs that leaderboards read before players score. */
export const inputsOfBoards = (boards: readonly Leaderboard[]): ConditionInput[] =>
  boards.flatMap(({ audience }) => (audience.rule === null ? [] : inputsIn(audience.rule)));

/** The inputs that may be read for a player whose attributes change, or who is granted points. */
export const inputsOfDecisions = ({ effectLeaderboards, leaderboardsByAttribute }: Definitions): ConditionInput[] =>
  inputsOfBoards([...effectLeaderboards, ...leaderboardsByAttribute.values().flatMap((boards) => boards)]);
