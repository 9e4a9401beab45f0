import type { Database, Sql } from "#db/client.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { canonicalLanguage, languageNamed } from "#server/model/kernel/languages.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { mapInSteps, type Steps } from "#server/model/kernel/steps.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { documentOfOne, type Overview } from "#server/model/definitions/overview.ts";
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
  withWords,
  wordsIn,
} from "#server/model/definitions/translations.ts";
import { overviewIn } from "./overviews.ts";
import { storedOf } from "#server/model/definitions/request-items.ts";
import { conflictIn, type Saved, saveIn } from "./saving.ts";
import type { Shaped } from "#server/model/definitions/kinds.ts";
import { repairedText } from "#server/model/definitions/texts-in.ts";
import { withValueAt } from "#server/model/definitions/value-at.ts";
import { type Plan, planUpdate } from "#server/model/definitions/plan.ts";
import type { StoredDefinitions } from "#server/model/definitions/stored.ts";
import { edit } from "./edit.ts";

/** Caches the texts, with their definitions' names in a language, for as long as their definitions: scanning ten thousand takes time. */
const known = new WeakMap<Overview, { language: string; rows: Promise<TextRow[]> }>();

async function rowsIn(database: { sql: Sql }, environment: Environment): Promise<TextRow[]> {
  const overview = await overviewIn(database, environment);
  const { defaultLanguage: language } = environment;
  const kept = known.get(overview);
  if (kept?.language === language) return kept.rows;
  const rows = inTurns(textsOf(overview.stored, language));
  known.set(overview, { language, rows });
  return rows;
}

/** Approximate bytes of texts per page; it has at least one text. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** A page of an environment's texts. `missing` counts those that lack a language, among all that match the query otherwise. */
export interface TextsPage {
  rows: TextRow[];
  /** How many texts precede it. */
  first: number;
  next: string | null;
  total: number;
  missing: number;
  languages: string[];
  unknown: UnknownLanguage[];
}

/** An unknown language, from before codes were checked: no player gets its texts, unless it is their default. */
export interface UnknownLanguage {
  tag: string;
  /** How many texts use it. */
  texts: number;
  /** The code of the language it probably means; null if unclear. */
  suggestion: string | null;
}

/** A page of an environment's texts. If the query names no languages, `missing` is about every known language of any text. */
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

/** The texts that match a query, and how many of those that match it otherwise lack a language. */
export async function findTexts(database: Database, environment: Environment, asked: TextsQuery) {
  const rows = await rowsIn(database, environment);
  const { languages, known: knownOnes, unknown } = languagesIn(rows, environment);
  const query = { ...asked, languages: asked.languages.length === 0 ? knownOnes : asked.languages.map((tag) => knownTag(tag, languages)) };
  const every = await inTurns(textsFor(rows, { ...query, missing: false }));
  const lack = await inTurns(mapInSteps(every, (row) => isMissing(row, query.languages)));
  const found = query.missing ? every.filter((_, at) => lack[at]) : every;
  return { found, missing: lack.filter(Boolean).length, languages, unknown, asked: query.languages };
}

/** The known and unknown languages of texts. */
function languagesIn(rows: readonly TextRow[], { defaultLanguage }: Environment) {
  const languages = languagesOf(rows, defaultLanguage);
  const [known, others] = [languages.filter(isKnown), languages.filter((tag) => !isKnown(tag))];
  const unknown = others.map((tag): UnknownLanguage => ({
    tag,
    suggestion: languageNamed(tag),
    texts: rows.filter(({ text }) => wordsIn(text, tag) !== null).length,
  }));
  return { languages, known, unknown };
}

const isKnown = (tag: string): boolean => canonicalLanguage(tag) !== null;

/** A language that some text has, or the canonical form of another. Throws OperatorError for an unknown one. */
function knownTag(tag: string, languages: readonly string[]): string {
  const found = languages.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? canonicalLanguage(tag);
  if (found === null) throw new OperatorError(`"${tag}" is not a language code; use one such as ${languageNamed(tag) ?? "en or nl-BE"}.`);
  return found;
}

/** Texts that need attention: those that lack a language, with the missing languages, and unknown languages. Null if there are none. */
export interface TextsAttention {
  missing: { count: number; languages: string[] } | null;
  unknown: { languages: string[] } | null;
}

/** The same counts as the list of texts shows. */
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

/** A new text in one language; an empty `after` removes it. `before` is the text its author has read. */
export interface Translate {
  kind: Kind;
  key: string;
  pointer: string;
  language: string;
  before: string | null;
  after: string;
}

/** Saves the definition with the new text. A text that differs from `before` by now is a conflict. Null for an unknown definition. */
export const translate = (
  database: Database,
  environment: Environment,
  { kind, key, pointer, language, before, after }: Translate,
  actor: Actor,
): Promise<Saved | null> =>
  // Under the lock, so that texts of one definition can be written at the same time.
  edit(database, environment, {}, async (open) => {
    const stored = storedOf(open.stored, { kind, key });
    if (stored === null) return null;
    const row = textsOfOne(stored, environment.defaultLanguage).find((one) => one.pointer === pointer);
    const present = row && wordsIn(row.text, language);
    // The same words are no conflict: their author may be sending them again because the answer was lost.
    if (row === undefined || (present !== before && (present ?? "") !== after)) return conflictIn(open, { kind, key });
    const document = writeJson(withValueAt(documentOfOne(stored), row.path, withWords(row.text, language, after)));
    return saveIn(open, { kind, document }, { actor, via: "save" });
  });

/** The texts moved to the code, and those that already had words under it, which stay. */
export interface Repaired {
  changed: number;
  kept: number;
}

/**
 * Moves texts from an unknown language, such as "german", to a known code. A regular change: each definition gets a version, and the audit
 * log one entry. Fixed texts are repaired too, as their words stay the same. Existing words under the code are what players see: they stay,
 * and the others remain only in the previous version. Throws OperatorError.
 */
export async function repairLanguage(
  database: Database,
  environment: Environment,
  { from, to }: { from: string; to: string },
  actor: Actor,
): Promise<Repaired> {
  const tag = canonicalLanguage(to);
  if (tag === null) throw new OperatorError(`"${to}" is not a language code; use one such as ${languageNamed(to) ?? "en or nl-BE"}.`);
  if (canonicalLanguage(from) !== null) throw new OperatorError(`"${from}" is a language code: there is nothing to repair.`);
  return edit(database, environment, {}, async (open) => {
    const { plan, ...repaired } = await inTurns(planRepair(open.stored, from, tag));
    await open.write(plan, { actor, via: "repair_language" });
    return repaired;
  });
}

function* planRepair(stored: StoredDefinitions, from: string, to: string): Steps<Repaired & { plan: Plan }> {
  const plan: Plan = { changes: [], additions: [], updates: [], images: [] };
  const rows = (yield* textsOf(stored, to)).filter(({ text }) => wordsIn(text, from) !== null);
  for (const [one, own] of Map.groupBy(rows, (row) => row.stored)) {
    const after = own.reduce<unknown>((document, { path, text }) => withValueAt(document, path, repairedText(text, from, to)), one.shaped);
    planUpdate(one, after as Shaped, plan);
    yield;
  }
  const kept = rows.filter(({ text }) => wordsIn(text, to) !== null).length;
  return { plan, changed: rows.length - kept, kept };
}
