import { canonicalLanguage, languageNamed } from "../kernel/languages.ts";
import type { Steps } from "../kernel/steps.ts";
import { pointerTo } from "../rules/naming.ts";
import { type Kind, KINDS } from "./kinds.ts";
import { documentOfOne } from "./overview.ts";
import type { DefinitionProblem } from "./problems.ts";
import type { Stored } from "./stored.ts";
import { type TextRow, withWords, wordsIn } from "./translations.ts";
import { withValueAt } from "./value-at.ts";

/** A record of a CSV file, with the number of the line at which it ends. */
export interface CsvRecord {
  line: number;
  cells: readonly string[];
}

/** A changed text of the file in one language. */
export interface Cell {
  line: number;
  language: string;
  row: TextRow;
  before: string | null;
  after: string;
}

/** A rejected part of the file. `language` is null for a whole line. */
export interface CellRefusal {
  line: number;
  language: string | null;
  message: string;
}

/** The columns before the language columns. */
export const COLUMNS = ["kind", "key", "field", "default"] as const;

/** Formula prefixes: spreadsheets may run such cells, so an export puts an apostrophe before them. */
const ESCAPED = /^'[=+\-@\t\r＝＋－＠]/u;

/** The file's changes, cell by cell; empty cells change nothing. `languages` are the environment's present ones. */
export function* cellsIn(
  records: readonly CsvRecord[],
  texts: readonly TextRow[],
  languages: readonly string[],
): Steps<{ cells: Cell[]; refused: CellRefusal[] }> {
  const [header, ...lines] = records;
  const columns = columnsOf(header?.cells ?? []);
  if (columns === null) return { cells: [], refused: [{ line: header?.line ?? 1, language: null, message: NO_HEADER }] };
  if (columns.tags.length > MAX_LANGUAGES) return { cells: [], refused: [{ line: header!.line, language: null, message: TOO_WIDE }] };
  const named = columns.tags.map(({ tag, at }) => ({ tag: knownTag(tag, languages), at, column: tag }));
  const refused = named
    .filter(({ tag }) => tag === null)
    .map(({ column }): CellRefusal => ({ line: header!.line, language: column, message: unknownColumn(languageNamed(column)) }));
  const tags = named.filter((column): column is typeof column & { tag: string } => column.tag !== null);
  const byName = new Map(texts.map((row) => [nameOfText(row), row]));
  const seen = new Set<string>();
  const cells: Cell[] = [];
  for (const { line, cells: values } of lines) {
    yield;
    const [kind, key, pointer] = columns.own.map((at) => (values[at] ?? "").trim()) as [string, string, string];
    const row = byName.get(nameOfText({ kind, key, pointer }));
    if (row === undefined) {
      refused.push({ line, language: null, message: `There is no text ${pointer} of ${kind} ${key}.` });
      continue;
    }
    for (const { tag, at } of tags) {
      const before = wordsIn(row.text, tag);
      const after = wordsOf(values[at] ?? "", before);
      if (after === "" || after === before) continue;
      if (row.isFixed) {
        refused.push({ line, language: tag, message: "This text cannot change any more. Create a new definition under a new key." });
        continue;
      }
      const name = `${nameOfText(row)} ${tag.toLowerCase()}`;
      if (seen.has(name))
        refused.push({ line, language: tag, message: "The file has this text twice in this language; the first one counts." });
      else cells.push({ line, language: tag, row, before, after });
      seen.add(name);
    }
  }
  return { cells, refused };
}

/** The most columns: matching a column to a language takes time, and no project has so many. */
const MAX_LANGUAGES = 300;
const TOO_WIDE = `The first line names more than ${MAX_LANGUAGES} languages.`;
const NO_HEADER = `The first line must name the columns: ${COLUMNS.slice(0, 3).join(", ")}, and one for each language.`;

const nameOfText = ({ kind, key, pointer }: { kind: string; key: string; pointer: string }): string => `${kind} ${key} ${pointer}`;

/** The indexes of the columns; null if one is missing. */
function columnsOf(header: readonly string[]): { own: number[]; tags: { tag: string; at: number }[] } | null {
  const names = header.map((name) => name.trim());
  const own = COLUMNS.slice(0, 3).map((column) => names.findIndex((name) => name.toLowerCase() === column));
  if (own.includes(-1)) return null;
  const tags = names.map((tag, at) => ({ tag, at })).filter(({ tag }) => tag !== "" && !COLUMNS.some((one) => one === tag.toLowerCase()));
  return { own, tags };
}

/** A tag in use, in its existing spelling, or a language code; null for a column of notes. */
const knownTag = (tag: string, known: readonly string[]): string | null =>
  known.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? canonicalLanguage(tag);

const unknownColumn = (suggestion: string | null): string =>
  `This is not a language code, so the column is left out${suggestion === null ? "" : `; name it "${suggestion}"`}.`;

/** The text of a cell: verbatim if unchanged, otherwise without what spreadsheets add. */
function wordsOf(cell: string, before: string | null): string {
  if (cell === before) return cell;
  const plain = ESCAPED.test(cell) ? cell.slice(1) : cell;
  const words = plain.replaceAll("\r\n", "\n");
  return words.trim() === "" ? "" : words;
}

/** The definitions with these cells applied, as a definitions file; and the cells by path. */
export function* fileWithCells(cells: readonly Cell[]): Steps<{ file: Record<string, unknown>; at: ReadonlyMap<string, Cell[]> }> {
  const byDefinition = Map.groupBy(cells, ({ row }) => row.stored);
  const lists = new Map<Kind, unknown[]>(KINDS.map((kind) => [kind, []]));
  const at = new Map<string, Cell[]>();
  for (const [stored, own] of byDefinition) {
    yield;
    const list = lists.get(stored.kind)!;
    for (const [row, some] of Map.groupBy(own, (cell) => cell.row)) at.set(pointerTo([stored.kind, list.length, ...row.path]), some);
    list.push(documentWith(stored, own));
  }
  return { file: { version: 1, ...Object.fromEntries([...lists].filter(([, list]) => list.length > 0)) }, at };
}

function documentWith(stored: Stored, cells: readonly Cell[]): unknown {
  let document: unknown = documentOfOne(stored);
  for (const [row, some] of Map.groupBy(cells, (cell) => cell.row)) {
    const text = some.reduce((words, { language, after }) => withWords(words, language, after), row.text);
    document = withValueAt(document, row.path, text);
  }
  return document;
}

/** Splits the problems of the file into refused cells and the others. */
export function refusalsOf(
  problems: readonly DefinitionProblem[],
  at: ReadonlyMap<string, Cell[]>,
): { refused: (CellRefusal & { cell: Cell })[]; rest: DefinitionProblem[] } {
  const refused: (CellRefusal & { cell: Cell })[] = [];
  const rest: DefinitionProblem[] = [];
  for (const problem of problems) {
    const cell = cellAt(problem.pointer, at);
    if (cell === null) rest.push(problem);
    else refused.push({ line: cell.line, language: cell.language, message: problem.message, cell });
  }
  return { refused, rest };
}

/** "/missions/0/name/texts/nl" is about the Dutch words of that name. */
function cellAt(pointer: string, at: ReadonlyMap<string, Cell[]>): Cell | null {
  const [, place, language] = /^(.*)\/texts\/([^/]+)$/.exec(pointer) ?? [];
  const cells = place === undefined ? undefined : at.get(place);
  return cells?.find((cell) => cell.language.toLowerCase() === language?.toLowerCase()) ?? null;
}
