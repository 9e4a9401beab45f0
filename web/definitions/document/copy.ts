import type { Draft } from "./draft.ts";

/** A copy of a definition, under a new key. */
export const copyOf = (draft: Draft, key: string): Draft => ({ ...draft, key, active: true });

/** "coffee_lover" → "coffee_lover_2", "coffee_lover_2" → "coffee_lover_3": the first free one. */
export function nextKey(key: string, isTaken: (key: string) => boolean): string {
  const [, stem = key, number] = /^(.*?)(?:_(\d{1,6}))?$/.exec(key) ?? [];
  for (let next = number === undefined ? 2 : Number(number) + 1; ; next++) {
    const suffix = `_${next}`;
    const candidate = `${stem.slice(0, 100 - suffix.length)}${suffix}`;
    if (!isTaken(candidate)) return candidate;
  }
}
