import { mistake } from "#server/model/rules/finding.ts";
import { type Database, transact, type Transaction } from "#db/client.ts";
import type { Environment, EnvironmentKind } from "#server/model/kernel/environment.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { findLastChange } from "#server/people/audit-log/find-last-change.ts";
import type { Kind, Way } from "#server/model/definitions/contract.ts";
import { type Entry, keyOf } from "#server/model/definitions/file.ts";
import { revisionOfOne } from "#server/model/definitions/overview.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { problemAt } from "#server/model/definitions/problems.ts";
import { newestVersion } from "../store/versions.ts";
import { SETTINGS, type StoredDefinitions } from "#server/model/definitions/stored.ts";
import { writeChange } from "./change.ts";
import { type Documents, readOne } from "./read-one.ts";
import { knownIn, openEach, otherEnvironment, planOf, type SaveProblem } from "./save-plan.ts";
import type { Opened } from "#server/engine/open-definitions.ts";

/** What was changed since it was read, by whom, and when (real time, epoch milliseconds); null if unknown. */
export interface Conflict {
  environment: EnvironmentKind;
  by: string | null;
  at: number | null;
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
  /** As it was read; null for a new one, and to overwrite regardless. */
  revision: string | null;
  /**
   * Also saves into the project's other environment: both, or neither. Refused for kinds that are saved in one environment at a time.
   * `revision` is the one there from `previewInOther`, null if there is none: later changes are not overwritten.
   */
  alsoIn?: { revision: string | null } | null;
  /** New definitions created together with it, only here. */
  along?: Documents;
  dryRun?: boolean;
  /** How the history describes it; "save" if left out. */
  via?: Way;
}

export const NOTHING: Saved = { problems: [], conflict: null, isChanged: false, key: null, revision: null };

/**
 * Saves one definition: a one-definition import, with the same checks and messages. Later changes are not overwritten, unless requested.
 */
export async function saveDefinition(database: Database, environment: Environment, save: Save, actor: Actor): Promise<Saved> {
  const read = await readOne(environment.kind, { ...save, inBoth: save.alsoIn !== undefined && save.alsoIn !== null });
  if ("problems" in read) return { ...NOTHING, problems: read.problems };
  const { file, entry } = read;
  const environments = [environment, ...(save.alsoIn ? [await otherEnvironment(database, environment)] : [])];
  return transact(database, async (tx) => {
    const targets = await openEach(tx, environments, save.dryRun ?? false);
    const changed = save.isNew ? undefined : targets.find((opened, at) => isChangedSince(opened, entry, save, at === 0));
    if (changed !== undefined) {
      return { ...NOTHING, ...(await conflictOn(tx, changed.environment, { kind: save.kind, shaped: { key: keyOf(entry) } })) };
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

/** Whether the definition has changed since its author read it. */
function isChangedSince(opened: Opened, entry: Entry, { revision, alsoIn }: Save, isFirst: boolean): boolean {
  const known = knownIn(opened, entry);
  if (isFirst) return revision !== null && known !== null && revisionOfOne(known) !== revision;
  return (known && revisionOfOne(known)) !== (alsoIn?.revision ?? null);
}

/** The conflict with an earlier save: the newest version names its author; for settings, which have no versions, the audit log does. */
export async function conflictOn(
  tx: Transaction,
  environment: Environment,
  { kind, shaped: { key } }: { kind: string; shaped: { key: string | null } },
): Promise<Pick<Saved, "problems" | "conflict">> {
  const last =
    kind === SETTINGS.kind ? await findLastChange(tx, environment, kind, key) : await newestVersion(tx, environment.id, kind, key);
  return {
    problems: [{ ...problemAt("", mistake("definition.changed_meanwhile", { by: last?.actor ?? null })), environment: environment.kind }],
    conflict: { environment: environment.kind, by: last?.actor ?? null, at: last?.at ?? null },
  };
}
