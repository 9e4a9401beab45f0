import { type Told, told } from "../../rules/finding.ts";
import { pointerTo } from "../../rules/naming.ts";
import { type Database, transact, type Transaction } from "../../../db/client.ts";
import type { Environment, EnvironmentKind } from "../../kernel/environment.ts";
import { parseJsonInSteps } from "../../kernel/json.ts";
import { findEnvironment } from "../../projects/find-environment.ts";
import { inTurns } from "../../turns.ts";
import type { Actor } from "../../kernel/roles.ts";
import { findLastChange } from "../../audit-log/find-last-change.ts";
import { canBeSavedInBoth, type Kind, type Way } from "../contract.ts";
import { type Entry, type File, keyOf, readFile } from "../file.ts";
import { revisionOfOne } from "../overview.ts";
import type { Plan } from "../plan.ts";
import { type DefinitionProblem, problemAt } from "../problems.ts";
import { missingKey, takenKey } from "../saved-key.ts";
import type { Stored, StoredDefinitions } from "../stored.ts";
import { open, openExclusive, type Opened, planChange, writeChange } from "./change.ts";

/** What is wrong with a definition, and in which environment it would be. The pointer leads into the definition. */
export interface SaveProblem extends DefinitionProblem {
  environment: EnvironmentKind;
}

/** Who changed something since it was read, and when (real time, epoch milliseconds); null where nobody knows. */
export interface Conflict {
  by: string | null;
  at: number | null;
}

export interface Saved {
  problems: SaveProblem[];
  conflict: Conflict | null;
  /** Whether anything is different from before, or would be after a dry run. */
  isChanged: boolean;
  /** What the definition is known by, and what it is from now on; null where nothing was saved. */
  key: string | null;
  revision: string | null;
}

export interface Save {
  kind: Kind;
  /** The definition as the file has it, as JSON text. */
  document: string;
  isNew: boolean;
  /** As it was read; null for a new one, and to write over whatever is there. */
  revision: string | null;
  /** Also into the other environment of the project: both, or neither. Refused for a kind that is saved in one environment at a time. */
  alsoIn?: boolean;
  dryRun?: boolean;
  /** What it is in the history of the definition; "save" if left out. */
  via?: Way;
}

export const NOTHING: Saved = { problems: [], conflict: null, isChanged: false, key: null, revision: null };

/**
 * Saves one definition: an import of a file that has nothing else, with the same checks and the same words. What has changed
 * since it was read is not written over, unless that is asked for.
 */
export async function saveDefinition(database: Database, environment: Environment, save: Save, actor: Actor): Promise<Saved> {
  if (save.alsoIn && !canBeSavedInBoth(save.kind)) return refused(environment, told("definition.one_environment", { kind: save.kind }));
  const read = await readEntry(save);
  if ("refused" in read) return refused(environment, read.refused);
  const { file, entry } = read;
  const environments = [environment, ...(save.alsoIn ? [await otherEnvironment(database, environment)] : [])];
  return transact(database, async (tx) => {
    const targets = await openEach(tx, environments, save.dryRun ?? false);
    const known = knownIn(targets[0]!, entry);
    if (!save.isNew && save.revision !== null && known !== null && revisionOfOne(known) !== save.revision) {
      return { ...NOTHING, ...(await conflictOn(tx, environment, known)) };
    }
    const planned = await Promise.all(
      targets.map((opened, at) => planOf(tx, opened, file, entry, { isNew: save.isNew, isFirst: at === 0 })),
    );
    const problems = planned.flatMap((one) => ("problems" in one ? one.problems : []));
    if (problems.length > 0) return { ...NOTHING, problems };
    const plans = planned as readonly { opened: Opened; plan: Plan }[];
    const isChanged = plans.some(({ plan }) => plan.changes.length > 0);
    if (save.dryRun) return { ...NOTHING, isChanged, key: keyOf(entry) };
    const written: StoredDefinitions[] = [];
    for (const { opened, plan } of plans) written.push(await writeChange(tx, opened, plan, { actor, via: save.via ?? "save" }));
    const saved = knownIn({ stored: written[0]! }, entry);
    return { ...NOTHING, isChanged, key: keyOf(entry), revision: saved && revisionOfOne(saved) };
  });
}

