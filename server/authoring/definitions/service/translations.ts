import type { Database, Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { canonicalLanguage, languageNamed } from "#server/model/kernel/languages.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { mapInSteps } from "#server/model/kernel/steps.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { documentOfOne, type Overview, revisionOfOne, storedAt } from "#server/model/definitions/overview.ts";
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
} from "#server/model/definitions/translations.ts";
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
  unknown: UnknownLanguage[];
}

/** A language that is none, from before codes were checked: no player gets its texts, unless it is their default. */
export interface UnknownLanguage {
  tag: string;
  /** How many texts have it. */
  texts: number;
  /** The code of the language that it is the name of; null where that is not clear. */
  suggestion: string | null;
}

/** No languages are all known ones that some text has. */
export async function listTexts(
  database: Database,
  environment: Environment,
  { cursor, limit, ...asked }: TextsQuery & { cursor: string | null; limit: number },
): Promise<TextsPage> {
  const { found, missing, languages, unknown } = await findTexts(database, environment, asked);
  const after = textsAfter(found, cursor);
  const rows = firstThatFit(after, limit);
  return {
    rows,
    first: found.length - after.length,
    next: after.length > rows.length ? JSON.stringify(positionOf(rows.at(-1)!)) : null,
    total: found.length,
    missing,
    languages,
    unknown,
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
): Promise<{ found: readonly TextRow[]; missing: number; languages: string[]; unknown: UnknownLanguage[]; asked: readonly string[] }> {
  const rows = await rowsIn(database, environment);
  const { languages, known: knownOnes, unknown } = languagesIn(rows, environment);
  const query = { ...asked, languages: asked.languages.length === 0 ? knownOnes : asked.languages.map((tag) => knownTag(tag, languages)) };
  const every = await inTurns(textsFor(rows, { ...query, missing: false }));
  const lack = await inTurns(mapInSteps(every, (row) => isMissing(row, query.languages)));
  const found = query.missing ? every.filter((_, at) => lack[at]) : every;
  return { found, missing: lack.filter(Boolean).length, languages, unknown, asked: query.languages };
}

/** The languages of texts, those that are known, and those that are not. */
function languagesIn(rows: readonly TextRow[], { defaultLanguage }: Environment) {
  const languages = languagesOf(rows, defaultLanguage);
  const [known, others] = [languages.filter(isKnown), languages.filter((tag) => !isKnown(tag))];
  const unknown = others.map((tag): UnknownLanguage => ({
    ...{ tag, suggestion: languageNamed(tag) },
    texts: rows.filter(({ text }) => wordsIn(text, tag) !== null).length,
  }));
  return { languages, known, unknown };
}

const isKnown = (tag: string): boolean => canonicalLanguage(tag) !== null;

/** A language that some text has, or the canonical form of another. Throws OperatorError for an unknown one. */
function knownTag(tag: string, languages: readonly string[]): string {
  const found = languages.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? canonicalLanguage(tag);
  if (found === null)
    throw new OperatorError(`"${tag}" is not the code of a language; use one such as ${languageNamed(tag) ?? "en or nl-BE"}.`);
  return found;
}

/** What is to be done about texts: those that lack a language, with the languages that some lack, and languages that are unknown. Null where nothing is. */
export interface TextsAttention {
  missing: { count: number; languages: string[] } | null;
  unknown: { languages: string[] } | null;
}

/** What the list of texts counts as missing, and shows as unknown. */
export async function readTextsAttention(sql: Sql, environment: Environment): Promise<TextsAttention> {
  const rows = await rowsIn({ sql }, environment);
  const { known: languages, unknown } = languagesIn(rows, environment);
  const found = await inTurns(textsFor(rows, { kind: null, search: "", missing: true, languages }));
  const lack = await inTurns(mapInSteps(languages, (language) => found.some((row) => isMissing(row, [language]))));
  return {
    missing: found.length === 0 ? null : { count: found.length, languages: languages.filter((_, at) => lack[at]) },
    unknown: unknown.length === 0 ? null : { languages: unknown.map(({ tag }) => tag) },
  };
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
