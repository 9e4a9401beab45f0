import { styleText } from "node:util";
import { printable } from "../model/kernel/printable.ts";

type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** Text for a person; plain where standard output is no terminal, or NO_COLOR is set. */
export const styled = (style: Style | Style[], text: string): string => styleText(style, text, { stream: process.stdout });

/** The same for standard error. */
export const styledNote = (style: Style | Style[], text: string): string => styleText(style, text, { stream: process.stderr });

/** What a text for people may have beside printable characters: ends of lines, tabs, and the styles above. */
const KEPT = /(\n|\t|\u001b\[(?:1|2|3[1236]|22|39)m)/;

/** A text of several lines, maybe styled, without the characters by which a name in it could act on the terminal. */
const cleaned = (text: string): string =>
  text.split(KEPT).map((part, at) => (at % 2 === 1 ? part : printable(part))).join(""); // oxfmt-ignore

/** Words for people, on standard error: what stands on standard output stays data. */
export const note = (text: string): void => console.error(cleaned(text));

/** A text on standard output. */
export const print = (text: string): void => console.log(cleaned(text));

/** The same value as JSON, in which such characters are escapes. */
export const printJson = (json: unknown, indent?: number): void =>
  console.log(
    JSON.stringify(json, null, indent).replaceAll(/(?!\n)\p{C}/gu, (character) =>
      Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
    ),
  );

/** What a command prints: data on standard output, as JSON where --json asks for it. */
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

  /** The data of a command: its text, or the same as JSON. An empty text prints nothing. */
  data(json: unknown, text: string): void {
    if (this.#isJson) printJson(json, 2);
    else if (text !== "") print(text);
  }

  /** A list: a table with headings on a terminal, a line with tabs for each in a pipe. `empty` says in words that there is none. */
  rows(headings: readonly string[], rows: readonly (readonly string[])[], { json, empty }: { json: unknown; empty: string }): void {
    if (this.#isJson) return this.data(json, "");
    if (rows.length === 0) return note(empty);
    const cells = rows.map((row) => row.map(printable));
    this.data(json, this.#isTerminal ? table(headings, cells) : cells.map((row) => row.join("\t")).join("\n"));
  }
}

/** Columns as wide as their widest cell; the last one as it is. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at]!))).join("  ");
  return [styled("dim", line(headings)), ...rows.map(line)].join("\n");
}
