import type { Mistake } from "../rules/finding.ts";
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

/** The documents that come along, read; what is wrong with the first that is no JSON. */
export async function readAlong(
  along: readonly { kind: Kind; document: string }[],
  parse: (text: string) => Promise<{ value: unknown } | { refused: Mistake }>,
): Promise<Along[] | { refused: Mistake }> {
  const read: Along[] = [];
  for (const { kind, document } of along) {
    const parsed = await parse(document);
    if ("refused" in parsed) return parsed;
    read.push({ kind, value: parsed.value });
  }
  return read;
}
