import { type Database, transact, type Transaction } from "#db/client.ts";
import { isTimeout } from "#db/errors.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { forgetPeriods } from "#server/game/leaderboards/service/removal.ts";
import { inTurns } from "#server/engine/turns.ts";
import { deletedEntry } from "#server/model/definitions/audit-entries.ts";
import { hasKey, type KeyedKind, type Kind } from "#server/model/definitions/contract.ts";
import { documentOf } from "#server/model/definitions/document.ts";
import { readFile } from "#server/model/definitions/file.ts";
import { documentOfOne, type Overview, overviewOf, storedAt, usersShown } from "#server/model/definitions/overview.ts";
import { MAY_BE_DELETED, missing, type Removal, tooMuch, touchedRemoval, usedRemoval } from "#server/model/definitions/removal.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { deleteDefinitions } from "#server/engine/store/definitions.ts";
import { hasTouched } from "../store/touched.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { planChange, settleChange, writeChange } from "./change.ts";
import { type Opened, openExclusive } from "#server/engine/open-definitions.ts";

/** Problems in words; empty on success. */
export interface Switched {
  problems: DefinitionProblem[];
}

interface Which {
  kind: Kind;
  key: string;
}

/**
 * Switches a definition on or off. A used definition cannot be switched off, and one that is switched on needs active references; the
 * problems name them.
 */
export const setActive = (database: Database, environment: Environment, { kind, key, active }: Which & { active: boolean }, actor: Actor) =>
  transact(database, async (tx): Promise<Switched> => {
    const opened = await openExclusive(tx, environment.id);
    const known = storedAt(await inTurns(overviewOf(opened.stored)), kind, key);
    if (known === undefined) return missing(kind, key);
    const plan = hasKey(kind)
      ? await planChange(tx, opened, await inTurns(readFile({ version: 1, [kind]: [{ ...known.shaped, active }] })))
      : await planWithout(tx, opened, known, active);
    if ("problems" in plan) return { problems: plan.problems };
    await writeChange(tx, opened, plan, { actor, via: "switch" });
    return { problems: [] };
  });

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
  transact(database, async (tx): Promise<Switched> => {
    const opened = await openExclusive(tx, environment.id);
    const overview = await inTurns(overviewOf(opened.stored));
    const documents: object[] = [];
    for (const key of new Set(keys)) {
      const known = storedAt(overview, kind, key);
      if (known === undefined) return missing(kind, key);
      documents.push({ ...known.shaped, active });
    }
    const plan = await planChange(tx, opened, await inTurns(readFile({ version: 1, [kind]: documents })));
    if ("problems" in plan) return { problems: plan.problems };
    await writeChange(tx, opened, plan, { actor, via: "switch" });
    return { problems: [] };
  });

/** Definitions without a key are either in the file or not. */
async function planWithout(tx: Transaction, opened: Opened, { kind, shaped }: Stored, active: boolean): ReturnType<typeof planChange> {
  if (active) return planChange(tx, opened, await inTurns(readFile({ version: 1, [kind]: [documentOfOne({ kind, shaped } as Stored)] })));
  const { lists } = opened.stored;
  const others = {
    ...opened.stored,
    lists: { ...lists, [kind]: (lists[kind] as readonly Stored[]).filter((one) => one.shaped !== shaped) },
  };
  return planChange(tx, opened, await inTurns(readFile({ version: 1, [kind]: documentOf(others)[kind] })), true);
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
export const removeDefinition = (database: Database, environment: Environment, { kind, key }: Which, actor: Actor) =>
  hasKey(kind)
    ? transact(database, async (tx): Promise<Switched> => {
        const opened = await openExclusive(tx, environment.id);
        const overview = await inTurns(overviewOf(opened.stored));
        const known = storedAt(overview, kind, key);
        if (known === undefined) return missing(kind, key);
        const problems = await removalProblems(tx, opened, known);
        if (problems.length > 0) return { problems };
        if (kind === "leaderboards") await forgetPeriods(tx, known.id);
        await deleteDefinitions(tx, [known.id], { actor, via: "delete" });
        await settleChange(tx, opened.environment, opened.now);
        await recordChange(tx, deletedEntry(opened.environment, actor, kind, key, documentOfOne(known)));
        return { problems: [] };
      })
    : setActive(database, environment, { kind, key, active: false }, actor);

/** What prevents deleting or replacing a definition: a player or another definition needs it. */
export async function removalProblems(tx: Transaction, { environment, stored }: Opened, known: Stored): Promise<DefinitionProblem[]> {
  const named = { kind: known.kind, key: known.shaped.key };
  const users = usersShown(await inTurns(overviewOf(stored)), named, environment.defaultLanguage);
  const refused = usedRemoval(known, users) ?? (await refusalByTouch(tx, environment.id, known));
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
