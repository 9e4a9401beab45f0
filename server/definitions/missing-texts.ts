import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { Text } from "../kernel/texts.ts";
import { type Kind, moduleOf } from "./kinds.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

/** Texts that lack a language in which other texts are written: players read the default in its place. */
export interface MissingTexts {
  count: number;
  /** Those that some text lacks. */
  languages: string[];
  /** The first definition with one. */
  first: { kind: Kind; key: string };
}

/** What is missing among the texts of definitions that are on, which players see; null where nothing is. */
export function* missingTextsOf({ lists }: StoredDefinitions, defaultLanguage: string): Steps<MissingTexts | null> {
  const active = Object.values(lists).flatMap((list): readonly Stored[] => list.filter(({ shaped }) => shaped.active));
  const texts = yield* mapInSteps(active, (stored) => textsIn(changeableOf(stored)).map((text) => ({ text, stored })));
  const languages = new Map([[defaultLanguage.toLowerCase(), defaultLanguage]]);
  for (const { text } of texts.flat())
    for (const tag of Object.keys(text.texts)) if (!languages.has(tag.toLowerCase())) languages.set(tag.toLowerCase(), tag);
  const looked = yield* mapInSteps(texts.flat(), ({ text, stored }) => {
    const own = new Set(Object.keys(text.texts).map((tag) => tag.toLowerCase()));
    return { missing: [...languages.keys()].filter((tag) => !own.has(tag)), stored };
  });
  const lacking = looked.filter(({ missing }) => missing.length > 0);
  const [first] = lacking;
  if (first === undefined) return null;
  const missing = new Set(lacking.flatMap((one) => one.missing));
  return {
    count: lacking.length,
    languages: [...languages].flatMap(([tag, written]) => (missing.has(tag) ? [written] : [])),
    first: { kind: first.stored.kind, key: first.stored.shaped.key },
  };
}

/** A definition without the fields that stay as they were made: nobody can write what is missing there. */
function changeableOf({ kind, shaped }: Stored): object {
  const fixed = new Set(
    moduleOf(kind)
      .fixedFields?.(shaped as never, 0)
      .map(({ pointer }) => pointer.slice(1)),
  );
  return Object.fromEntries(Object.entries(shaped).filter(([name]) => !fixed.has(name)));
}

function textsIn(value: unknown): Text[] {
  if (typeof value !== "object" || value === null) return [];
  if ("default" in value && "texts" in value) return [value as Text];
  return Object.values(value).flatMap(textsIn);
}
