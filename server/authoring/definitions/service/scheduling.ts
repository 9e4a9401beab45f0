import { isConflict, isUnavailable } from "#db/errors.ts";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { type Actor, SERVICE } from "#server/model/kernel/roles.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { documentOfOne, revisionOfOne } from "#server/model/definitions/overview.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { missingKey } from "#server/model/definitions/saved-key.ts";
import { MAX_SCHEDULED, reasonOf, scheduleEntry, type ScheduleFailure } from "#server/model/definitions/scheduled.ts";
import {
  countScheduled,
  deleteScheduled,
  dueChanges,
  failScheduled,
  insertScheduled,
  latestVersion,
  rebaseScheduled,
  type ScheduledRow,
  takeScheduled,
} from "../store/scheduled.ts";
import { documentOfVersion } from "#server/model/definitions/versions.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { writeChange } from "./change.ts";
import { readOne } from "./read-one.ts";
import { knownIn, planOf } from "./save-plan.ts";
import { conflictOn, NOTHING, type Save, type Saved } from "./saving.ts";
import { type Opened, openExclusive } from "#server/engine/open-definitions.ts";

/** The longest time ahead that a change may be scheduled. */
const MAX_MS = 2 * 366 * 24 * 60 * 60_000;

/**
 * Schedules a save for an instant (epoch milliseconds, the environment's clock). It is checked now, and again when due. `id` is null if it
 * was refused, or would change nothing.
 */
export async function scheduleChange(
  database: Database,
  environment: Environment,
  { kind, document, revision, at }: Pick<Save, "kind" | "document" | "revision"> & { at: number },
  actor: Actor,
): Promise<Saved & { id: string | null }> {
  const read = await readOne(environment.kind, { kind, document, inBoth: false });
  if ("problems" in read) return { ...NOTHING, problems: read.problems, id: null };
  const { file, entry } = read;
  return transact(database, async (tx) => {
    const opened = await openExclusive(tx, environment.id);
    if (at <= opened.now) throw new OperatorError("Choose a time that is still to come.");
    if (at > opened.now + MAX_MS) throw new OperatorError("A change can be scheduled at most two years ahead.");
    const known = knownIn(opened, entry);
    if (known === null) {
      return { ...NOTHING, problems: missingKey(entry).map((one) => ({ ...one, environment: environment.kind })), id: null };
    }
    if (revision !== null && revisionOfOne(known) !== revision)
      return { ...NOTHING, ...(await conflictOn(tx, environment, known)), id: null };
    const planned = await planOf(tx, opened, file, entry, { isNew: false, isFirst: true });
    if ("problems" in planned) return { ...NOTHING, problems: planned.problems, id: null };
    const { key } = known.shaped;
    const count = await countScheduled(tx, environment.id, { kind, key });
    const answer = { ...NOTHING, key, revision: revisionOfOne(known) };
    if (planned.plan.changes.length === 0 && count.own === 0) return { ...answer, id: null };
    if (count.all >= MAX_SCHEDULED) throw new OperatorError(`At most ${MAX_SCHEDULED} changes can be scheduled at a time.`);
    const change = {
      ...{ kind, key, dueAt: at },
      document: writeJson(documentIn(planned.plan, known)),
      baseVersion: await latestVersion(tx, environment.id, { kind, key }),
    };
    const id = await insertScheduled(tx, environment.id, change, actor);
    await recordChange(tx, scheduleEntry(environment, actor, "schedule", change));
    return { ...answer, isChanged: true, id };
  });
}

/** The definition after the plan, in stored form. */
function documentIn({ updates }: Plan, known: Stored): object {
  const update = updates.find(({ id }) => id === known.id);
  return (update && documentOfVersion({ kind: known.kind, key: known.shaped.key }, update)) ?? documentOfOne(known);
}

/** Cancels a pending or failed change; false if it is gone. */
export const cancelScheduled = (database: Database, environment: Environment, id: string, actor: Actor): Promise<boolean> =>
  transact(database, async (tx) => {
    const row = await takeScheduled(tx, environment.id, id);
    if (row === null) return false;
    await deleteScheduled(tx, id);
    await recordChange(tx, scheduleEntry(environment, actor, "cancel_schedule", row));
    return true;
  });

/** Saves a scheduled change now, in the name of the user who asks; null if it is gone. `overwrite` replaces later changes. */
export const applyScheduledNow = (
  database: Database,
  environment: Environment,
  { id, overwrite }: { id: string; overwrite: boolean },
  actor: Actor,
): Promise<Saved | null> =>
  transact(database, async (tx) => {
    const opened = await openExclusive(tx, environment.id);
    const row = await takeScheduled(tx, environment.id, id);
    return row === null ? null : saveScheduled(tx, opened, row, actor, overwrite);
  });