export const refused = ({ kind }: Environment, what: Told): Saved => ({
  ...NOTHING,
  problems: [{ ...problemAt("", what), environment: kind }],
});

/** The file that has nothing else, and its entry. */
export async function readEntry({ kind, document: text }: Pick<Save, "kind" | "document">) {
  const document = await parsedDocument(text);
  if ("refused" in document) return document;
  const file = readFile({ version: 1, [kind]: [document.value] });
  return { file, entry: (file.lists[kind] as readonly Entry[])[0]! };
}

/** The value that a text stands for; what is wrong with it where it is not JSON. */
export async function parsedDocument(text: string, isFile = false): Promise<{ value: unknown } | { refused: Told }> {
  try {
    return { value: await inTurns(parseJsonInSteps(text)) };
  } catch (error) {
    return { refused: told("document.not_json", { reason: error instanceof Error ? error.message : String(error), isFile }) };
  }
}

export const otherEnvironment = (database: Database, { projectSlug, kind }: Environment): Promise<Environment> =>
  findEnvironment(database, projectSlug, kind === "sandbox" ? "live" : "sandbox");

/** In the order of their ids, so that two who want both do not wait for each other; answered in the order asked. */
async function openEach(tx: Transaction, environments: readonly Environment[], isDryRun: boolean): Promise<Opened[]> {
  const opened = new Map<number, Opened>();
  for (const { id } of environments.toSorted((a, b) => a.id - b.id)) opened.set(id, await (isDryRun ? open : openExclusive)(tx, id));
  return environments.map(({ id }) => opened.get(id)!);
}

export function knownIn({ stored }: Pick<Opened, "stored">, entry: Entry): Stored | null {
  const key = keyOf(entry);
  return (stored.lists[entry.kind] as readonly Stored[]).find(({ shaped }) => shaped.key === key) ?? null;
}

/** What the entry would do in one environment. There must be none of its key where it is new, and one where it is not. */
export async function planOf(
  tx: Transaction,
  opened: Opened,
  file: File,
  entry: Entry,
  { isNew, isFirst }: { isNew: boolean; isFirst: boolean },
): Promise<{ problems: SaveProblem[] } | { opened: Opened; plan: Plan }> {
  const known = knownIn(opened, entry);
  const own: DefinitionProblem[] = [];
  let against = opened;
  if (isNew && known !== null && takenKey(known)) {
    own.push(takenKey(known)!);
    // Everything else is told all the same, of what the definition would be under another key.
    against = { ...opened, stored: without(opened.stored, known) };
  }
  if (!isNew && isFirst && known === null) own.push(...missingKey(entry));
  const plan = await planChange(tx, against, file);
  const found = "problems" in plan ? plan.problems.map((problem) => ({ ...problem, pointer: inside(problem.pointer, entry.kind) })) : [];
  const problems = [...own, ...found].map((problem) => ({ ...problem, environment: opened.environment.kind }));
  return problems.length > 0 ? { problems } : { opened, plan: plan as Plan };
}

export const without = (stored: Opened["stored"], known: Stored): Opened["stored"] => ({
  ...stored,
  lists: { ...stored.lists, [known.kind]: (stored.lists[known.kind] as readonly Stored[]).filter((one) => one !== known) },
});

/** A pointer into the file as one into its only definition; what is about the list, or about others, is about the whole. */
function inside(pointer: string, kind: Kind): string {
  const start = pointerTo([kind, 0]);
  return pointer.startsWith(`${start}/`) ? pointer.slice(start.length) : "";
}

/** Somebody else was faster; the log says who. */
export async function conflictOn(
  tx: Transaction,
  environment: Environment,
  { kind, shaped: { key } }: { kind: string; shaped: { key: string | null } },
): Promise<Pick<Saved, "problems" | "conflict">> {
  const last = await findLastChange(tx, environment, kind, key);
  return {
    problems: [{ ...problemAt("", told("definition.changed_meanwhile", { by: last?.actor ?? null })), environment: environment.kind }],
    conflict: { by: last?.actor ?? null, at: last?.at ?? null },
  };
}
