import { Decimal, type Numeric, simplify } from "./decimal.ts";

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const LOWER_E = 101;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** Setting it turns a capital letter into a small one, and a square bracket into a curly one. */
const CASE_BIT = 32;

/** Legitimate bodies never nest this deep, and functions that walk a body may recurse. */
const MAX_DEPTH = 1000;

/** `JSON.parse` reads a number of up to this many digits without an exponent exactly, unless it is close to zero. */
const EXACT_DIGITS = 15;
/** A text with more digits than this is not a number. */
const MAX_NUMBER = 10_000;
/** V8 copies slices up to this length; a longer slice keeps the whole text in memory for as long as itself. */
const COPIED = 12;

/** An object of more members is large: V8 takes a tenth of a second to list the names of a hundred thousand. */
const LARGE = 1_000;

type Members = Record<string, unknown>;

const namesOfLarge = new WeakMap<object, string[]>();

/** The names of an object's members; cached for a large one that was read here. */
export const memberNames = (object: object): readonly string[] => namesOfLarge.get(object) ?? Object.keys(object);

/**
 * Reads JSON piece by piece, for texts that `JSON.parse` cannot handle. It accepts and refuses the same texts, except that numbers are exact
 * and that it goes no deeper than `MAX_DEPTH`.
 *
 * A cap on the parts of a text does not replace it. A batch of 1,000 events with 50 properties is valid and has twice as many parts as
 * `JSON.parse` should take in one piece, and exact numbers need a reviver with the source text, which cannot be interrupted either. In ms,
 * `JSON.parse` / with a reviver / this reader: 4 MiB of `[]` 915 / 14,863 / 1,563, of different names 2,353 / 11,675 / 6,236, of `1e999`
 * 56 / 4,380 / 690, 100,000 numbers of 40 digits 25 / 825 / 423 (2 cores under a heavy load; compare the figures with each other only).
 */
