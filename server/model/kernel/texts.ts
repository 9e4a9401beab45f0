import { canonicalLanguage } from "./languages.ts";

/** A text of a definition in its languages. `default` names the fallback language. */
export interface Text {
  default: string;
  texts: Record<string, string>;
}

/** The texts and images of a definition that players see. */
export interface Described {
  name: Text;
  description: Text | null;
  images: Images;
}

/** The common part of compiled missions, listings, streaks and leaderboards. */
export interface CompiledBase extends Described {
  id: number;
  key: string;
  active: boolean;
  createdAt: number;
}

/** The texts of a definition in a language, and its images. */
export const described = ({ name, description, images }: Described, language: string | null) => ({
  name: pickText(name, language),
  description: description === null ? null : pickText(description, language),
  images,
});

/**
 * The text in `language`, else in the more general language (nl-BE, then nl), else in the text's own default. Tags compare without regard
 * to case, then by their canonical form ("iw" finds "he"); null, empty and unknown ones ask for the default.
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

/** Images of a definition by slot: an absolute URL, or the id of one that was uploaded (the SHA-256 of its bytes). */
export type Images = Readonly<Record<string, string>>;

/** The form of an image's id, which no URL has. */
export const IMAGE_ID = /^[0-9a-f]{64}$/;

/** The address that serves an uploaded image; a URL stays as it is. */
const imageUrl = (image: string, baseUrl: string): string => (IMAGE_ID.test(image) ? `${baseUrl}/images/${image}` : image);

/** A row of a response with image URLs instead of ids. */
export function withImageUrls<Row extends { images: Images }>(row: Row, baseUrl: string): Row {
  const images = Object.entries(row.images);
  if (!images.some(([, image]) => IMAGE_ID.test(image))) return row;
  return { ...row, images: Object.fromEntries(images.map(([slot, image]) => [slot, imageUrl(image, baseUrl)])) };
}

/** User-chosen names stay on one line, so that they cannot add lines to a mail. */
export const onOneLine = (name: string): string => name.replace(/\s+/g, " ").trim();
