import { addNumbers, compareNumbers, Decimal, type Numeric, simplify } from "../kernel/decimal.ts";
import type { ScoreChange } from "../rules/effects.ts";
import { derivedId, type PlayerKey } from "../players/identity.ts";

/** A player's score. `reachedSeq` is the position of the fact that brought it there. */
export interface Score {
  score: Numeric;
  reachedSeq: number;
  /** When the reading of a Latest happened; null for other scores. */
  latestAt: number | null;
}

/** The score after a change; the same object if it is unchanged. Of equal scores, the one reached first ranks first. */
export function changed(score: Score | null, { by, value, at }: ScoreChange, seq: number): Score {
  if (score === null) return { score: value, reachedSeq: seq, latestAt: by === "Latest" ? at : null };
  switch (by) {
    case "Sum":
      return compareNumbers(value, 0) === 0 ? score : { ...score, score: addNumbers(score.score, value), reachedSeq: seq };
    case "Max":
      return compareNumbers(value, score.score) > 0 ? { ...score, score: value, reachedSeq: seq } : score;
    case "Min":
      return compareNumbers(value, score.score) < 0 ? { ...score, score: value, reachedSeq: seq } : score;
    case "Latest":
      // By when it happened; of two at the same instant the one received later.
      if (score.latestAt !== null && at < score.latestAt) return score;
      return { score: value, reachedSeq: compareNumbers(value, score.score) === 0 ? score.reachedSeq : seq, latestAt: at };
    case "Set":
      return compareNumbers(value, score.score) === 0 ? score : { ...score, score: value, reachedSeq: seq };
    case "Carry":
      return score;
  }
}

export type RankOrder = "HighestFirst" | "LowestFirst";

/** Converts a score to the form in which smaller is better, and back. */
export const sortScore = (score: Numeric, order: RankOrder): Numeric => (order === "HighestFirst" ? negated(score) : score);

/** Adding 0 normalises −0. */
const negated = (number: Numeric): Numeric => (typeof number === "number" ? -number + 0 : simplify(Decimal.of(0).minus(number)));

/** A number as the database prints it. */
export function numberOf(text: string): Numeric {
  const decimal = text.length <= 15 && !text.includes(".") ? null : Decimal.parse(text);
  return decimal === null ? Number(text) : simplify(decimal);
}

const PART_BITS = 10;

/** The address of a team's row among the scores: derived, as that of a player is. */
export function teamKey(leaderboardId: number, team: string): PlayerKey {
  const playerId = derivedId("team", leaderboardId, team);
  return { part: Number.parseInt(playerId.slice(0, 3), 16) >> (12 - PART_BITS), playerId };
}

/** The id of a period, as rewards and webhooks name it. */
export const periodIdOf = (leaderboardId: number, start: string): string => derivedId("leaderboardPeriod", leaderboardId, start);
