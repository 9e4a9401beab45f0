import { type Database, type Transaction, isTimeout } from "#db/client.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { hasKey, type KeyedKind } from "#server/model/definitions/contract.ts";
import { documentOf } from "#server/model/definitions/document.ts";
import { documentOfOne, type Overview, storedAt, usersShown } from "#server/model/definitions/overview.ts";
import type { Named } from "#server/model/definitions/references.ts";
import { MAY_BE_DELETED, missing, type Removal, tooMuch, touchedRemoval, usedRemoval } from "#server/model/definitions/removal.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { hasTouched } from "../store/touched.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { type Edit, edit, without } from "./edit.ts";

/** Problems in words; empty on success. */
export interface Switched {
  problems: DefinitionProblem[];
}

/**
 * Switches a definition on or off. A used definition cannot be switched off, and one that is switched on needs active references; the
 * problems name them.
 */
export const setActive = (database: Database, environment: Environment, { kind, key, active }: Named & { active: boolean }, actor: Actor) =>
  edit(database, environment, {}, (open) => switchIn(open, { kind, key, active }, actor));

/** `setActive` within an open edit. */
export async function switchIn(open: Edit, { kind, key, active }: Named & { active: boolean }, actor: Actor): Promise<Switched> {
  const known = storedAt(await open.overview(), kind, key);
  if (known === undefined) return missing(kind, key);
  if (hasKey(kind)) return switchBy(open, open.planDocument({ version: 1, [kind]: [{ ...known.shaped, active }] }), actor);
  // Definitions without a key are either in the file or not.
  const listed = active ? [documentOfOne(known)] : documentOf(without(open.stored, known))[kind];
  return switchBy(open, open.planDocument({ version: 1, [kind]: listed }, !active), actor);
}

/**
 * Switches several definitions of a kind on or off, all or none. Uses by definitions outside the selection prevent switching off; the
 * problems name them.
 */
export const setActiveOfMany = (
  database: Database,
  environment: Environment,
  { kind, keys, active }: { kind: KeyedKind; keys: readonly string[]; active: boolean },
  actor: Actor,
) =>
  edit(database, environment, {}, async (open): Promise<Switched> => {
    const documents: object[] = [];
    for (const key of new Set(keys)) {
      const known = storedAt(await open.overview(), kind, key);
      if (known === undefined) return missing(kind, key);
      documents.push({ ...known.shaped, active });
    }
    return switchBy(open, open.planDocument({ version: 1, [kind]: documents }), actor);
  });

async function switchBy(open: Edit, planned: ReturnType<Edit["plan"]>, actor: Actor): Promise<Switched> {
  const plan = await planned;
  if ("problems" in plan) return plan;
  await open.write(plan, { actor, via: "switch" });
  return { problems: [] };
}

/** Time limit for checking whether players were touched, in milliseconds: for a screen, and while folds wait. */
const LOOKING_MS = 300;
const REMOVING_MS = 5_000;

/**
 * Whether a definition may be deleted (if it never touched a player), and why not. If the check times out, the answer is a provisional yes;
 * deleting checks again.
 */
export async function removalOf(database: Database, environment: Environment, overview: Overview, stored: Stored): Promise<Removal> {
  if (!hasKey(stored.kind)) return MAY_BE_DELETED;
  const used = usedRemoval(stored, usersShown(overview, { kind: stored.kind, key: stored.shaped.key }, environment.defaultLanguage));
  if (used !== null) return used;
  const touched = await database.sql.begin((tx) => touchedWithin(tx, environment.id, stored, LOOKING_MS)).catch(unlessTimeout);
  return touched === true ? touchedRemoval(stored) : MAY_BE_DELETED;
}

/**
 * Deletes a definition that nothing references and that never touched a player; one without a key is removed from the file, as by an import
 * with `prune`.
 */
export const removeDefinition = (database: Database, environment: Environment, { kind, key }: Named, actor: Actor) =>
  hasKey(kind)
    ? edit(database, environment, {}, async (open): Promise<Switched> => {
        const known = storedAt(await open.overview(), kind, key);
        if (known === undefined) return missing(kind, key);
        const problems = await removalProblems(open, known);
        if (problems.length === 0) await open.remove(known, { actor });
        return { problems };
      })
    : setActive(database, environment, { kind, key, active: false }, actor);

/** What prevents deleting or replacing a definition: a player or another definition needs it. */
export async function removalProblems(open: Edit, known: Stored): Promise<DefinitionProblem[]> {
  const { id, defaultLanguage } = open.environment;
  const users = usersShown(await open.overview(), { kind: known.kind, key: known.shaped.key }, defaultLanguage);
  const refused = usedRemoval(known, users) ?? (await refusalByTouch(open.tx, id, known));
  return refused?.because == null ? [] : [{ ...refused.because, pointer: "", message: refused.reason ?? "" }];
}

async function refusalByTouch(tx: Transaction, environmentId: number, known: Stored): Promise<Removal | null> {
  const touched = await tx.savepoint((inner) => touchedWithin(inner, environmentId, known, REMOVING_MS)).catch(unlessTimeout);
  if (touched === null) return tooMuch(known);
  return touched ? touchedRemoval(known) : null;
}

async function touchedWithin(tx: Transaction, environmentId: number, stored: Stored, milliseconds: number): Promise<boolean> {
  await tx`select set_config('statement_timeout', ${String(milliseconds)}, true)`;
  const touched = await hasTouched(tx, environmentId, stored);
  await tx`select set_config('statement_timeout', '0', true)`;
  return touched;
}

function unlessTimeout(error: unknown): null {
  if (isTimeout(error)) return null;
  throw error;
}
