import { compareNumbers, type Numeric } from "../kernel/decimal.ts";

/** The order of a board: the smaller `sortScore` is better; of equal ones the player who was there first stands first. */
export interface Placed {
  sortScore: Numeric;
  reachedSeq: number;
}

export const byPlace = (a: Placed, b: Placed): number => compareNumbers(a.sortScore, b.sortScore) || a.reachedSeq - b.reachedSeq;

/**
 * Competition ranks (1, 2, 2, 4) of rows of a board that follow each other. `first` is the rank of the first of them and
 * `second` that of the first one with another score, since there may be rows before these with the same two scores.
 */
export function ranks(rows: readonly Pick<Placed, "sortScore">[], first = 1, second: number | null = null): number[] {
  const isTied = rows.map(({ sortScore }, at) => at > 0 && compareNumbers(sortScore, rows[at - 1]!.sortScore) === 0);
  const other = isTied.indexOf(false, 1);
  const found: number[] = [];
  for (const at of rows.keys()) {
    if (at === 0) found.push(first);
    else if (isTied[at]) found.push(found[at - 1]!);
    else found.push((second ?? first + other) + at - other);
  }
  return found;
}
