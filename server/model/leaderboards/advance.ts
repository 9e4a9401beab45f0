import type { Definitions, Leaderboard } from "../definitions/compiled.ts";
import type { Effect, ScoreChange, ScorePeriod } from "../rules/effects.ts";
import type { AttributeFact, EventFact, Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { isNumeric } from "../kernel/values.ts";
import { isIn } from "../rules/audience.ts";
import { passes } from "../rules/filter.ts";
import { measuredValue } from "../rules/measure.ts";
import { isOpen, periodOf, periodsHeld } from "./periods.ts";
import { effectScores } from "./shape.ts";

/**
 * Adds the score changes of a fact to the list. `first` is the index at which the effects of the fact begin: some boards score
 * these, such as the points that missions and streaks have just granted.
 */
export function onScores(player: Player, definitions: Definitions, fact: Fact, effects: Effect[], first: number): void {
  if (fact.kind === "event") scoreEvent(player, definitions, fact, effects);
  if (fact.kind === "attribute") scoreAttribute(player, definitions, fact, effects);
  if (definitions.effectLeaderboards.length > 0) scoreEffects(player, definitions, fact, effects, first);
}

function scoreEvent(player: Player, definitions: Definitions, fact: EventFact, effects: Effect[]): void {
  for (const board of definitions.leaderboardsByEvent.get(fact.definitionId) ?? []) {
    const change = changeBy(board, fact, player.timeZone ?? definitions.timeZone);
    const period = change === null ? null : periodOf(board, fact.occurredAt, definitions.timeZone);
    if (change === null || period === null || !isOpen(board, period, fact.receivedAt)) continue;
    effects.push(...changes(player, board, period, change, fact.seq));
  }
}

/** The change of a score by an event; null if the board does not count it, or it has no value. `zone` is that of the player's clock. */
export function changeBy({ where, measure }: Leaderboard, fact: EventFact, zone: string): ScoreChange | null {
  if (measure === null || !passes(where, fact, zone)) return null;
  const at = fact.occurredAt;
  if (measure.kind === "Count") return { by: "Sum", value: 1, at };
  const value = measuredValue(fact, measure.property);
  return isNumeric(value) ? { by: measure.kind, value, at } : null;
}

function scoreEffects(player: Player, definitions: Definitions, fact: Fact, effects: Effect[], first: number): void {
  for (const effect of effects.slice(first)) {
    for (const board of definitions.effectLeaderboards) {
      const change = effectScores(board)?.changeBy(effect) ?? null;
      const period = change === null ? null : periodOf(board, change.at, definitions.timeZone);
      if (change === null || period === null || !isOpen(board, period, change.at)) continue;
      effects.push(...changes(player, board, period, change, fact.seq));
    }
  }
}

/** A change of another attribute may put the player on a board, or into another team. */
function scoreAttribute(player: Player, definitions: Definitions, fact: AttributeFact, effects: Effect[]): void {
  const { occurredAt: since, receivedAt, seq } = fact;
  for (const board of definitions.leaderboardsByAttribute.get(fact.attributeId) ?? []) {
    effects.push(...heldScores(player, definitions, board, { since, seq, receivedAt, now: receivedAt }));
  }
}

/** How long a player's value counts: since when it held, the fact that set it, its receipt, and the instant of the judgement. */
interface Holding {
  since: number;
  seq: number;
  receivedAt: number;
  now: number;
}

/**
 * A board over an attribute ranks the values that players have: each value in every period in which it held, with the team they are in
 * now. A player without a value is not ranked.
 */
export function heldScores(
  player: Player,
  { timeZone }: Pick<Definitions, "timeZone">,
  board: Leaderboard,
  { since, seq, receivedAt, now }: Holding,
): Effect[] {
  const held = board.definitionId === null ? undefined : player.attributes.get(board.definitionId);
  if (held === undefined || !isNumeric(held.value)) return [];
  const change: ScoreChange = { by: "Set", value: held.value, at: held.occurredAt };
  const periods = periodsHeld(board, Math.max(since, held.occurredAt), receivedAt, timeZone, now);
  return periods.flatMap((period) => changes(player, board, period, change, seq));
}

/** At most one change: a player outside the audience is not ranked, and on a team board neither is one without a team. */
function changes(player: Player, board: Leaderboard, period: ScorePeriod, change: ScoreChange, seq: number): Effect[] {
  if (!mayScore(player, board)) return [];
  return [{ kind: "scoreChange", leaderboardId: board.id, period, team: teamOf(player, board), change, seq }];
}

/** Whether a player's facts score on a board: they are in its audience and, where teams are ranked, in a team. */
export const mayScore = (player: Player, board: Leaderboard): boolean =>
  (board.teamAttributeId === null || teamOf(player, board) !== null) && isIn(player, board.audience);

/** The longest name of a team; a longer text is not a team. */
const MAX_TEAM_LENGTH = 200;

/** The team that a player is in now; null if there is none, and on boards that rank players. */
export function teamOf({ attributes }: Pick<Player, "attributes">, { teamAttributeId }: Leaderboard): string | null {
  const team = teamAttributeId === null ? undefined : attributes.get(teamAttributeId)?.value;
  return typeof team === "string" && Array.from(team).length <= MAX_TEAM_LENGTH ? team : null;
}
