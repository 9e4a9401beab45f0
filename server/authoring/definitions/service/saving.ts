import type { Database, Sql } from "#db/client.ts";
import type { Environment, EnvironmentKind, Actor } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { findLastChange } from "#server/people/audit-log/read.ts";
import { findEnvironment } from "#server/people/projects/environments.ts";
import type { Kind, Way } from "#server/model/definitions/contract.ts";
import { differencesIn } from "#server/model/definitions/difference.ts";
import { type Entry, keyOf } from "#server/model/definitions/file.ts";
import { revisionOfOne } from "#server/model/definitions/overview.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { type DefinitionProblem, inside, problemAt } from "#server/model/definitions/problems.ts";
import { missingKey, takenKey } from "#server/model/definitions/removal.ts";
import { SETTINGS, type Stored } from "#server/model/definitions/stored.ts";
import type { Author } from "#server/model/definitions/versions.ts";
import { mistake } from "#server/model/rules/finding.ts";
import { newestVersion } from "../store/versions.ts";
import { type Edit, edit, knownIn, without } from "./edit.ts";
import { type Documents, type ReadOne, readOne, type SaveProblem } from "./read-one.ts";
import { removalProblems } from "./switching.ts";

/** A change made since the author read: its author and its time (real time, epoch milliseconds); null if unknown. */
export interface Conflict {
  environment: EnvironmentKind;
  by: string | null;
  at: number | null;
  /** The definition's present revision: to overwrite this change, and no later one; null for settings and texts. */
  revision: string | null;
}

export interface Saved {
  problems: SaveProblem[];
  conflict: Conflict | null;
  /** Whether anything changed, or would after a dry run. */
  isChanged: boolean;
  /** The definition's key from now on; null if nothing was saved. */
  key: string | null;
  revision: string | null;
}

export interface Save {
  kind: Kind;
  /** The definition as in the file, as JSON text. */
  document: string;
  isNew: boolean;
  /** The revision that the author read; null for a new definition, and to overwrite regardless. */
  revision: string | null;
  /**
   * Also saves into the project's other environment: both, or neither. Refused for kinds that are saved in one environment at a time.
   * `revision` is that of the other environment from `previewInOther`, null if there is no definition there: later changes are not
   * overwritten.
   */
  alsoIn?: { revision: string | null } | null;
  /** New definitions created together with it, only here. */
  along?: Documents;
  dryRun?: boolean;
  /** How the history describes it; "save" if left out. */
  via?: Way;
}

export const NOTHING: Saved = { problems: [], conflict: null, isChanged: false, key: null, revision: null };

export const otherEnvironment = (database: Database, { projectSlug, kind }: Environment): Promise<Environment> =>
  findEnvironment(database, projectSlug, kind === "sandbox" ? "live" : "sandbox");

/**
 * Saves one definition: a one-definition import, with the same checks and messages. Later changes are not overwritten, unless requested.
 */
export async function saveDefinition(database: Database, environment: Environment, save: Save, actor: Actor): Promise<Saved> {
  const environments = [environment, ...(save.alsoIn ? [await otherEnvironment(database, environment)] : [])];
  return editOne(database, environments, save, async (one, ...edits) => {
    const { entry } = one;
    const changed = save.isNew ? undefined : edits.find((open, at) => isChangedSince(open.known(entry), save, at === 0));
    const plans = await planEach(edits, one, save.isNew);
    const isChanged = "problems" in plans || plans.some(({ changes }) => changes.length > 0);
    // A save that changes nothing is no conflict: its author may be sending it again because the answer was lost.
    if (changed !== undefined && isChanged) return conflictIn(changed, { kind: save.kind, key: keyOf(entry) }, changed.known(entry));
    if ("problems" in plans) return { ...NOTHING, ...plans };
    if (save.dryRun) return { ...NOTHING, isChanged, key: keyOf(entry) };
    for (const [at, open] of edits.entries()) await open.write(plans[at]!, { actor, via: save.via ?? "save" });
    return savedIn(edits[0]!, entry, isChanged);
  });
}

/**
 * Replaces a definition that no player has met and nothing references with a new one under the same key, so that fixed fields can change.
 * The old one is deleted and the new one created in one transaction.
 */
export const startOver = (
  database: Database,
  environment: Environment,
  save: Pick<Save, "kind" | "document" | "revision" | "dryRun">,
  actor: Actor,
): Promise<Saved> =>
  editOne(database, [environment], save, async (one, open) => {
    const { entry } = one;
    const known = open.known(entry);
    if (known === null) return refused(open, missingKey(entry));
    if (isChangedSince(known, save)) return conflictIn(open, { kind: known.kind, key: known.shaped.key }, known);
    const kept = refused(open, await removalProblems(open, known)).problems;
    const plan = await planOne(open, one, { isNew: true, stored: without(open.stored, known) });
    const problems = [...kept, ...("problems" in plan ? plan.problems : [])];
    if (problems.length > 0 || "problems" in plan) return { ...NOTHING, problems };
    if (save.dryRun) return { ...NOTHING, isChanged: true, key: keyOf(entry) };
    await open.removeReplaced(known, actor);
    await open.write(againstOld(plan, known), { actor, via: "start_over" });
    return savedIn(open, entry, true);
  });

