import { parseJson, writeJson } from "#server/model/kernel/json.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import { emptyText, isBlank, textOf, writtenText } from "./text.ts";

/**
 * A definition as a form holds it: with the members of the definitions file, so that a pointer leads to a field. Empty fields are null or
 * an empty text; texts are always by language, from any form of input.
 */
export type Draft = Record<string, unknown>;

/** Members that are texts, anywhere in a definition. A blank description becomes null; a blank name stays, to be reported. */
const TEXTS = ["name", "description"];

/** Parses a definition from the service, keeping numbers digit for digit. */
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

/** The draft in the file's form: without blank descriptions, blank languages and undefined members. Pointers stay valid. */
export const definitionOf = (draft: Draft): Record<string, unknown> => written(draft) as Record<string, unknown>;

/** The same as JSON text, with numbers digit for digit. */
export const documentOf = (draft: Draft): string => writeJson(definitionOf(draft));

/** A draft that can be tried before it has a name: the name does not affect what counts. */
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

/** A copy of a definition, under a new key. */
export const copyOf = (draft: Draft, key: string): Draft => ({ ...draft, key, active: true });

/** "coffee_lover" → "coffee_lover_2", "coffee_lover_2" → "coffee_lover_3": the first free one. */
export function nextKey(key: string, isTaken: (key: string) => boolean): string {
  const [, stem = key, number] = /^(.*?)(?:_(\d{1,6}))?$/.exec(key) ?? [];
  for (let next = number === undefined ? 2 : Number(number) + 1; ; next++) {
    const suffix = `_${next}`;
    const candidate = `${stem.slice(0, 100 - suffix.length)}${suffix}`;
    if (!isTaken(candidate)) return candidate;
  }
}
