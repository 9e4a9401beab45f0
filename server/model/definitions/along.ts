import type { Kind } from "./kinds.ts";

/** A new definition that comes to be together with another one, which names it; `value` is what its document says. */
export interface Along {
  kind: Kind;
  value: unknown;
}

/** A file with one definition, the first of its list, and those that come along with it. */
export function fileWith(kind: Kind, value: unknown, along: readonly Along[]): Record<string, unknown> {
  const lists = Map.groupBy([{ kind, value }, ...along], (one) => one.kind);
  return { version: 1, ...Object.fromEntries([...lists].map(([list, entries]) => [list, entries.map((one) => one.value)])) };
}
