import { Decimal, simplify } from "./decimal.ts";

const QUOTE = 34;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const BACKSLASH = 92;
const LOWER_E = 101;

/**
 * Reads JSON without losing a digit: a number that a double does not hold, or would print otherwise, becomes a `Decimal`
 * (see `simplify`); one wider than `Decimal.parse` takes becomes an infinity, which fits nowhere. "__proto__" is a member
 * like any other, and of duplicate members the last counts. SyntaxError for what is not JSON, and for what is nested too
 * deep to be read exactly.
 */
export function parseJson(text: string): unknown {
  // A reviver is called for every value of a batch; nearly all bodies get by without one, for the price of this scan.
  if (!holdsWideNumber(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, exactNumbers as Reviver);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError("The JSON is nested too deep.", { cause: error });
    throw error;
  }
}

type Reviver = (key: string, value: unknown) => unknown;

function exactNumbers(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || context.source === undefined || !holdsWideNumber(context.source)) return value;
  const exact = Decimal.parse(context.source);
  return exact ? simplify(exact) : value < 0 ? -Infinity : Infinity;
}

/** Whether some number has an exponent or more than 15 digits, or is so small that JavaScript would print it with an exponent. */
function holdsWideNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code >= ZERO && code <= NINE) {
      const start = at;
      let next = code;
      do next = text.charCodeAt(++at);
      while ((next >= ZERO && next <= NINE) || next === POINT);
      if ((next | 32) === LOWER_E || at - start > 15) return true;
      if (code === ZERO && at - start > 8 && text.startsWith("0.000000", start)) return true;
      at--;
    }
  }
  return false;
}

/** The place of the quote that ends the string, or the text's end. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** JSON text; decimals digit for digit. */
export const writeJson = (value: unknown): string => JSON.stringify(value) ?? "null";

/** Whether a string holds a NUL or a lone surrogate, which neither PostgreSQL nor UTF-8 can hold. */
export const hasBadText = (text: string): boolean => text.includes("\0") || !text.isWellFormed();

/** Whether JSON text can hold bad text at all: rules nearly every body out without a walk. */
export const mayHoldBadText = (rawJson: string): boolean =>
  (rawJson.includes("\\u") && /\\u(?:0000|[dD][89a-fA-F])/.test(rawJson)) || hasBadText(rawJson);

/**
 * Where the first string (or member name) of `value` with a NUL or a lone surrogate stands, as a JSON pointer ("#/a/0");
 * null when there is none. `rawJson` is the text that `value` was read from.
 */
export const findBadText = (rawJson: string, value: unknown): string | null => (mayHoldBadText(rawJson) ? badTextIn(value) : null);

interface Place {
  value: unknown;
  name: string | number;
  parent: Place | null;
}

/** As `findBadText`, for a part of a body that `mayHoldBadText` has not ruled out. Walks without recursion: a body may be a million levels deep. */
export function badTextIn(value: unknown): string | null {
  const open: Place[] = [{ value, name: "", parent: null }];
  for (let place = open.pop(); place; place = open.pop()) {
    if (isBad(place.value) || isBad(place.name)) return pointerTo(place);
    const children = childrenOf(place);
    for (let at = children.length - 1; at >= 0; at--) open.push(children[at]!);
  }
  return null;
}

const isBad = (value: unknown): boolean => typeof value === "string" && hasBadText(value);

function childrenOf(parent: Place): Place[] {
  const { value } = parent;
  if (Array.isArray(value)) return value.map((one, name) => ({ value: one, name, parent }));
  if (typeof value !== "object" || value === null || value instanceof Decimal) return [];
  return Object.entries(value).map(([name, one]) => ({ value: one, name, parent }));
}

/** Deeper places are told by what encloses them, so that an answer stays small. */
const DEEPEST_POINTER = 50;

function pointerTo(place: Place): string {
  const path: (string | number)[] = [];
  for (let at = place; at.parent; at = at.parent) path.push(at.name);
  return jsonPointer(path.reverse().slice(0, DEEPEST_POINTER));
}

/** A JSON pointer as a URI fragment (RFC 6901, section 6). */
export const jsonPointer = (path: readonly (string | number)[]): string =>
  `#${path.map((name) => `/${encodeURIComponent(String(name).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")}`;
