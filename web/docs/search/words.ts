/** A stretch of text; a match is a searched word. */
export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

/** Characters before the first match, and in total. */
const BEFORE = 50;
const LENGTH = 160;

/** The excerpt around the first matched word, with all matches marked. */
export function snippetOf(text: string, words: readonly string[]): SnippetPart[] {
  const pattern = patternOf(words);
  const first = pattern === null ? -1 : text.search(pattern);
  const start = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const end = start + LENGTH >= text.length ? text.length : text.lastIndexOf(" ", start + LENGTH);
  const shown = `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
  return marked(shown, words);
}

export function marked(text: string, words: readonly string[]): SnippetPart[] {
  const pattern = patternOf(words);
  if (pattern === null) return [{ text, isMatch: false }];
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((stretch) => stretch.text !== "");
}

/** Longest words first, in case one is a prefix of another. A stem that ends with i also matches y. */
function patternOf(words: readonly string[]): RegExp | null {
  const escaped = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|-]/g, String.raw`\$&`).replace(/i$/, "[iy]"));
  return escaped.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})`, "iu");
}

/**
 * The part of an English word that its forms share, so that "erase" finds "erasing" and "deliveries" finds "delivery". It is approximate:
 * it only has to be the same for all forms of a word. Words of up to four letters, and names in code, stay as they are.
 */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (!/^[a-z]{5,}$/.test(lower)) return lower;
  const singular = lower.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
  const plain = withoutEnding(singular, /(?:ing|ed|ure)$/);
  // Planned: plan.
  const single = plain === singular ? plain : plain.replace(/([bdfgklmnprt])\1$/, "$1");
  return single.replace(/y$/, "i").replace(/(?<=.{3})e$/, "");
}

/** Stripped only if at least three letters with a vowel remain: "string" and "need" have no ending. */
function withoutEnding(word: string, ending: RegExp): string {
  const cut = word.replace(ending, "");
  return cut.length >= 3 && /[aeiouy]/.test(cut) ? cut : word;
}
