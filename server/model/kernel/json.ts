import { Decimal } from "./decimal.ts";
import { isForJsonParse, JsonReader, memberNames } from "./json-reader.ts";
import { atOnce } from "./steps.ts";

/**
 * Reads JSON without losing a digit: a number that a double does not hold, or would print otherwise, becomes a `Decimal` (see `simplify`);
 * one wider than `Decimal.parse` takes becomes an infinity, which every check rejects. "__proto__" is a member like any other, and of
 * duplicate members the last counts. SyntaxError for a text that is not JSON, or has more than a thousand levels.
 */
export const parseJson = (text: string): unknown => atOnce(parseJsonInSteps(text));

/** Values read in one step: about a millisecond's work. */
const STEP = 2_000;

/** As `parseJson`, in steps short enough to yield to other work in between: a client's text may hold a million values. */
export function* parseJsonInSteps(text: string): Generator<void, unknown> {
  if (isForJsonParse(text)) return JSON.parse(text);
  const reader = new JsonReader(text);
  while (!reader.read(STEP)) yield;
  return reader.value;
}

/** JSON text; decimals digit for digit. */
export const writeJson = (value: unknown): string => JSON.stringify(value) ?? "null";

/** Whether a string holds a NUL or a lone surrogate, which neither PostgreSQL nor UTF-8 can hold. */
export const hasBadText = (text: string): boolean => text.includes("\0") || !text.isWellFormed();

const BACKSLASH = 92;
const LOWER_D = 100;
const LOWER_U = 117;
const CASE_BIT = 32;

/** Whether the strings of JSON text hold bad text, plain or escaped: it clears nearly every body without a walk. */
export function mayHoldBadText(rawJson: string): boolean {
  if (hasBadText(rawJson)) return true;
  if (!rawJson.includes("\\u")) return false;
  for (let at = rawJson.indexOf("\\"); at < rawJson.length; at++) {
    if (rawJson.charCodeAt(at) !== BACKSLASH) continue;
    const half = surrogateAt(rawJson, at);
    if (half === "low" || rawJson.startsWith("\\u0000", at)) return true;
    at++;
    if (half === null) continue;
    if (surrogateAt(rawJson, at + 5) !== "low") return true;
    at += 10;
  }
  return false;
}

/** Which half of a surrogate pair is escaped at this index; null for none. */
function surrogateAt(rawJson: string, at: number): "high" | "low" | null {
  if (rawJson.charCodeAt(at) !== BACKSLASH || rawJson.charCodeAt(at + 1) !== LOWER_U) return null;
  if ((rawJson.charCodeAt(at + 2) | CASE_BIT) !== LOWER_D) return null;
  // Digits already have the bit that makes a letter lower case.
  const digit = String.fromCharCode(rawJson.charCodeAt(at + 3) | CASE_BIT);
  return digit < "8" ? null : digit === "8" || digit === "9" || digit === "a" || digit === "b" ? "high" : "low";
}

/**
 * The strings (and member names) of `value` with a NUL or a lone surrogate, as JSON pointers ("#/a/0"), the first `most`. `rawJson` is the
 * text that `value` was read from.
 */
export const findBadTexts = (rawJson: string, value: unknown, most: number): string[] =>
  mayHoldBadText(rawJson) ? addBadTexts(value, [], most, []) : [];

/** The first one, in a part of a body that `mayHoldBadText` has not ruled out; no deeper than `parseJson` reads. Null if there is none. */
export const badTextIn = (value: unknown): string | null => addBadTexts(value, [], 1, [])[0] ?? null;

function addBadTexts(value: unknown, path: (string | number)[], most: number, found: string[]): string[] {
  if (typeof value === "string" && hasBadText(value)) found.push(jsonPointer(path));
  if (typeof value !== "object" || value === null || value instanceof Decimal) return found;
  for (const name of Array.isArray(value) ? value.keys() : memberNames(value)) {
    if (found.length >= most) return found;
    path.push(name);
    if (typeof name === "string" && hasBadText(name)) found.push(jsonPointer(path));
    else addBadTexts((value as Record<string | number, unknown>)[name], path, most, found);
    path.pop();
  }
  return found;
}

/** Names up to this length are repeated in a pointer. */
const MAX_NAME_LENGTH = 200;
const MAX_POINTER_LENGTH = 1_000;

/**
 * A JSON pointer as a URI fragment (RFC 6901, section 6). Clients send names of any length: the pointer ends before one that is too long.
 */
export function jsonPointer(path: readonly (string | number)[]): string {
  let pointer = "#";
  for (const name of path) {
    if (typeof name === "string" && name.length > MAX_NAME_LENGTH) return pointer;
    pointer += `/${encodeURIComponent(String(name).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`;
    if (pointer.length > MAX_POINTER_LENGTH) return pointer;
  }
  return pointer;
}
