import { KINDS, NO_DISCOVERY } from "./contract.ts";
import type { StoredDefinitions } from "./stored.ts";

/** The definitions file of an environment: defaults written out, lists in the order of creation, members in that of the shapes. */
export function documentOf({ settings, lists }: StoredDefinitions): Record<string, unknown> {
  const { id: _, ...given } = settings;
  const filled = Object.entries({ ...given, discovery: given.discovery ?? NO_DISCOVERY }).filter(([, value]) => value !== null);
  return {
    version: 1,
    ...Object.fromEntries(filled),
    ...Object.fromEntries(KINDS.map((kind) => [kind, lists[kind].map(({ shaped }) => shaped)])),
  };
}
