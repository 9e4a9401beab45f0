import { canonicalLanguage, languageNamed } from "../kernel/languages.ts";
import type { Text } from "../kernel/texts.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { LANGUAGE_TAG } from "../rules/text-shapes.ts";
import type { Entry } from "./file.ts";
import type { Result } from "./result.ts";

/** Every text in a definition or a part of one, with its path. */
export function textsIn(value: unknown, path: Path = []): { path: Path; text: Text }[] {
  if (typeof value !== "object" || value === null) return [];
  if (isText(value)) return [{ path, text: value }];
  const members: [string | number, unknown][] = Array.isArray(value) ? value.map((one, at) => [at, one]) : Object.entries(value);
  return members.flatMap(([name, member]) => textsIn(member, [...path, name]));
}

const isText = (value: object): value is Text =>
  "default" in value && "texts" in value && typeof value.texts === "object" && value.texts !== null;

/** The tags of a text that are not known languages; malformed ones are left to the shapes. */
export const unknownLanguages = ({ texts }: Text): string[] =>
  Object.keys(texts).filter((tag) => LANGUAGE_TAG.test(tag) && canonicalLanguage(tag) === null);

/**
 * Unknown languages that an entry adds. Those of the stored definition are tolerated: switching it off, or any other change, must not
 * require a repair.
 */
export function languageFindings({ kind, at, readable }: Entry, result: Result): Finding[] {
  const found = textsIn(readable).flatMap(({ path, text }) => unknownLanguages(text).map((tag) => ({ path, tag })));
  if (found.length === 0) return [];
  const key = (readable as { key?: unknown }).key;
  const stored = typeof key === "string" ? result[kind].get(key)?.stored : undefined;
  const kept = new Set(textsIn(stored?.shaped).flatMap(({ text }) => unknownLanguages(text)));
  return found
    .filter(({ tag }) => !kept.has(tag))
    .map(({ path, tag }) =>
      finding([kind, at, ...path, "texts", tag], "shape.language_unknown", { language: tag, suggestion: languageNamed(tag) }),
    );
}
