import type { Leaderboard } from "../definitions/compiled.ts";
import type { ScoreChange } from "../rules/effects.ts";
import { addNumbers, compareNumbers, type Numeric } from "../kernel/decimal.ts";
import type { PlayerKey } from "../players/identity.ts";
import type { PlacedChange } from "./changes.ts";

/** A slice's change of a player's score that can be written without reading the previous score. */
export interface BlindUpsert extends PlayerKey {
  periodId: number;
  board: Leaderboard;
  by: ScoreChange["by"];
  /** The amount to add, or the score to keep if it is better than the stored one. */
  score: Numeric;
  firstSeq: number;
  /** The position of the last fact that changes the score, whatever it was before; null if none does. */
  movedSeq: number | null;
}

/** Separates changes that only add, and changes that only keep the best score, from all others. The others stay in order. */
export function blindUpsertsAmong(changes: readonly PlacedChange[]): { sums: BlindUpsert[]; bests: BlindUpsert[]; others: PlacedChange[] } {
  const sums = new Scores();
  const bests = new Scores();
  const others: PlacedChange[] = [];
  for (const placed of changes) {
    const { by } = placed.change;
    if (placed.board.teamAttributeId !== null) others.push(placed);
    else if (by === "Sum") addToSum(sums, placed);
    else if (by === "Max" || by === "Min") keepBest(bests, placed);
    else others.push(placed);
  }
  return { sums: sums.all, bests: bests.all, others };
}

/** One change per score, by period and player. */
class Scores {
  readonly all: BlindUpsert[] = [];
  readonly #periods = new Map<number, Map<string, BlindUpsert>>();

  /** The change collected for a score so far. If this is the first one it is stored, and the result is null. */
  findOrAdd({ part, playerId, periodId, board, change, seq }: PlacedChange, movedSeq: number | null): BlindUpsert | null {
    let players = this.#periods.get(periodId);
    if (players === undefined) this.#periods.set(periodId, (players = new Map()));
    const known = players.get(playerId);
    if (known !== undefined) return known;
    const first = { part, playerId, periodId, board, by: change.by, score: change.value, firstSeq: seq, movedSeq };
    players.set(playerId, first);
    this.all.push(first);
    return null;
  }
}

function addToSum(sums: Scores, placed: PlacedChange): void {
  const { change, seq } = placed;
  const movedSeq = compareNumbers(change.value, 0) === 0 ? null : seq;
  const known = sums.findOrAdd(placed, movedSeq);
  if (known === null) return;
  known.score = addNumbers(known.score, change.value);
  known.movedSeq = movedSeq ?? known.movedSeq;
}

/** Of equal values the first one is kept, since it decides the order of equal scores. */
function keepBest(bests: Scores, placed: PlacedChange): void {
  const { change, seq } = placed;
  const known = bests.findOrAdd(placed, seq);
  if (known === null || compareNumbers(change.value, known.score) * signOf(change.by) <= 0) return;
  known.score = change.value;
  known.movedSeq = seq;
}

/** 1 if larger numbers are better, −1 if smaller ones are. */
export const signOf = (by: ScoreChange["by"]): 1 | -1 => (by === "Max" ? 1 : -1);
