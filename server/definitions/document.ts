import { mapInSteps, type Steps } from "../kernel/steps.ts";
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

/** The text of a definitions file, two spaces a level; its lists are written a definition a step. */
export function* writeFile(document: Record<string, unknown>): Steps<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(document)) {
    const text = Array.isArray(value) && value.length > 0 ? yield* writeList(value) : indented(value, "  ");
    members.push(`  ${JSON.stringify(name)}: ${text}`);
  }
  return `{\n${members.join(",\n")}\n}\n`;
}

function* writeList(list: readonly unknown[]): Steps<string> {
  const entries = yield* mapInSteps(list, (entry) => `    ${indented(entry, "    ")}`);
  return `[\n${entries.join(",\n")}\n  ]`;
}

/** JSON text has line breaks between its parts alone: in strings they are escaped. */
const indented = (value: unknown, indent: string): string => JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);

/** A definition without a key of its own is there or not: left out when it is switched off. */
export function inFile(kind: Kind, shaped: Shaped): object[] {
  if (hasKey(kind)) return [shaped];
  const { key: _, active, ...given } = shaped;
  return active ? [given] : [];
}
