import { dateOf, instantInWords, longDate } from "../kernel/dates.ts";
import { Decimal } from "../kernel/decimal.ts";
import { withThousands } from "../kernel/thousands.ts";
import { DAY, parseInstant } from "../kernel/instant.ts";
import { isNumeric, type Scalar, type ScalarType } from "../kernel/values.ts";
import { listed, missing, type Phrase, valued } from "./phrase.ts";

// Separate from the shapes, so that a page which only shows values loads no zod (32 kB).

/** 12345.5 → "12,345.5", digit for digit. */
export function numberInWords(number: number | Decimal): string {
  if (Number.isNaN(number)) return "…";
  return withThousands(String(Decimal.of(number)));
}

/** "10 Mar 2026, 12:00" of an instant as a definition writes it. */
export function writtenInstantInWords(text: string, timeZone: string): string {
  const instant = parseInstant(text);
  return instant === null ? text : instantInWords(instant, timeZone);
}

/**
 * A value that a person gave, not an instant at which something happens. Midnight in UTC is a day, such as a birthday: "10 Mar 2026". Any
 * other is shown in the zone: "10 Mar 2026, 12:00".
 */
export function givenInstantInWords(text: string, timeZone: string): string {
  const instant = parseInstant(text);
  if (instant === null) return text;
  return instant % DAY === 0 ? longDate(dateOf(instant, "UTC")) : instantInWords(instant, timeZone);
}

/** A text is quoted unless it is one word that is neither a number nor true or false, so that it stands out from the sentence. */
const textInWords = (text: string): string => (/^[^\s,"“”]+$/.test(text) && !/^(-?[\d.]+|true|false)$/.test(text) ? text : `“${text}”`);

/** One value as a sentence names it. */
export function scalarInWords(one: Scalar, type: ScalarType | undefined, timeZone: string): string {
  if (isNumeric(one)) return numberInWords(one);
  if (typeof one === "boolean") return one ? "true" : "false";
  return type === "DateTime" ? givenInstantInWords(one, timeZone) : textInWords(one);
}

/** A value without a declared type, as people read it. */
export const plain = (value: Scalar | readonly Scalar[]): string =>
  Array.isArray(value) ? (value as readonly Scalar[]).map(plain).join(", ") : isNumeric(value) ? value.toString() : String(value);

/** A value as a sentence names it; those of a list are joined by `last`. */
export function valuePhrase(
  given: Scalar | readonly Scalar[] | null,
  { type, timeZone, last = "or" }: { type?: ScalarType | undefined; timeZone: string; last?: string },
): Phrase {
  if (given === null || given === undefined || (Array.isArray(given) && given.length === 0)) return missing("…");
  const phraseOf = (one: Scalar) => valued(scalarInWords(one, type, timeZone));
  return Array.isArray(given) ? listed((given as readonly Scalar[]).map(phraseOf), last) : phraseOf(given as Scalar);
}