interface ApplyOptions {
  isStopping?(): boolean;
  patienceMs?: number;
  onFault?(error: unknown, id: string): void;
}

const UNFORESEEN = "Something unforeseen happened. It is in the log.";

const rethrow = (error: unknown) => {
  throw error;
};

/**
 * Saves an environment's due changes in order; returns how many were processed. Each is one transaction that holds the environment lock:
 * only one of several workers saves it, and after a crash it is still due. A failed change is kept with the reason. `patienceMs` limits the
 * wait for the lock, after which the call fails as unavailable; 0: no limit. `onFault` is called for an unexpected error once that is
 * stored with the change; without it, the call throws the error.
 */
export async function applyDueChanges(
  database: Database,
  environmentId: number,
  { isStopping = () => false, patienceMs = 0, onFault = rethrow }: ApplyOptions = {},
): Promise<number> {
  let count = 0;
  for (const id of await dueChanges(database.sql, environmentId)) {
    if (isStopping()) break;
    try {
      if (await applyDue(database, environmentId, id, patienceMs)) count++;
    } catch (error) {
      if (isUnavailable(error) || isConflict(error)) throw error;
      const isForeseen = error instanceof OperatorError;
      const failure = { conflict: null, problems: [], error: isForeseen ? error.message : UNFORESEEN };
      // An unexpected error must not block the following changes.
      await transact(database, (tx) => failDue(tx, environmentId, id, failure));
      count++;
      if (!isForeseen) onFault(error, id);
    }
  }
  return count;
}

const applyDue = (database: Database, environmentId: number, id: string, patienceMs: number): Promise<boolean> =>
  transact(database, async (tx) => {
    await tx`select set_config('lock_timeout', ${String(patienceMs)}, true)`;
    const opened = await openExclusive(tx, environmentId);
    const row = await takeScheduled(tx, environmentId, id);
    if (row === null || row.failedAt !== null || row.dueAt > opened.now) return false;
    const { userId, actor: name, token } = row;
    const saved = await saveScheduled(tx, opened, row, { userId, name, ...(token !== null && { token }) }, false);
    const failure = failureOf(saved);
    if (failure !== null) await fail(tx, opened.environment, row, failure);
    return true;
  });

async function failDue(tx: Transaction, environmentId: number, id: string, failure: ScheduleFailure): Promise<void> {
  const { environment } = await openExclusive(tx, environmentId);
  const row = await takeScheduled(tx, environmentId, id);
  if (row !== null && row.failedAt === null) await fail(tx, environment, row, failure);
}

async function fail(tx: Transaction, environment: Environment, row: ScheduledRow, failure: ScheduleFailure): Promise<void> {
  await failScheduled(tx, row.id, failure);
  await recordChange(tx, scheduleEntry(environment, SERVICE, "schedule_failed", row, reasonOf(failure)));
}

/** The most problems stored with a change. */
const MAX_PROBLEMS = 20;

function failureOf({ problems, conflict }: Saved): ScheduleFailure | null {
  if (conflict !== null) {
    return { conflict: { by: conflict.by, at: conflict.at === null ? null : formatInstant(conflict.at) }, problems: [], error: null };
  }
  if (problems.length === 0) return null;
  const told = problems.slice(0, MAX_PROBLEMS).map(({ pointer, message, code }) => ({ pointer, message, code }));
  return { conflict: null, problems: told, error: null };
}

/** Saves it like any other save, against the present definitions, and removes it from the schedule; or returns why not. */
async function saveScheduled(tx: Transaction, opened: Opened, row: ScheduledRow, actor: Actor, overwrite: boolean): Promise<Saved> {
  const { environment } = opened;
  const { id, kind, key, document, baseVersion } = row;
  const read = await readOne(environment.kind, { kind, document, inBoth: false });
  if ("problems" in read) return { ...NOTHING, problems: read.problems };
  const known = knownIn(opened, read.entry);
  const version = await latestVersion(tx, environment.id, row);
  if (known !== null && version !== baseVersion && !overwrite) return { ...NOTHING, ...(await conflictOn(tx, environment, known)) };
  const planned = await planOf(tx, opened, read.file, read.entry, { isNew: false, isFirst: true });
  if ("problems" in planned) return { ...NOTHING, problems: planned.problems };
  const stored = await writeChange(tx, opened, planned.plan, { actor, via: "scheduled" });
  await deleteScheduled(tx, id);
  const after = await latestVersion(tx, environment.id, row);
  // After an overwrite, later scheduled changes still conflict: their authors have not seen the overwritten version.
  if (version === baseVersion) await rebaseScheduled(tx, environment.id, row, baseVersion, after);
  const saved = knownIn({ stored }, read.entry);
  return { ...NOTHING, isChanged: planned.plan.changes.length > 0, key, revision: saved && revisionOfOne(saved) };
}
