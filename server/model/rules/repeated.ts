/** Duplicate keys: the index of each, and that of the first one. */
export function repeated(keys: readonly (string | undefined)[]): { key: string; at: number; first: number }[] {
  const firsts = new Map<string, number>();
  return keys.flatMap((key, at) => {
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, at);
    return first === undefined ? [] : [{ key, at, first }];
  });
}
