import type { Text } from "#server/model/kernel/texts.ts";

export const emptyText = (language: string): Text => ({ default: language, texts: { [language]: "" } });

/** A text as a form holds it: by language, from any form of input. */
export function textOf(given: unknown, language: string): Text {
  if (typeof given === "string") return { default: language, texts: { [language]: given } };
  if (typeof given !== "object" || given === null || !("texts" in given)) return emptyText(language);
  const { default: first, texts } = given as Text;
  return { default: first, texts: { [first]: "", ...texts } };
}

/** A text as it is stored: without blank languages, except the default. */
export function writtenText(text: Text): Text {
  const filled = Object.entries(text.texts).filter(([tag, words]) => tag === text.default || words.trim() !== "");
  return { default: text.default, texts: Object.fromEntries(filled) };
}

export const isBlank = (text: Text): boolean => Object.values(text.texts).every((words) => words.trim() === "");

/** The languages of a text: its own default first, then the project's, then its others; each as the text writes it. */
export function languagesOf(text: Text, languages: readonly string[]): string[] {
  const own = Object.keys(text.texts);
  const known = [text.default, ...languages.map((tag) => own.find((one) => same(one, tag)) ?? tag), ...own];
  return known.filter((tag, at) => known.findIndex((one) => same(one, tag)) === at);
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const MAX_KEY_LENGTH = 100;

/** "Coffee lover!" → "coffee_lover": a key from a name. Empty if no character is allowed. */
export function keyFrom(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "");
  return plain.slice(0, MAX_KEY_LENGTH).replace(/_$/, "");
}
