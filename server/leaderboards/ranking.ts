import { compareNumbers, type Numeric } from "../kernel/decimal.ts";

/** What decides a place: the smaller `sortScore` is the better; of equal ones whoever was there first stands first. */
export interface Placed {
  sortScore: Numeric;
  reachedSeq: number;
}

export const byPlace = (a: Placed, b: Placed): number => compareNumbers(a.sortScore, b.sortScore) || a.reachedSeq - b.reachedSeq;

/**
 * Competition ranks (1, 2, 2, 4) of rows in the order of their places, of which the first has rank `first` and `tied` rows
 * before it that have the same score.
 */
export function ranks(rows: readonly Pick<Placed, "sortScore">[], first = 1, tied = 0): number[] {
  const found: number[] = [];
  for (const [at, { sortScore }] of rows.entries()) {
    const before = rows[at - 1];
    const isTied = before !== undefined && compareNumbers(before.sortScore, sortScore) === 0;
    found.push(at === 0 ? first : isTied ? found[at - 1]! : first + tied + at);
  }
  return found;
}
