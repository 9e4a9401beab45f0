import { Decimal, type Numeric, simplify } from "#server/model/kernel/decimal.ts";

/** Parses a typed number exactly: null for empty input, NaN for invalid or ambiguous input. */
export function numberOf(text: string): Numeric | null {
  const typed = text.trim().replace(/^\+/, "");
  if (typed === "") return null;
  // The field turns a typed comma into a point, so "1,000" arrives as "1.000": its author means a thousand, not one.
  if (/^-?\d{1,3}\.000$/.test(typed)) return NaN;
  const written = typed
    .replace(/^(-?)\./, "$10.")
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/\.$/, "");
  const exact = Decimal.parse(written);
  return exact === null ? NaN : simplify(exact);
}

/** The same as a plain number, where the service takes no other; NaN for empty input as well. */
export const plainNumberOf = (text: string): number => Number(numberOf(text) ?? NaN);

/** A number as a field shows it. */
export const textOfNumber = (number: Numeric | null | undefined): string =>
  number === null || number === undefined || Number.isNaN(number) ? "" : String(number instanceof Decimal ? number : Decimal.of(number));

/** Whether a field's text already denotes the number: input is not rewritten while typing. */
export function shows(text: string, number: Numeric | null | undefined): boolean {
  const typed = numberOf(text);
  if (typed === null || number === null || number === undefined) return (typed ?? null) === (number ?? null);
  if (Number.isNaN(typed) || Number.isNaN(number)) return Number.isNaN(typed) && Number.isNaN(number);
  return Decimal.of(typed).equals(number);
}
