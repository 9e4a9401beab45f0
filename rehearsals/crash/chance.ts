/** A seeded random generator. */
export interface Chance {
  /** A whole number, `from` to `to` inclusive. */
  between(from: number, to: number): number;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** A random permutation. */
  shuffled<T>(list: readonly T[]): T[];
  /** True once in `n` times. */
  oneIn(n: number): boolean;
}

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32: small, and uniform enough for this use.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const shuffled = <T>(list: readonly T[]): T[] => {
    const rest = [...list];
    return list.map(() => rest.splice(between(0, rest.length - 1), 1)[0]!);
  };
  return { between, shuffled, pick: (list) => list[between(0, list.length - 1)]!, oneIn: (n) => between(1, n) === 1 };
}
