import { hasBadText } from "./json.ts";
import { OperatorError } from "./operator-error.ts";

/**
 * An invisible character, which may control a terminal or make two names look alike: control and format characters, those for private use
 * and unassigned ones. Joiners are allowed: emoji and Persian are written with them.
 */
const UNPRINTABLE = /(?![\u200c\u200d])\p{C}/u;
const EACH_UNPRINTABLE = new RegExp(UNPRINTABLE, "gu");

const isPrintable = (text: string): boolean => !UNPRINTABLE.test(text);

/** The text on one line, with U+FFFD in place of each such character. */
export const printable = (text: string): string => text.replace(EACH_UNPRINTABLE, "\ufffd");

/** Characters of the longest name. */
const MAX_NAME_LENGTH = 200;

/** The problem of a typed name, trimmed; null if it has none. `what`: "The name of the key". */
export function nameProblem(what: string, name: string, longest = MAX_NAME_LENGTH): string | null {
  const { length } = [...name.trim()];
  if (length === 0 || length > longest) return `${what} must have 1 to ${longest} characters.`;
  return isPrintable(name.trim()) ? null : `${what} must have no control or other invisible characters.`;
}

/** Characters of the longest reason. */
export const MAX_REASON_LENGTH = 500;

/** Characters of the longest note. */
export const MAX_NOTE_LENGTH = 2_000;

/** A note, trimmed. Throws OperatorError if it is missing or too long. */
export function noteFrom(text: string): string {
  const note = text.trim();
  if (note === "" || [...note].length > MAX_NOTE_LENGTH || hasBadText(note))
    throw new OperatorError(`Write a note of at most ${MAX_NOTE_LENGTH.toLocaleString("en")} characters.`);
  return note;
}

/** The reason for a person's action, trimmed. Throws OperatorError if it is missing or too long. */
export function reasonFrom(text: string): string {
  const reason = text.trim();
  if (reason === "" || [...reason].length > MAX_REASON_LENGTH || hasBadText(reason))
    throw new OperatorError(`Give a reason of at most ${MAX_REASON_LENGTH} characters.`);
  return reason;
}
