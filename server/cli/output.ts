import { fstatSync, writeFileSync } from "node:fs";
import { styleText } from "node:util";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { printable } from "../model/kernel/input-text.ts";

type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** Text for people; plain if standard output is no terminal, or NO_COLOR is set. */
export const styled = (style: Style | Style[], text: string): string => styleText(style, text, { stream: process.stdout });

/** The same for standard error. */
export const styledNote = (style: Style | Style[], text: string): string => styleText(style, text, { stream: process.stderr });

/** What text for people may contain besides printable characters: line ends, tabs, and the styles above. */
const KEPT = /(\n|\t|\u001b\[(?:1|2|3[1236]|22|39)m)/;

/** A text of several lines, possibly styled, without control characters that a name in it could contain. */
const cleaned = (text: string): string =>
  text.split(KEPT).map((part, at) => (at % 2 === 1 ? part : printable(part))).join(""); // oxfmt-ignore

const BACK_TO_THE_BEGINNING = "\r\u001b[K";

/** On a terminal, replaces the line that shows progress. */
export const showProgress = (text: string): boolean => process.stderr.write(BACK_TO_THE_BEGINNING + text);

/** Messages for people go to standard error: standard output is for data. On a terminal they replace the line that shows progress. */
export const note = (text: string): void => console.error((process.stderr.isTTY ? BACK_TO_THE_BEGINNING : "") + cleaned(text));

export const print = (text: string): void => printLine(cleaned(text));

/** Prints text as it is. Throws OperatorError if a file takes only a part of it, as on a full disk, which console.log would ignore. */
export function printLine(text: string): void {
  if (!isFile(process.stdout)) return console.log(text);
  try {
    writeFileSync(process.stdout.fd, `${text}\n`);
  } catch (error) {
    throw new OperatorError(`The output cannot be written: ${(error as Error).message}`);
  }
}

/** A terminal or a pipe may not take all of a text at once. */
function isFile({ fd, isTTY }: Partial<typeof process.stdout>): boolean {
  if (fd === undefined || isTTY) return false;
  const stat = fstatSync(fd);
  return !stat.isFIFO() && !stat.isSocket();
}

/** The same value as JSON, with control characters as escapes. */
export const printJson = (json: unknown, indent?: number): void =>
  printLine(
    JSON.stringify(json, null, indent).replaceAll(/(?!\n)\p{C}/gu, (character) =>
      Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
    ),
  );

/** What a command prints: data on standard output, as JSON with --json. */
export class Output {
  readonly #isJson: boolean;
  readonly #isTerminal: boolean;

  constructor({ isJson, isTerminal = process.stdout.isTTY }: { isJson: boolean; isTerminal?: boolean }) {
    this.#isJson = isJson;
    this.#isTerminal = isTerminal;
  }

  get isJson(): boolean {
    return this.#isJson;
  }

  /** A command's data: its text, or the same as JSON. An empty text prints nothing. */
  data(json: unknown, text: string): void {
    if (this.#isJson) printJson(json, 2);
    else if (text !== "") print(text);
  }

  /** A list: a table with headings on a terminal, tab-separated lines in a pipe. `empty` is the message for an empty list. */
  rows(headings: readonly string[], rows: readonly (readonly string[])[], { json, empty }: { json: unknown; empty: string }): void {
    if (this.#isJson) return this.data(json, "");
    if (rows.length === 0) return note(empty);
    const cells = rows.map((row) => row.map(printable));
    this.data(json, this.#isTerminal ? table(headings, cells) : cells.map((row) => row.join("\t")).join("\n"));
  }
}

/** Columns as wide as their widest cell, except the last. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at]!))).join("  ");
  return [styled("dim", line(headings)), ...rows.map(line)].join("\n");
}
