import { type Database, transact } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { canonicalLanguage, languageNamed } from "#server/model/kernel/languages.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import type { Steps } from "#server/model/kernel/steps.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { Shaped } from "#server/model/definitions/kinds.ts";
import { type Plan, planUpdate } from "#server/model/definitions/plan.ts";
import type { StoredDefinitions } from "#server/model/definitions/stored.ts";
import { textsOf, withValueAt, wordsIn } from "#server/model/definitions/translations.ts";
import { writeChange } from "./change.ts";
import { openExclusive } from "#server/engine/open-definitions.ts";

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
  if (tag === null)
    throw new OperatorError(`"${to}" is not the code of a language; use one such as ${languageNamed(to) ?? "en or nl-BE"}.`);
  if (canonicalLanguage(from) !== null) throw new OperatorError(`"${from}" is the code of a language: there is nothing to repair.`);
  return transact(database, async (tx) => {
    const opened = await openExclusive(tx, environment.id);
    const { plan, ...repaired } = await inTurns(planRepair(opened.stored, from, tag));
    await writeChange(tx, opened, plan, { actor, via: "repair_language" });
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

function repairedText({ default: first, texts }: Text, from: string, to: string): Text {
  const isFrom = (tag: string) => tag.toLowerCase() === from.toLowerCase();
  const moved = Object.entries(texts).map(([tag, words]): [string, string] => [isFrom(tag) ? to : tag, words]);
  // If both exist, the words under the code win: they come last.
  const inOrder = moved.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const own = Object.entries(texts).filter(([tag]) => tag.toLowerCase() === to.toLowerCase());
  return { default: isFrom(first) ? to : first, texts: { ...Object.fromEntries(inOrder), ...Object.fromEntries(own) } };
}
