import type { Entry } from "./filter.ts";

const COLUMNS = ["at", "actor", "token", "environment", "action", "subjectKind", "subjectKey", "changes", "id", "partOf"] as const;

/** One entry a line, under a line of names (RFC 4180). */
export const toCsv = (entries: readonly Entry[]): string =>
  [COLUMNS.join(","), ...entries.map((entry) => COLUMNS.map((column) => cell(valueOf(entry, column))).join(","))].join("\r\n") + "\r\n";

export const toJsonLines = (entries: readonly Entry[]): string =>
  entries.map((entry) => `${JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, valueOf(entry, column)])))}\n`).join("");

/** What a change is part of is named by the id of that entry. */
const valueOf = (entry: Entry, column: (typeof COLUMNS)[number]): unknown =>
  column === "partOf" ? (entry.partOf?.id ?? null) : entry[column];

/** A spreadsheet takes what begins like a formula for one: names that people chose must not run there. */
function cell(value: unknown): string {
  const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
