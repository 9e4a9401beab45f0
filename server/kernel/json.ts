import { Decimal, type Numeric, simplify } from "./decimal.ts";

const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const BACKSLASH = 92;
const LOWER_E = 101;
/** "[" and "{", "]" and "}" differ in this bit alone. */
const OPEN = 123;
const CLOSE = 125;
const BRACKET_BIT = 32;

/** No honest body nests as deep, and whatever walks one may recurse. */
const DEEPEST = 1000;

/**
 * Reads JSON without losing a digit: a number that a double does not hold, or would print otherwise, becomes a `Decimal`
 * (see `simplify`); one wider than `Decimal.parse` takes becomes an infinity, which fits nowhere. "__proto__" is a member
 * like any other, and of duplicate members the last counts. SyntaxError for what is not JSON, and for more than a thousand
 * levels of it.
 */
export function parseJson(text: string): unknown {
  const wide = findWideNumbers(text);
  return wide.length === 0 ? JSON.parse(text) : parseWide(text, wide);
}

/**
 * Start and end (in turn) of the numbers, without their signs, that a double may not hold or not print as they are: those
 * with an exponent, of more than 14 digits, near zero. Nearly all bodies have none and get by for the price of this scan.
 */
function findWideNumbers(text: string): number[] {
  const found: number[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code >= ZERO && code <= NINE) {
      const end = endOfDigits(text, at);
      const last = endOfNumber(text, end);
      if (last > end || end - at > 15 || (code === ZERO && isOdd(text, at, end))) found.push(at, last);
      at = last - 1;
    } else if ((code | BRACKET_BIT) === OPEN) {
      if (++depth > DEEPEST) throw new SyntaxError(`The JSON is nested more than ${DEEPEST} levels deep.`);
    } else if ((code | BRACKET_BIT) === CLOSE) {
      depth--;
    }
  }
  return found;
}

/** Whether a number that begins with 0 is smaller than 0.000001, which JavaScript prints with an exponent, or is −0. */
const isOdd = (text: string, start: number, end: number): boolean =>
  (end - start > 8 && text.startsWith("0.000000", start)) || (text.charCodeAt(start - 1) === MINUS && Number(text.slice(start, end)) === 0);

/** The place of the quote that ends the string, or the text's end. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  let code: number;
  do code = text.charCodeAt(++at);
  while ((code >= ZERO && code <= NINE) || code === POINT);
  return at;
}

/** Where a number that may go on with an exponent ends. */
function endOfNumber(text: string, from: number): number {
  if ((text.charCodeAt(from) | 32) !== LOWER_E) return from;
  const sign = text.charCodeAt(from + 1);
  return endOfDigits(text, sign === PLUS || sign === MINUS ? from + 1 : from);
}

/**
 * The wide number in place `index` of the list is read as (index + 1)e300, which no other number of the text can be, and
 * put back afterwards. `JSON.parse` with a reviver that is given the source text does the same at more than twice the cost
 * (for a batch of 300 kB), and one inexact amount in a batch is nothing rare.
 */
const PLACEHOLDER = 1e300;

function parseWide(text: string, wide: readonly number[]): unknown {
  const numbers: Numeric[] = [];
  let narrow = "";
  let from = 0;
  for (let at = 0; at < wide.length; at += 2) {
    const start = wide[at]!;
    const end = wide[at + 1]!;
    numbers.push(readNumber(text.slice(start, end)));
    narrow += `${text.slice(from, start)}${numbers.length}e300`;
    from = end;
  }
  return putBack(JSON.parse(narrow + text.slice(from)), numbers);
}

/** SyntaxError for what JSON does not have as a number, such as 01e2: the placeholder must not make it good. */
function readNumber(token: string): Numeric {
  const exact = Decimal.parse(token);
  if (exact) return simplify(exact);
  JSON.parse(token);
  return Infinity;
}

function putBack(value: unknown, numbers: readonly Numeric[]): unknown {
  if (typeof value === "number") return Math.abs(value) < PLACEHOLDER ? value : numberFor(value, numbers);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = putBack(value[at], numbers);
  } else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    for (const name in members) {
      const member = members[name];
      if (typeof member === "number" || typeof member === "object") members[name] = putBack(member, numbers);
    }
  }
  return value;
}

function numberFor(placeholder: number, numbers: readonly Numeric[]): Numeric {
  const number = numbers[Math.round(Math.abs(placeholder) / PLACEHOLDER) - 1]!;
  if (placeholder > 0) return number;
  return typeof number === "number" ? 0 - number : Decimal.of(0).minus(number);
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

function pointerTo(place: Place): string {
  const path: (string | number)[] = [];
  for (let at = place; at.parent; at = at.parent) path.push(at.name);
  return jsonPointer(path.reverse());
}

/** A JSON pointer as a URI fragment (RFC 6901, section 6). */
export const jsonPointer = (path: readonly (string | number)[]): string =>
  `#${path.map((name) => `/${encodeURIComponent(String(name).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")}`;
