import { Decimal } from "../kernel/decimal.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/values.ts";

export type ExportFormat = "csv" | "jsonl";

export const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
};

/** The first line of a CSV file, after a byte order mark, without which Excel garbles accents; JSON lines, for programs, have neither. */
export const headOf = (format: ExportFormat, columns: readonly string[]): string =>
  format === "csv" ? `\uFEFF${columns.join(",")}\r\n` : "";

/**
 * The lines of a file, in CSV (RFC 4180) or JSON lines. Each of `rows` is JSON text with a member for each column. A CSV library would do
 * little here: numbers keep every digit, and texts are escaped against formulas.
 */
export function linesOf(format: ExportFormat, columns: readonly string[], rows: readonly string[]): string {
  if (format === "jsonl") return rows.map((row) => `${row.replaceAll(/[\r\n]+/g, " ")}\n`).join("");
  return rows.map((row) => `${csvLine(columns, parseJson(row))}\r\n`).join("");
}

const csvLine = (columns: readonly string[], row: unknown): string =>
  columns.map((column) => cell(isJsonObject(row) ? row[column] : undefined)).join(",");

/** Spreadsheets run text that begins like a formula, so text chosen by users is escaped. Numbers cannot be formulas. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean" || value instanceof Decimal) return String(value);
  const text = typeof value === "string" ? value : writeJson(value);
  const harmless = /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
