import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";

/** A random sequence, determined by its seed. */
export interface Chance {
  /** True with this probability, from 0 to 1. */
  happens(often: number): boolean;
  /** A number from `from` (inclusive) to `to` (exclusive). */
  between(from: number, to: number): number;
  /** A whole number from 1 to `most`, uniform. */
  upTo(most: number): number;
  oneOf<Value>(values: readonly Value[]): Value;
}

export function chanceOf(seed: number): Chance {
  const source = mersenne(seed);
  return {
    happens: (often) => uniformFloat64(source) < often,
    between: (from, to) => from + uniformFloat64(source) * (to - from),
    upTo: (most) => uniformInt(source, 1, most),
    oneOf: (values) => values[uniformInt(source, 0, values.length - 1)]!,
  };
}
