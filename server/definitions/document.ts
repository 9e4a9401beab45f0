import { hasKey, type Kind, KINDS, NO_DISCOVERY, type Shaped } from "./contract.ts";
import type { StoredDefinitions } from "./stored.ts";

/** The definitions file of an environment: defaults written out, lists in the order of creation, members in that of the shapes. */
export function documentOf({ settings, lists }: StoredDefinitions): Record<string, unknown> {
  const { id: _, ...given } = settings;
  const filled = Object.entries({ ...given, discovery: given.discovery ?? NO_DISCOVERY }).filter(([, value]) => value !== null);
  return {
    version: 1,
    ...Object.fromEntries(filled),
    ...Object.fromEntries(KINDS.map((kind) => [kind, lists[kind].flatMap(({ shaped }) => inFile(kind, shaped))])),
  };
}

/** A definition without a key of its own is there or not: left out when it is switched off. */
export function inFile(kind: Kind, shaped: Shaped): object[] {
  if (hasKey(kind)) return [shaped];
  const { key: _, active, ...given } = shaped;
  return active ? [given] : [];
}
