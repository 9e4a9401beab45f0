import type { Definitions, Leaderboard } from "../definitions/compiled.ts";
import { instantInZone, type Words } from "../definitions/words.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { filterReason, passes } from "../rules/filter.ts";
import { changeBy, mayScore, teamOf } from "./advance.ts";
import { isOpen, periodOf, settlesAt } from "./periods.ts";
import { isMeasured } from "./shape.ts";

/**
 * The reason why an event does not score on a board over events or a metric: null if it scores, undefined for an event the board does
 * not count. Judged with the player as they are when the event is applied.
 */
export function explainScore(
  player: Player,
  { timeZone }: Pick<Definitions, "timeZone">,
  board: Leaderboard,
  fact: EventFact,
  words: Words,
): string | null | undefined {
  if (!isMeasured(board) || board.definitionId !== fact.definitionId) return undefined;
  const zone = player.timeZone ?? timeZone;
  if (changeBy(board, fact, zone) === null) {
    if (!passes(board.where, fact, zone)) return filterReason(board.where, fact, zone, words.zone);
    const property = board.measure !== null && "property" in board.measure ? board.measure.property : null;
    return `it has no number in ${property ?? "its value"}`;
  }
  return keptOut(player, board, fact.occurredAt, fact.receivedAt, timeZone, words);
}

/** Why an instant does not count on a board; null if it does. */
export function keptOut(
  player: Player,
  board: Leaderboard,
  occurredAt: number,
  receivedAt: number,
  zone: string,
  words: Words,
): string | null {
  const period = periodOf(board, occurredAt, zone);
  if (period === null) {
    return board.period.kind === "Season"
      ? `outside the season (${instantInZone(board.period.startsAt, words)} to ${instantInZone(board.period.endsAt, words)})`
      : "it happened before the board's first period";
  }
  if (!isOpen(board, period, receivedAt)) {
    if (receivedAt < board.createdAt) return `received before the board was made (${instantInZone(board.createdAt, words)})`;
    return `its period was settled at ${instantInZone(settlesAt(board, period) ?? 0, words)}, before it was received`;
  }
  if (mayScore(player, board)) return null;
  if (board.teamAttributeId !== null && teamOf(player, board) === null) {
    return `the player has no team: ${words.nameOf(board.teamAttributeId)} is missing`;
  }
  return "the player is not in the audience";
}
