/** A stretch of a text; a match is a word that was searched for. */
export interface Stretch {
  text: string;
  isMatch: boolean;
}

/** Characters before the first match, and in all. */
const BEFORE = 50;
const LENGTH = 160;

/** The part of a text around the first of the words, which search found in it, with each of them marked. */
export function snippetOf(text: string, words: readonly string[]): Stretch[] {
  const pattern = patternOf(words);
  const first = pattern === null ? -1 : text.search(pattern);
  const start = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const end = start + LENGTH >= text.length ? text.length : text.lastIndexOf(" ", start + LENGTH);
  const shown = `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
  return marked(shown, words);
}

/** A text with each of the words marked. */
export function marked(text: string, words: readonly string[]): Stretch[] {
  const pattern = patternOf(words);
  if (pattern === null) return [{ text, isMatch: false }];
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((stretch) => stretch.text !== "");
}

/** The longest word first, where one begins with another. A stem that ends with i stands for a word with y as well. */
function patternOf(words: readonly string[]): RegExp | null {
  const escaped = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|-]/g, String.raw`\$&`).replace(/i$/, "[iy]"));
  return escaped.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})`, "iu");
}
