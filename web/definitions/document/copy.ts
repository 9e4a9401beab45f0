import type { Draft } from "./draft.ts";

/** A copy to go on from, under a key of its own. */
export const copyOf = (draft: Draft, key: string): Draft => ({ ...draft, key, active: true });

/** "coffee_lover" → "coffee_lover_2", "coffee_lover_2" → "coffee_lover_3": the first that is free. */
export function nextKey(key: string, isTaken: (key: string) => boolean): string {
  const [, stem = key, number] = /^(.*?)(?:_(\d{1,6}))?$/.exec(key) ?? [];
  for (let next = number === undefined ? 2 : Number(number) + 1; ; next++) {
    const suffix = `_${next}`;
    const candidate = `${stem.slice(0, 100 - suffix.length)}${suffix}`;
    if (!isTaken(candidate)) return candidate;
  }
}
