import { canonicalLanguage } from "./languages.ts";

/** A text of a definition in its languages. `default` names the fallback language. */
export interface Text {
  default: string;
  texts: Record<string, string>;
}

/**
 * The text in `language`, else in the language that one is a kind of (nl-BE, then nl), else in the text's own default. Tags compare without
 * regard to case, then by their canonical form ("iw" finds "he"); null, empty and unknown ones ask for the default.
 */
export function pickText(text: Text, language: string | null): string {
  const asked = language ?? "";
  return nearest(text.texts, asked) ?? nearest(text.texts, canonicalLanguage(asked) ?? "") ?? inLanguage(text.texts, text.default) ?? "";
}

function nearest(texts: Record<string, string>, language: string): string | undefined {
  for (let tag = language; tag !== ""; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
    const found = inLanguage(texts, tag);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inLanguage(texts: Record<string, string>, tag: string): string | undefined {
  if (Object.hasOwn(texts, tag)) return texts[tag];
  const wanted = tag.toLowerCase();
  for (const one in texts) if (one.toLowerCase() === wanted) return texts[one];
  return undefined;
}
