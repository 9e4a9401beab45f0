import { CsvError, parse } from "csv-parse/sync";
import { parseJson } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/values.ts";
import { shortened } from "../rules/naming.ts";

export type Format = "csv" | "jsonl";

/** The reader's position: after `line` lines of the file, with the beginning of a line that the next chunk completes. */
export interface Reading {
  line: number;
  carry: string;
  /** The header of a CSV file; null before it was read, and for JSONL. */
  header: { delimiter: string; columns: string[] } | null;
}

export const BEGINNING: Reading = { line: 0, carry: "", header: null };

/** A line with data. A CSV line has its cells by column, without empty ones. */
export type ReadLine = { line: number } & ({ record: Readonly<Record<string, unknown>> } | { text: string; problem: string });

/** The file as a whole cannot be read; the message says where and why. */
export class Unreadable extends Error {}

/** Characters of the longest line. */
const MAX_LINE_LENGTH = 200_000;
const MAX_COLUMNS = 300;

/**
 * Reads the lines that end in a chunk of a file. Chunks may end anywhere, even within a quoted cell: a line is read with the chunk that
 * completes it. Throws Unreadable.
 */
export function readPiece(format: Format, reading: Reading, piece: string, isLast: boolean): { lines: ReadLine[]; reading: Reading } {
  const text = reading.line === 0 && reading.carry === "" ? piece.replace(/^\uFEFF/, "") : reading.carry + piece;
  const end = isLast ? text.length : format === "csv" ? endOfRecords(text) : text.lastIndexOf("\n") + 1;
  const [whole, carry] = [text.slice(0, end), text.slice(end)];
  if (carry.length > MAX_LINE_LENGTH) throw tooLong(reading.line + countLines(whole) + 1, format);
  const { lines, header } = format === "csv" ? readCsv(reading, whole) : { lines: readJsonLines(reading.line, whole), header: null };
  return { lines, reading: { line: reading.line + countLines(whole), carry, header } };
}

const countLines = (text: string): number => text.split("\n").length - 1;

const tooLong = (line: number, format: Format): Unreadable =>
  new Unreadable(
    format === "csv"
      ? `Line ${line} is too long, or a quote that opens in it is never closed.`
      : `Line ${line} has more than ${MAX_LINE_LENGTH.toLocaleString("en")} characters.`,
  );

/** The end of the last line break outside quotes. A quote within quotes is written twice, and so leaves them and enters them again. */
function endOfRecords(text: string): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) isQuoted = !isQuoted;
    else if (character === LINE_FEED && !isQuoted) end = at + 1;
  }
  return end;
}

const QUOTE = 34;
const LINE_FEED = 10;

function readCsv({ line: before, header: known }: Reading, text: string): { lines: ReadLine[]; header: Reading["header"] } {
  const delimiter = known?.delimiter ?? delimiterOf(text);
  // Spreadsheets write a cleared row as delimiters alone.
  const records = parseCsv(text, delimiter, before).filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  // Excel may name the delimiter in a line before the header.
  if (known === null && /^sep=$/i.test(records[0]?.cells[0] ?? "")) records.shift();
  const header = known ?? headerOf(delimiter, records.shift()?.cells);
  if (header === null) return { lines: [], header };
  return { header, lines: records.map(({ line, cells }) => lineOf(line, cells, header.columns)) };
}

function parseCsv(text: string, delimiter: string, before: number): { line: number; cells: string[] }[] {
  try {
    // A file may have line ends of both kinds, which the parser's own guess does not allow. Without any it is from an old Mac.
    const record_delimiter = endOfRecords(text) > 0 ? ["\r\n", "\n"] : "\r";
    const options = { delimiter, record_delimiter, info: true, relax_column_count: true, skip_empty_lines: true };
    const parsed = parse(text, options) as unknown as Parsed[];
    // The parser reports the line at which a record ends, and has counted each carriage return in a cell as a line; messages name the line
    // at which it begins.
    let returns = 0;
    return parsed.map(({ record, info }) => {
      const whole = record.join(" ");
      returns += whole.split("\r").length - 1;
      return { cells: record, line: before + info.lines - returns - countLines(whole) };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Unreadable(quoteProblem(error, text, before).words);
  }
}

/**
 * The only fault of a CSV text that the parser refuses: a quote, in this line after `before` others. The parser's line is where it gave up,
 * often at the end of the file. Its byte is where the cell before the wrong one ends.
 */
export function quoteProblem(
  { code, bytes = 0 }: { code: string; bytes?: number },
  text: string,
  before = 0,
): { line: number; words: string } {
  const read = Buffer.from(text).toString("utf8", 0, bytes);
  const upTo = read + /^[\r\n]*/.exec(text.slice(read.length))![0];
  const line = before + upTo.split(endOfRecords(text) > 0 ? "\n" : "\r").length;
  if (code === "CSV_QUOTE_NOT_CLOSED") return { line, words: `A quote that opens in line ${line} is never closed.` };
  return { line, words: `Line ${line} has a quote in the wrong place. Put a cell with quotes in quotes, and write each of its own twice.` };
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** Spreadsheets in some locales write semicolons. The first line may be empty, and its names in quotes. */
function delimiterOf(text: string): string {
  const first = text
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
    .replaceAll(/"[^"]*"/g, "");
  const count = (delimiter: string) => first.split(delimiter).length;
  return [",", ";", "\t"].toSorted((a, b) => count(b) - count(a))[0]!;
}

function headerOf(delimiter: string, cells: readonly string[] | undefined): Reading["header"] {
  if (cells === undefined) return null;
  const columns = cells.map((cell) => cell.trim());
  if (columns.length > MAX_COLUMNS) throw new Unreadable(`The first line has more than ${MAX_COLUMNS} columns.`);
  const repeated = columns.find((column, at) => column !== "" && columns.indexOf(column) !== at);
  if (repeated !== undefined) throw new Unreadable(`The first line has the column ${shortened(repeated)} twice.`);
  return { delimiter, columns };
}

function lineOf(line: number, cells: readonly string[], columns: readonly string[]): ReadLine {
  const beyond = cells.findIndex((cell, at) => at >= columns.length && cell.trim() !== "");
  if (beyond >= 0) {
    const problem = `The line has ${cells.length} cells, and the first line of the file ${columns.length} columns.`;
    return { line, text: cells.join(", "), problem };
  }
  return {
    line,
    // Iterates over the line's cells, not over up to three hundred columns.
    record: Object.fromEntries(cells.flatMap((cell, at) => (!columns[at] || cell.trim() === "" ? [] : [[columns[at], cell.trim()]]))),
  };
}

const readJsonLines = (before: number, text: string): ReadLine[] =>
  text.split("\n").flatMap((one, at): ReadLine[] => (one.trim() === "" ? [] : [jsonLine(before + at + 1, one.trim())]));

function jsonLine(line: number, text: string): ReadLine {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? { line, record: value } : { line, text, problem: "The line is not a JSON object." };
  } catch {
    return { line, text, problem: "The line is not valid JSON." };
  }
}
