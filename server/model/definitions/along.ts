import type { Kind } from "./kinds.ts";

/** A new definition that is created together with another one, which names it; `value` is its document. */
export interface Along {
  kind: Kind;
  value: unknown;
}

/** A file with one definition, the first of its list, and those created with it. */
export function fileWith(kind: Kind, value: unknown, along: readonly Along[]): Record<string, unknown> {
  const lists = Map.groupBy([{ kind, value }, ...along], (one) => one.kind);
  return { version: 1, ...Object.fromEntries([...lists].map(([list, entries]) => [list, entries.map((one) => one.value)])) };
}
