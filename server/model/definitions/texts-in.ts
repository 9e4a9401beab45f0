import { canonicalLanguage, languageNamed } from "../kernel/languages.ts";
import { writeJson } from "../kernel/json.ts";
import type { Text } from "../kernel/texts.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { LANGUAGE_TAG } from "../rules/text-shapes.ts";
import type { Entry } from "./file.ts";
import type { Result } from "./result.ts";
import { valueAt, withValueAt } from "./value-at.ts";

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
const unknownLanguages = ({ texts }: Text): string[] =>
  Object.keys(texts).filter((tag) => LANGUAGE_TAG.test(tag) && canonicalLanguage(tag) === null);

/** A text whose words of one language are under another code; words that it has under that code stay. */
export function repairedText({ default: first, texts }: Text, from: string, to: string): Text {
  const isFrom = (tag: string) => tag.toLowerCase() === from.toLowerCase();
  const moved = Object.entries(texts).map(([tag, words]): [string, string] => [isFrom(tag) ? to : tag, words]);
  // If both exist, the words under the code win: they come last.
  const inOrder = moved.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const own = Object.entries(texts).filter(([tag]) => tag.toLowerCase() === to.toLowerCase());
  return { default: isFrom(first) ? to : first, texts: { ...Object.fromEntries(inOrder), ...Object.fromEntries(own) } };
}

/**
 * A value with the texts of a later one where those only repair an unknown language. A repair is no change of a fixed text: it keeps the
 * words, and it may be written long after it was planned, by a change request.
 */
export const repairedAs = (before: unknown, after: unknown): unknown =>
  textsIn(before).reduce((value, { path, text }) => {
    const later = valueAt(after, path);
    return isRepairOf(later, text) ? withValueAt(value, path, later) : value;
  }, before);

function isRepairOf(later: unknown, text: Text): boolean {
  const unknown = unknownLanguages(text);
  if (unknown.length === 0 || typeof later !== "object" || later === null || !isText(later)) return false;
  const [written, codes] = [writeJson(later), Object.keys(later.texts)];
  return unknown.some((from) => codes.some((to) => writeJson(repairedText(text, from, to)) === written));
}

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
