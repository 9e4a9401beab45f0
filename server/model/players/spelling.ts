/**
 * A regular expression of PostgreSQL for a text in any spelling of a request: as it is, percent-encoded, or escaped as in JSON. Encoders
 * differ in which characters they encode, so each may have any of its forms, except those that none encodes: ASCII letters and digits, `_.-`.
 */
export const anySpellingOf = (text: string): string => Array.from(text, formsOf).join("");

/** The longest part of a text that every encoder leaves as it is. A search for it is cheap, and leaves few texts to match. */
export const plainPartOf = (text: string): string =>
  text.split(/[^\w.-]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");

function formsOf(character: string): string {
  if (/[\w.-]/.test(character)) return literal(character);
  const forms = [character, JSON.stringify(character).slice(1, -1), `\\${character}`, ...(character === " " ? ["+"] : [])];
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`);
  const units = Array.from({ length: character.length }, (_, at) => `\\\\u${hex(character.charCodeAt(at), 4)}`);
  return `(?:${[...forms.map(literal), bytes.join(""), units.join("")].join("|")})`;
}

/** Hexadecimal digits, in either case. */
const hex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, "0")
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const literal = (text: string): string => text.replaceAll(/[^\w\u0080-\uffff]/g, String.raw`\$&`);
