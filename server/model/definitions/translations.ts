import { z } from "zod";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { Text } from "../kernel/texts.ts";
import type { Path } from "../rules/finding.ts";
import { pointerTo } from "../rules/naming.ts";
import { LANGUAGE_TAG } from "../rules/text-shapes.ts";
import { type Kind, KINDS, moduleOf } from "./kinds.ts";
import { withoutAccents } from "./list-page.ts";
import { titleOf } from "./overview.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";
import { textsIn } from "./texts-in.ts";

export interface TextRow {
  stored: Stored;
  kind: Kind;
  key: string;
  /** The name of the definition that the text belongs to. */
  name: string;
  path: Path;
  /** The same as a JSON pointer into the definition. */
  pointer: string;
  text: Text;
  /** The text cannot change, so missing translations cannot be added. */
  isFixed: boolean;
}

/** Every text of the definitions, by kind and in the order of creation. */
export function* textsOf({ lists }: StoredDefinitions, language: string): Steps<TextRow[]> {
  const rows: TextRow[] = [];
  for (const kind of KINDS) {
    const found = yield* mapInSteps(lists[kind] as readonly Stored[], (stored) => textsOfOne(stored, language));
    for (const some of found) rows.push(...some);
  }
  return rows;
}

export const textsOfOne = (stored: Stored, language: string): TextRow[] =>
  textsIn(stored.shaped).map(({ path, text }) => ({
    stored,
    kind: stored.kind,
    key: stored.shaped.key,
    name: titleOf(stored.shaped, language),
    path,
    pointer: pointerTo(path),
    text,
    isFixed: moduleOf(stored.kind).fixedTexts?.includes(String(path[0])) === true,
  }));

/** Languages of all texts: the project's own first, without duplicates that differ in case. */
export function languagesOf(rows: readonly TextRow[], first: string): string[] {
  const languages = new Map([[first.toLowerCase(), first]]);
  for (const { text } of rows)
    for (const tag of Object.keys(text.texts)) if (!languages.has(tag.toLowerCase())) languages.set(tag.toLowerCase(), tag);
  return [...languages.values()];
}

/** The language in the text's own spelling: tags are compared case-insensitively. */
const ownTag = ({ texts }: Text, language: string): string | undefined =>
  Object.keys(texts).find((tag) => tag.toLowerCase() === language.toLowerCase());

/** The text in exactly this language; null if empty. */
export function wordsIn(text: Text, language: string): string | null {
  const tag = ownTag(text, language);
  return tag === undefined ? null : text.texts[tag]!;
}

/** The text with one language replaced, or removed if empty. */
export function withWords(text: Text, language: string, words: string): Text {
  const tag = ownTag(text, language) ?? language;
  const others = Object.entries(text.texts).filter(([one]) => one !== tag);
  return { ...text, texts: Object.fromEntries(words === "" ? others : [...others, [tag, words]]) };
}

export const textsQuery = z.object({
  kind: z.enum(KINDS).nullable().default(null),
  /** Words that must all occur in the key, the definition's name or the text. */
  search: z.string().max(200).default(""),
  /** Only texts that lack one of the languages. */
  missing: z.boolean().default(false),
  /** The languages to check with `missing`; empty: every language of any text. */
  languages: z.array(z.string().regex(LANGUAGE_TAG)).max(50).default([]),
});

export type TextsQuery = z.output<typeof textsQuery>;

/** Whether a text lacks one of these languages and could have it. */
export const isMissing = ({ text, isFixed }: TextRow, languages: readonly string[]): boolean =>
  !isFixed && languages.some((language) => wordsIn(text, language) === null);

/** The texts that match a query: every word of the search is in the key, the definition's name or the text, in any language. */
export function* textsFor(rows: readonly TextRow[], { kind, search, missing, languages }: TextsQuery): Steps<TextRow[]> {
  const words = withoutAccents(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  const found: TextRow[] = [];
  for (const row of rows) {
    yield;
    if (kind !== null && row.kind !== kind) continue;
    if (missing && !isMissing(row, languages)) continue;
    const searched = words.length === 0 ? "" : withoutAccents([row.key, row.name, ...Object.values(row.text.texts)].join("\n"));
    if (words.every((word) => searched.includes(word))) found.push(row);
  }
  return found;
}

/** A position in the list: a kind's number, the definition's id, the pointer. */
type Position = [kind: number, id: number, pointer: string];

export const positionOf = ({ kind, stored, pointer }: TextRow): Position => [KINDS.indexOf(kind), stored.id, pointer];

/** The texts after a position, as `positionOf` wrote it to JSON; all of them without a position, or after an invalid one. */
export function textsAfter(rows: readonly TextRow[], cursor: string | null): readonly TextRow[] {
  const after = cursor === null ? null : readPosition(cursor);
  if (after === null) return rows;
  const same = rows.findIndex((row) => JSON.stringify(positionOf(row)) === cursor);
  if (same >= 0) return rows.slice(same + 1);
  // The text itself was removed: the definition's others may be repeated, but none is skipped.
  const [kind, id] = after;
  const next = rows.findIndex((row) => KINDS.indexOf(row.kind) > kind || (KINDS.indexOf(row.kind) === kind && row.stored.id >= id));
  return next < 0 ? [] : rows.slice(next);
}

function readPosition(cursor: string): Position | null {
  try {
    const position = JSON.parse(cursor) as unknown;
    return Array.isArray(position) && typeof position[0] === "number" && typeof position[1] === "number" ? (position as Position) : null;
  } catch {
    return null;
  }
}