/** The same plan, in which the definition's change has the differences from the replaced one, for the audit log. */
export function againstOld(plan: Plan, { kind, shaped }: Stored): Plan {
  const changes = plan.changes.map((change) => {
    const added = plan.additions.find((one) => one.kind === kind && one.key === shaped.key);
    if (change.kind !== kind || added === undefined) return change;
    const after = { active: added.active, ...(added.body as object) };
    const fields = Object.keys(after);
    return { ...change, fields, differences: differencesIn(fields, shaped, after).filter(isDifferent) };
  });
  return { ...plan, changes };
}

const isDifferent = ({ before, after }: { before: unknown; after: unknown }): boolean => writeJson(before) !== writeJson(after);

/** Edits the definition of a document. Problems of the document itself are returned without opening an edit. */
export async function editOne(
  database: Database,
  environments: readonly Environment[],
  { dryRun, ...document }: Pick<Save, "kind" | "document" | "along" | "dryRun">,
  run: (one: ReadOne, ...edits: [Edit, ...Edit[]]) => Promise<Saved>,
): Promise<Saved> {
  const read = await readOne(environments[0]!.kind, { ...document, inBoth: environments.length > 1 });
  if ("problems" in read) return { ...NOTHING, ...read };
  return edit(database, environments, { dryRun }, (...edits) => run(read, ...edits));
}

/** Saves a definition that exists, within an open edit. */
export async function saveIn(open: Edit, definition: { kind: Kind; document: string }, author: Author): Promise<Saved> {
  const one = await readOne(open.environment.kind, definition);
  if ("problems" in one) return { ...NOTHING, ...one };
  const plan = await planOne(open, one, { isNew: false });
  if ("problems" in plan) return { ...NOTHING, ...plan };
  await open.write(plan, author);
  return savedIn(open, one.entry, plan.changes.length > 0);
}

export const refused = ({ environment: { kind } }: Edit, problems: readonly DefinitionProblem[]): Saved => ({
  ...NOTHING,
  problems: problems.map((problem) => ({ ...problem, environment: kind })),
});

/** The result of a completed save. */
export function savedIn(open: Edit, entry: Entry, isChanged: boolean): Saved {
  const saved = open.known(entry);
  return { ...NOTHING, isChanged, key: keyOf(entry), revision: saved && revisionOfOne(saved) };
}

/** Whether the definition has changed since its author read it; in the other environment, also whether it was added or deleted. */
export function isChangedSince(known: Stored | null, { revision, alsoIn }: Pick<Save, "revision" | "alsoIn">, isFirst = true): boolean {
  if (isFirst) return revision !== null && known !== null && revisionOfOne(known) !== revision;
  return (known && revisionOfOne(known)) !== (alsoIn?.revision ?? null);
}

/** The last change of a definition: the newest version names its author; for settings, which have no versions, the audit log does. */
export const findLast = (
  { tx, environment }: { tx: Sql; environment: Environment },
  { kind, key }: { kind: string; key: string | null },
): Promise<{ actor: string | null; at: number } | null> =>
  kind === SETTINGS.kind ? findLastChange(tx, environment, kind, null) : newestVersion(tx, environment.id, kind, key);

/** The conflict with an earlier save. */
export async function conflictIn(
  open: { tx: Sql; environment: Environment },
  which: { kind: string; key: string | null },
  present: Stored | null = null,
): Promise<Saved> {
  const last = await findLast(open, which);
  const by = last?.actor ?? null;
  const environment = open.environment.kind;
  return {
    ...NOTHING,
    problems: [{ ...problemAt("", mistake("definition.changed_meanwhile", { by })), environment }],
    conflict: { environment, by, at: last?.at ?? null, revision: present && revisionOfOne(present) },
  };
}

/** The plans in each environment, or all problems in any of them. */
export async function planEach(edits: readonly Edit[], one: ReadOne, isNew: boolean): Promise<{ problems: SaveProblem[] } | Plan[]> {
  const planned = await Promise.all(edits.map((open, at) => planOne(open, one, { isNew, isFirst: at === 0 })));
  const problems = planned.flatMap((plan) => ("problems" in plan ? plan.problems : []));
  return problems.length > 0 ? { problems } : (planned as Plan[]);
}

/** The plan in one environment. The key must be unused if the definition is new, and in the first environment exist if it is not. */
export async function planOne(
  open: Edit,
  { file, entry }: ReadOne,
  { isNew, isFirst = true, stored = open.stored }: { isNew: boolean; isFirst?: boolean; stored?: Edit["stored"] },
): Promise<{ problems: SaveProblem[] } | Plan> {
  const known = knownIn(stored, entry);
  const taken = isNew && known !== null ? takenKey(known) : null;
  const missing = !isNew && isFirst && known === null ? missingKey(entry) : [];
  // If the key is taken, other problems are found all the same, as if the definition had another key.
  const plan = await open.plan(file, false, taken === null ? stored : without(stored, known!));
  const found = "problems" in plan ? plan.problems.map((problem) => ({ ...problem, pointer: inside(problem.pointer, entry.kind) })) : [];
  const { problems } = refused(open, [...(taken === null ? [] : [taken]), ...takenAlong(stored, file, entry), ...missing, ...found]);
  return problems.length > 0 ? { problems } : (plan as Plan);
}

/** Definitions in `along` must be new: existing ones are never changed implicitly. */
const takenAlong = (stored: Edit["stored"], { lists }: ReadOne["file"], entry: Entry): DefinitionProblem[] =>
  Object.values(lists).flatMap((list: readonly Entry[] | null) =>
    (list ?? []).flatMap((other) => {
      const known = other === entry ? null : knownIn(stored, other);
      const taken = known && takenKey(known);
      return taken === null ? [] : [{ ...taken, pointer: "" }];
    }),
  );
