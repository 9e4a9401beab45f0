import type { Database, Sql } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { writeJson } from "../../kernel/json.ts";
import type { Actor } from "../../kernel/roles.ts";
import { mapInSteps } from "../../kernel/steps.ts";
import { inTurns } from "../../turns.ts";
import type { Kind } from "../contract.ts";
import { documentOfOne, type Overview, revisionOfOne, storedAt } from "../overview.ts";
import {
  isMissing,
  languagesOf,
  positionOf,
  type TextRow,
  textsAfter,
  textsFor,
  textsOf,
  textsOfOne,
  type TextsQuery,
  withValueAt,
  withWords,
  wordsIn,
} from "../translations.ts";
import { overviewIn } from "./reading.ts";
import { conflictOn, NOTHING, saveDefinition, type Saved } from "./saving.ts";

/** The texts of definitions, as long as these are kept: to look through ten thousand takes its time. */
const known = new WeakMap<Overview, Promise<TextRow[]>>();

async function rowsIn(database: { sql: Sql }, environment: Environment): Promise<TextRow[]> {
  const overview = await overviewIn(database, environment);
  const kept = known.get(overview);
  if (kept !== undefined) return kept;
  const rows = inTurns(textsOf(overview.stored, environment.defaultLanguage));
  known.set(overview, rows);
  return rows;
}

/** Bytes of the texts of a page, about; it has one text at least. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** A page of the texts of an environment. `missing` counts those that lack a language, of all that the query asks for otherwise. */
export interface TextsPage {
  rows: TextRow[];
  /** How many of all come before it. */
  first: number;
  next: string | null;
  total: number;
  missing: number;
  languages: string[];
}

/** No languages are all that some text has. */
export async function listTexts(
  database: Database,
  environment: Environment,
  { cursor, limit, ...asked }: TextsQuery & { cursor: string | null; limit: number },
): Promise<TextsPage> {
  const { found, missing, languages } = await findTexts(database, environment, asked);
  const after = textsAfter(found, cursor);
  const rows = firstThatFit(after, limit);
  return {
    rows,
    first: found.length - after.length,
    next: after.length > rows.length ? JSON.stringify(positionOf(rows.at(-1)!)) : null,
    total: found.length,
    missing,
    languages,
  };
}

function firstThatFit(rows: readonly TextRow[], limit: number): TextRow[] {
  let left = MAX_PAGE_BYTES;
  return rows.slice(0, limit).filter(({ text }, at) => {
    left -= left < 0 ? 0 : Object.values(text.texts).reduce((sum, words) => sum + Buffer.byteLength(words), 0);
    return left >= 0 || at === 0;
  });
}

/** The texts that a query asks for, and how many it would find that lack a language. */
export async function findTexts(
  database: Database,
  environment: Environment,
  asked: TextsQuery,
): Promise<{ found: readonly TextRow[]; missing: number; languages: string[]; asked: readonly string[] }> {
  const rows = await rowsIn(database, environment);
  const languages = languagesOf(rows, environment.defaultLanguage);
  const query = { ...asked, languages: asked.languages.length === 0 ? languages : asked.languages };
  const every = await inTurns(textsFor(rows, { ...query, missing: false }));
  const lack = await inTurns(mapInSteps(every, (row) => isMissing(row, query.languages)));
  const found = query.missing ? every.filter((_, at) => lack[at]) : every;
  return { found, missing: lack.filter(Boolean).length, languages, asked: query.languages };
}

/** How many texts lack a language, and the languages that some text lacks: what the list of texts counts as missing. Null where nothing is. */
export async function readMissingTexts(sql: Sql, environment: Environment): Promise<{ count: number; languages: string[] } | null> {
  const rows = await rowsIn({ sql }, environment);
  const languages = languagesOf(rows, environment.defaultLanguage);
  const found = await inTurns(textsFor(rows, { kind: null, search: "", missing: true, languages }));
  if (found.length === 0) return null;
  const lacking = await inTurns(mapInSteps(languages, (language) => found.some((row) => isMissing(row, [language]))));
  return { count: found.length, languages: languages.filter((_, at) => lacking[at]) };
}

/** Other words for a text in one language; none where `after` is empty. `before` is what their author has read. */
export interface Translate {
  kind: Kind;
  key: string;
  pointer: string;
  language: string;
  before: string | null;
  after: string;
}

/**
 * Saves the definition with other words in it. Only what was read is written over: if the text says something else by now, that is a conflict.
 * Null where there is no such definition.
 */
export async function translate(
  database: Database,
  environment: Environment,
  { kind, key, pointer, language, before, after }: Translate,
  actor: Actor,
): Promise<Saved | null> {
  const stored = storedAt(await overviewIn(database, environment), kind, key);
  if (stored === undefined) return null;
  const row = textsOfOne(stored, environment.defaultLanguage).find((one) => one.pointer === pointer);
  if (row === undefined || wordsIn(row.text, language) !== before) {
    return { ...NOTHING, ...(await database.sql.begin((tx) => conflictOn(tx, environment, stored))) };
  }
  const document = writeJson(withValueAt(documentOfOne(stored), row.path, withWords(row.text, language, after)));
  return saveDefinition(database, environment, { kind, document, isNew: false, revision: revisionOfOne(stored) }, actor);
}
