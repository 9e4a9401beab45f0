import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import type { Database } from "#db/client.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { inParts } from "#server/model/kernel/steps.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { quoteProblem } from "#server/model/imports/reading.ts";
import {
  type Cell,
  type CsvRecord,
  cellsIn,
  COLUMNS,
  fileWithCells,
  type CellRefusal,
  refusalsOf,
} from "#server/model/definitions/translation-cells.ts";
import { languagesOf, textsOf, type TextsQuery, wordsIn } from "#server/model/definitions/translations.ts";
import { edit } from "./edit.ts";
import { findTexts } from "./translations.ts";

const ROWS_AT_ONCE = 50;

/** The texts of a query as CSV with a column per language, in chunks. Spreadsheet formulas are escaped. */
export async function* exportTexts(database: Database, environment: Environment, asked: TextsQuery): AsyncGenerator<string> {
  const { found, asked: languages } = await findTexts(database, environment, asked);
  const options = { escape_formulas: true, record_delimiter: "windows" as const };
  yield stringify([[...COLUMNS, ...languages]], { ...options, bom: true });
  for (const some of inParts(found, ROWS_AT_ONCE)) {
    const lines = some.map(({ kind, key, pointer, text }) => [
      kind,
      key,
      pointer,
      text.default,
      ...languages.map((language) => wordsIn(text, language) ?? ""),
    ]);
    yield stringify(lines, options);
    await setImmediate();
  }
}

/** The changes of a file of texts. `version` is that of the definitions it was compared with. */
export interface TextsImport {
  /** The definitions were changed since the dry run; nothing was written. */
  isStale: boolean;
  version: number;
  cells: Cell[];
  refused: CellRefusal[];
  /** Problems that prevent the whole import. */
  problems: DefinitionProblem[];
}

/**
 * Imports texts from CSV: every cell that differs and may change; the others are refused by line. All of it is one change of the
 * definitions and one audit log entry. `version` is from the dry run.
 */
export async function importTexts(
  database: Database,
  environment: Environment,
  { text, dryRun, version }: { text: string; dryRun: boolean; version: number | null },
  actor: Actor,
): Promise<TextsImport> {
  const read = await recordsOf(text);
  return edit(database, environment, { dryRun }, async (open) => {
    const { defaultLanguage, definitionsVersion } = open.environment;
    const answer: TextsImport = { isStale: false, version: definitionsVersion, cells: [], refused: [], problems: [] };
    if ("refused" in read) return { ...answer, refused: [read.refused] };
    if (version !== null && version !== definitionsVersion) return { ...answer, isStale: true };
    const texts = await inTurns(textsOf(open.stored, defaultLanguage));
    let { cells, refused } = await inTurns(cellsIn(read.records, texts, languagesOf(texts, defaultLanguage)));
    // Cells refused by validation are left out, and the rest is validated again.
    for (let tries = 0; ; tries++) {
      const { file, at } = await inTurns(fileWithCells(cells));
      const plan = await open.planDocument(file);
      if (!("problems" in plan)) {
        if (!dryRun) await open.write(plan, { actor, via: "import_translations" });
        return { ...answer, cells, refused: refused.toSorted((a, b) => a.line - b.line) };
      }
      const found = refusalsOf(plan.problems, at);
      if (found.refused.length === 0 || tries === MAX_TRIES) return { ...answer, refused, problems: plan.problems };
      const left = new Set(found.refused.map(({ cell }) => cell));
      cells = cells.filter((cell) => !left.has(cell));
      refused = [...refused, ...found.refused.map(({ cell: _, ...one }) => one)];
    }
  });
}

/** Each pass reports a thousand problems; a file that needs more than ten is no translation. */
const MAX_TRIES = 10;

/** Bytes parsed between two yields to the event loop: with one-character lines, tens of milliseconds. */
const BYTES_AT_ONCE = 4 * 1024;

/** Parses a CSV file in parts. Some countries' spreadsheets separate by semicolons. */
async function recordsOf(text: string): Promise<{ records: CsvRecord[] } | { refused: CellRefusal }> {
  const delimiter = delimiterOf(text);
  const parser = parse({ bom: true, delimiter, info: true, relax_column_count: true, skip_records_with_empty_values: true });
  const records: CsvRecord[] = [];
  parser.on("data", ({ info, record }: { info: { lines: number }; record: string[] }) => records.push({ line: info.lines, cells: record }));
  const ended = once(parser, "end");
  // Avoids an unhandled rejection: the loop or the end reports the error, whichever is first.
  ended.catch(() => {});
  const bytes = Buffer.from(text);
  try {
    for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
      parser.write(bytes.subarray(from, from + BYTES_AT_ONCE));
      await setImmediate();
    }
    parser.end();
    await ended;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { line, words } = quoteProblem(error, text);
    return { refused: { line, language: null, message: `The file cannot be read as CSV. ${words}` } };
  }
  return { records };
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split(/\r?\n/, 1);
  const count = (one: string) => header.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}