export class JsonReader {
  readonly #text: string;
  #at = 0;
  /** The open lists and objects, outermost first, and the member name of the next value of each; null for a list. */
  readonly #open: (unknown[] | Members)[] = [];
  readonly #names: (string | null)[] = [];
  /** The number of values in each of `#open`. */
  readonly #counts: number[] = [];
  value: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads up to this many more values; returns whether it is done. SyntaxError for invalid JSON, or too deep nesting. */
  read(values: number): boolean {
    for (let count = 0; count < values; count++) {
      const opened = this.#start();
      if (!opened && this.#closeWhatEnds()) return true;
    }
    return false;
  }

  /** Reads a value, or the beginning of a list or object; returns whether it was the latter. */
  #start(): boolean {
    const code = this.#next();
    if (code !== OPEN_LIST && code !== OPEN_OBJECT) {
      this.value = code === QUOTE ? this.#string() : this.#plain(code);
      return false;
    }
    this.#at++;
    const isList = code === OPEN_LIST;
    const value = isList ? [] : {};
    if (this.#next() === (isList ? CLOSE_LIST : CLOSE_OBJECT)) {
      this.#at++;
      this.value = value;
      return false;
    }
    if (this.#open.length >= MAX_DEPTH) throw new SyntaxError(`The JSON is nested more than ${MAX_DEPTH} levels deep.`);
    this.#open.push(value);
    this.#names.push(isList ? null : this.#name());
    this.#counts.push(0);
    return true;
  }

  /** Stores the value, and closes the lists and objects that end after it; returns whether the text is done. */
  #closeWhatEnds(): boolean {
    for (let depth = this.#open.length - 1; depth >= 0; depth--) {
      const holder = this.#open[depth]!;
      const name = this.#names[depth]!;
      if (name === null) (holder as unknown[]).push(this.value);
      else put(holder as Members, name, this.value, ++this.#counts[depth]!);
      const code = this.#next();
      this.#at++;
      if (code === COMMA) {
        if (name !== null) this.#names[depth] = this.#name();
        return false;
      }
      if (code !== (name === null ? CLOSE_LIST : CLOSE_OBJECT)) throw this.#unexpected();
      this.value = holder;
      this.#open.pop();
      this.#names.pop();
      this.#counts.pop();
    }
    if (!Number.isNaN(this.#next())) throw this.#unexpected();
    return true;
  }

  /** The code of the next character that is no white space; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return code;
      this.#at++;
    }
  }

  /** A member's name, and the colon after it. */
  #name(): string {
    if (this.#next() !== QUOTE) throw this.#unexpected();
    const name = this.#string();
    if (this.#next() !== COLON) throw this.#unexpected();
    this.#at++;
    return name;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    let isPlain = true;
    for (let code = this.#text.charCodeAt(end); code !== QUOTE; code = this.#text.charCodeAt(++end)) {
      if (code === BACKSLASH) end++;
      // Also true at the end, where `code` is NaN.
      if (code === BACKSLASH || !(code >= SPACE)) isPlain = false;
      if (end >= this.#text.length) throw this.#unexpected();
    }
    this.#at = end + 1;
    if (isPlain && end - start <= COPIED) return this.#text.slice(start + 1, end);
    return JSON.parse(this.#text.slice(start, end + 1)) as string;
  }

  /** A number, true, false or null. */
  #plain(first: number): unknown {
    const start = this.#at;
    let end = start;
    let code = first;
    while ((code >= ZERO && code <= NINE) || ((code | CASE_BIT) >= 97 && (code | CASE_BIT) <= 122) || isInNumber(code)) {
      code = this.#text.charCodeAt(++end);
    }
    if (end === start) throw this.#unexpected();
    this.#at = end;
    const token = this.#text.slice(start, end);
    return first === MINUS || (first >= ZERO && first <= NINE) ? readNumber(token) : JSON.parse(token);
  }

  #unexpected = (): SyntaxError => new SyntaxError(`The text is not JSON at position ${this.#at}.`);
}

const isInNumber = (code: number): boolean => code === PLUS || code === MINUS || code === POINT;

/** "__proto__" is a member like any other. `count` is the number of members with this one, of which some may be duplicates. */
function put(members: Members, name: string, value: unknown, count: number): void {
  if (count === LARGE) namesOfLarge.set(members, Object.keys(members));
  if (count >= LARGE && !Object.hasOwn(members, name)) namesOfLarge.get(members)!.push(name);
  if (name !== "__proto__") members[name] = value;
  else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}

/** SyntaxError for numbers that are not JSON, such as 01e2. */
function readNumber(token: string): Numeric {
  if (!needsExactness(token)) return JSON.parse(token) as number;
  const exact = token.length <= MAX_NUMBER ? Decimal.parse(token) : null;
  if (exact) return simplify(exact);
  JSON.parse(token);
  return token.startsWith("-") ? -Infinity : Infinity;
}

/** Whether a double may fail to hold a number or print it unchanged: with an exponent, of more than 14 digits, near zero, or −0. */
function needsExactness(token: string): boolean {
  if (token.length > EXACT_DIGITS) return true;
  for (let at = 0; at < token.length; at++) if ((token.charCodeAt(at) | CASE_BIT) === LOWER_E) return true;
  const start = token.charCodeAt(0) === MINUS ? 1 : 0;
  return token.charCodeAt(start) === ZERO && (start === 1 || token.startsWith("0.000000"));
}

/** `JSON.parse` blocks for some ten milliseconds with more parts than this. */
const MAX_PARTS = 25_000;

/** Whether `JSON.parse` reads a text correctly and quickly. Nearly all texts pass for the price of this scan. */
export function isForJsonParse(text: string): boolean {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code >= ZERO && code <= NINE) {
      const end = endOfDigits(text, at);
      const isExact = end - at <= EXACT_DIGITS && (text.charCodeAt(end) | CASE_BIT) !== LOWER_E;
      if (!isExact || (code === ZERO && isTinyOrMinusZero(text, at, end))) return false;
      at = end - 1;
    } else if (code === COMMA) {
      if (++parts > MAX_PARTS) return false;
    } else if ((code | CASE_BIT) === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH || ++parts > MAX_PARTS) return false;
    } else if ((code | CASE_BIT) === CLOSE_OBJECT) {
      depth--;
    }
  }
  return true;
}

/** Whether the number, which begins with 0, is smaller than 0.000001, which JavaScript prints with an exponent, or is −0. */
const isTinyOrMinusZero = (text: string, start: number, end: number): boolean =>
  (end - start > 8 && text.startsWith("0.000000", start)) || (text.charCodeAt(start - 1) === MINUS && Number(text.slice(start, end)) === 0);

/** The index of the quote that ends the string, or the text's end. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

/** Whether the character is escaped, by an odd number of backslashes before it. */
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
