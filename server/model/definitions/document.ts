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

/**
 * The text of a definitions file in parts, indented by two spaces; a definition is a part. `isOpen`: it ends before the images, the last
 * member.
 */
export function* writeFile(document: Record<string, unknown>, isOpen = false): Generator<string, void> {
  let before = "{\n";
  for (const [name, value] of Object.entries(document)) {
    yield `${before}  ${JSON.stringify(name)}: `;
    if (Array.isArray(value) && value.length > 0) yield* writeList(value);
    else yield indented(value, "  ");
    before = ",\n";
  }
  yield isOpen ? `${before}  "images": ` : "\n}\n";
}

function* writeList(list: readonly unknown[]): Generator<string, void> {
  for (const [at, entry] of list.entries()) yield `${at === 0 ? "[" : ","}\n${listEntry(entry)}`;
  yield "\n  ]";
}

/** An entry of a list at the top of the file. */
export const listEntry = (entry: unknown): string => `    ${indented(entry, "    ")}`;

/** JSON text only has line breaks between tokens: in strings they are escaped. */
const indented = (value: unknown, indent: string): string => JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);

/** A definition without a key of its own is left out when it is switched off. */
export function inFile(kind: Kind, shaped: Shaped): object[] {
  if (hasKey(kind)) return [shaped];
  const { key: _, active, ...given } = shaped;
  return active ? [given] : [];
}
