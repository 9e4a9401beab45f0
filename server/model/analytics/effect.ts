import {
  EMPTY_GROUP,
  type Group,
  differenceOf,
  type Interval,
  isMismatch,
  relativeOf,
  relativeOfPairs,
  type Verdict,
  verdictOf,
  withValue,
} from "../statistics/comparison.ts";
import { type Exposure, mayTakePart, partOfExposed } from "./exposure.ts";

/** `chosen` counts the event that the reader of the report has chosen. */
export type EffectMeasure = "chosen" | "activeDays" | "events" | "points" | "purchases";

export interface EffectRow {
  measure: EffectMeasure;
  /** Sum and mean per player of those who may take part; without a share, of all players since the start. */
  inside: { sum: number; mean: number };
  /** Of the players held out; without a share, of the same players before the start. */
  outside: { sum: number; mean: number };
  /** The relative difference, with its 95 % interval; null if a side has no activity. */
  relative: Interval | null;
  verdict: Verdict;
}

export interface Effect {
  /** Players compared. Without a share the same players are on both sides. */
  groups: { inside: number; outside: number; share: number | null; isMismatch: boolean };
  rows: EffectRow[];
  /** What the definition paid to the players inside; with a share, also per additional chosen event if there clearly are more. */
  cost: Cost & { perAdditional: Cost | null };
}

interface Cost {
  points: number;
  /** The quantity of owed items. */
  items: number;
}

type Figures = Record<EffectMeasure, number> & { paidPoints: number };

interface Sums {
  inside: Group;
  outside: Group;
  products: number;
}

const EMPTY: Sums = { inside: EMPTY_GROUP, outside: EMPTY_GROUP, products: 0 };

/** Adds up players: with a share, those who may take part and those held out; without one, each player before and since. */
export class EffectSums {
  readonly #exposure: Exposure | null;
  readonly #sums: Map<EffectMeasure, Sums>;
  #paid: Cost = { points: 0, items: 0 };

  constructor(exposure: Exposure | null, measures: readonly EffectMeasure[]) {
    this.#exposure = exposure;
    this.#sums = new Map(measures.map((measure) => [measure, EMPTY]));
  }

  add(externalId: string, since: Figures & { paidItems: number }, before: Figures): void {
    const exposure = this.#exposure;
    const isInside = exposure === null || mayTakePart(externalId, exposure);
    if (isInside) this.#paid = { points: this.#paid.points + since.paidPoints, items: this.#paid.items + since.paidItems };
    for (const [measure, { inside, outside, products }] of this.#sums) {
      const value = since[measure];
      const next =
        exposure === null
          ? { inside: withValue(inside, value), outside: withValue(outside, before[measure]), products: products + value * before[measure] }
          : { products, inside: isInside ? withValue(inside, value) : inside, outside: isInside ? outside : withValue(outside, value) };
      this.#sums.set(measure, next);
    }
  }

  /** `left`: the most days that may be added to the compared ones. */
  result(time: { days: number; left: number }): Effect {
    const [any = EMPTY] = this.#sums.values();
    const share = this.#exposure === null ? null : partOfExposed(this.#exposure);
    const groups = {
      inside: any.inside.members,
      outside: any.outside.members,
      share,
      isMismatch: share !== null && isMismatch(any.inside.members, any.outside.members, share),
    };
    const rows = Array.from(this.#sums, ([measure, sums]) => rowOf(measure, sums, this.#exposure === null, time));
    return { groups, rows, cost: { ...this.#paid, perAdditional: this.#perAdditional(rows) } };
  }

  #perAdditional(rows: readonly EffectRow[]): Cost | null {
    const chosen = this.#sums.get("chosen");
    const row = rows.find(({ measure }) => measure === "chosen");
    // A change over time has no known cause: only a comparison with players held out shows an effect.
    if (this.#exposure === null || chosen === undefined || row?.verdict.kind !== "clear") return null;
    const additional = differenceOf(chosen.inside, chosen.outside).value * chosen.inside.members;
    return additional > 0 ? { points: this.#paid.points / additional, items: this.#paid.items / additional } : null;
  }
}

function rowOf(
  measure: EffectMeasure,
  { inside, outside, products }: Sums,
  isPaired: boolean,
  { days, left }: { days: number; left: number },
): EffectRow {
  const relative = isPaired ? relativeOfPairs({ now: inside, before: outside, products }) : relativeOf(inside, outside);
  const shown = ({ sum, members }: Group) => ({ sum, mean: members === 0 ? 0 : sum / members });
  const verdict = verdictOf(relative, [inside, outside], days);
  // Days that never come are not promised.
  if (verdict.kind !== "clear" && verdict.moreDays !== null && verdict.moreDays > left) verdict.moreDays = null;
  return { measure, inside: shown(inside), outside: shown(outside), relative, verdict };
}
