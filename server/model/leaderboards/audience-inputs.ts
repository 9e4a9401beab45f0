import type { Definitions, Leaderboard } from "../definitions/compiled.ts";
import type { EventFact } from "../kernel/facts.ts";
import { type ConditionInput, inputsIn } from "../rules/condition.ts";

/**
 * The leaderboards that queued facts may move and that read the player before they score: the team, or the audience. A fold of the facts
 * needs these inputs.
 */
export function boardsThatLook(definitions: Definitions, facts: readonly Pick<EventFact, "definitionId">[]): Leaderboard[] {
  const { leaderboardsByEvent, pointsLeaderboards, missionsByEvent, streaksByEvent } = definitions;
  const mayGrant = ({ definitionId }: Pick<EventFact, "definitionId">) =>
    missionsByEvent.has(definitionId) || streaksByEvent.has(definitionId);
  const boards = new Set(facts.flatMap(({ definitionId }) => leaderboardsByEvent.get(definitionId) ?? []));
  if (pointsLeaderboards.length > 0 && facts.some(mayGrant)) for (const board of pointsLeaderboards) boards.add(board);
  return [...boards].filter(({ audience, teamAttributeId }) => audience.rule !== null || teamAttributeId !== null);
}

/** The condition inputs that leaderboards read before players score. */
export const inputsOfBoards = (boards: readonly Leaderboard[]): ConditionInput[] =>
  boards.flatMap(({ audience }) => (audience.rule === null ? [] : inputsIn(audience.rule)));

/** The inputs that may be read for a player whose attributes change, or who is granted points. */
export const inputsOfDecisions = ({ pointsLeaderboards, leaderboardsByAttribute }: Definitions): ConditionInput[] =>
  inputsOfBoards([...pointsLeaderboards, ...leaderboardsByAttribute.values().flatMap((boards) => boards)]);
