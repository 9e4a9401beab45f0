import type { Path } from "./finding.ts";

/** The naming of subjects in findings. */

/** "a mission", "an event", "an EventBatchResult"; a leading U is read as in "user". */
export const articled = (noun: string): string => `${/^[aeio]/i.test(noun) ? "an" : "a"} ${noun}`;

/** A JSON pointer (RFC 6901). */
export const pointerTo = (path: Path): string =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export const MAX_SHOWN_LENGTH = 100;

/** Cut where it is long, without half characters, which neither PostgreSQL nor many JSON parsers take. */
export const shortened = (text: string): string =>
  (text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text).toWellFormed();

/** A word of the document in quotes, cut where it is long, on one line. */
export const quoted = (word: string): string => JSON.stringify(shortened(word));

export const quotedList = (words: readonly string[]): string => words.map(quoted).join(", ");

/** `; did you mean "order_placed"?`. */
export const didYouMean = (suggestion: string | null): string => (suggestion === null ? "" : `; did you mean ${quoted(suggestion)}?`);
