import { KINDS } from "./contract.ts";
import type { StoredDefinitions } from "./stored.ts";

/** The definitions file of an environment: defaults written out, lists in the order of creation, members in that of the shapes. */
export function documentOf({ settings, lists }: StoredDefinitions): Record<string, unknown> {
  const { id: _, ...given } = settings;
  const filled = Object.entries(given).filter(([, value]) => value !== null);
  return {
    version: 1,
    discovery: { events: false, attributes: false },
    ...Object.fromEntries(filled),
    ...Object.fromEntries(KINDS.map((kind) => [kind, lists[kind].map(({ shaped }) => shaped)])),
  };
}
