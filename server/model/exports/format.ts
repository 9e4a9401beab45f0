import { Decimal } from "../kernel/decimal.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/values.ts";

export type ExportFormat = "csv" | "jsonl";

export const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
};

/** The first line of a CSV file; JSON lines have none. */
export const headOf = (format: ExportFormat, columns: readonly string[]): string => (format === "csv" ? `${columns.join(",")}\r\n` : "");

/**
 * Rows, each as JSON text with a member for each column, as lines of a file: RFC 4180, or a JSON object a line. It does not use
 * csv-stringify: cells keep every digit of numbers and escape texts in their own way, so little of a library would be used.
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
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
