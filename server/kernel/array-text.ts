import type { Numeric } from "./decimal.ts";

/**
 * An array as PostgreSQL reads it, of what needs no quotes: numbers, ids, dates. For sets of rows, a column each: the
 * database reads it in half the time of the same rows in JSON, which names every field of every row.
 */
export function arrayText(values: readonly (string | Numeric | null)[]): string {
  let text = "{";
  for (let at = 0; at < values.length; at++) text += at === 0 ? String(values[at]) : `,${String(values[at])}`;
  return `${text}}`;
}
