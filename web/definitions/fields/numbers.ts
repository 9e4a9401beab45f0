import { Decimal, type Numeric, simplify } from "#server/model/kernel/decimal.ts";

/** What somebody types as a number, exactly: null for nothing, NaN for what is no number, or might be two. */
export function numberOf(text: string): Numeric | null {
  const typed = text.trim().replace(/^\+/, "");
  if (typed === "") return null;
  // A comma becomes a point as it is typed. Who writes "1,000" means a thousand, and would get one.
  if (/^\d{1,3}\.000$/.test(typed)) return NaN;
  const written = typed
    .replace(/^(-?)\./, "$10.")
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/\.$/, "");
  const exact = Decimal.parse(written);
  return exact === null ? NaN : simplify(exact);
}

/** As it stands in a field. */
export const textOfNumber = (number: Numeric | null | undefined): string =>
  number === null || number === undefined || Number.isNaN(number) ? "" : String(number instanceof Decimal ? number : Decimal.of(number));

/** Whether a field that shows `text` already shows the number: what somebody is typing is not rewritten. */
export function shows(text: string, number: Numeric | null | undefined): boolean {
  const typed = numberOf(text);
  if (typed === null || number === null || number === undefined) return (typed ?? null) === (number ?? null);
  if (Number.isNaN(typed) || Number.isNaN(number)) return Number.isNaN(typed) && Number.isNaN(number);
  return Decimal.of(typed).equals(number);
}
