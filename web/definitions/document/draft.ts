import { parseJson, writeJson } from "#server/model/kernel/json.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import { emptyText, isBlank, textOf, writtenText } from "./text.ts";

/**
 * A definition as a form holds it: the members of the definitions file, so that a pointer leads to a field. What is not filled
 * in yet is null, or an empty text; a text stands in its languages, whatever form it came in.
 */
export type Draft = Record<string, unknown>;

/** Members that are texts, wherever in a definition they stand. Both may be missing, a name may not. */
const TEXTS = ["name", "description"];

/** Reads a definition as the service wrote it, digit for digit. */
export const draftOf = (document: string, language: string): Draft => withTexts(parseJson(document), language) as Draft;

function withTexts(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withTexts(one, language));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (TEXTS.includes(name) && (typeof member === "string" || isText(member))) return textOf(member, language);
    if (name === "description" && member === null) return emptyText(language);
    return withTexts(member, language);
  });
}

/** What a draft says, in the form of the file: no blank texts, nothing undefined. Lists keep their places, so pointers stay true. */
export const definitionOf = (draft: Draft): Record<string, unknown> => written(draft) as Record<string, unknown>;

/** The same as JSON text, digit for digit. */
export const documentOf = (draft: Draft): string => writeJson(definitionOf(draft));

/** A draft as it can be tried before anybody has thought of a name: whatever it is called, it counts the same. */
export function namedForTrial(draft: Draft): Draft {
  const name = isText(draft.name) && isBlank(draft.name) ? textOf(UNNAMED, draft.name.default) : draft.name;
  return { ...draft, name, key: draft.key === "" ? UNNAMED : draft.key };
}

const UNNAMED = "not_named_yet";

function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (!TEXTS.includes(name) || !isText(member)) return written(member);
    return name === "description" && isBlank(member) ? null : writtenText(member);
  });
}

function mapMembers(object: Record<string, unknown>, change: (member: unknown, name: string) => unknown): Record<string, unknown> {
  const present = Object.entries(object).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, change(member, name)]));
}

const isText = (value: unknown): value is Text => isJsonObject(value) && typeof value.default === "string" && isJsonObject(value.texts);
