import { isConflict, isUnavailable } from "#db/errors.ts";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { findRights } from "#server/people/identity/find-access.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { type Actor, isAtLeast, SERVICE } from "#server/model/kernel/roles.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { documentOfOne } from "#server/model/definitions/overview.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { missingKey } from "#server/model/definitions/removal.ts";
import { MAX_SCHEDULED, refusalReason, scheduleEntry, type ScheduleFailure } from "#server/model/definitions/scheduled.ts";
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
  environmentsWithDueChanges,
} from "../store/scheduled.ts";
import { dueRequests, environmentsWithDueRequests } from "../store/requests.ts";
import { ChangeRequested } from "#server/model/definitions/change-requests.ts";
import { documentOfVersion } from "#server/model/definitions/versions.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { applyRequest, failDueRequest, failureBy } from "./apply-request.ts";
import { type Edit, edit } from "./edit.ts";
import { readOne } from "./read-one.ts";
import { conflictIn, editOne, isChangedSince, NOTHING, planOne, refused, type Save, type Saved, savedIn } from "./saving.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";

/** The longest time ahead that a change may be scheduled. */
const MAX_MS = 2 * 366 * 24 * 60 * 60_000;

/**
 * Schedules a save for an instant (epoch milliseconds, the environment's clock). It is checked now, and again when due. `id` is null if it
 * was refused, or would change nothing.
 */
export async function scheduleChange(
  database: Database,
  environment: Environment,
  { at, ...save }: Pick<Save, "kind" | "document" | "revision"> & { at: number },
  actor: Actor,
): Promise<Saved & { id: string | null }> {
  let id: string | null = null;
  const saved = await editOne(database, [environment], save, async (one, open) => {
    if (at <= open.now) throw new OperatorError("Choose a time in the future.");
    if (at > open.now + MAX_MS) throw new OperatorError("A change can be scheduled at most two years ahead.");
    const known = open.known(one.entry);
    if (known === null) return refused(open, missingKey(one.entry));
    const which = { kind: known.kind, key: known.shaped.key };
    if (isChangedSince(known, save)) return conflictIn(open, which);
    const plan = await planOne(open, one, { isNew: false });
    if ("problems" in plan) return { ...NOTHING, ...plan };
    if (open.needsApproval(actor)) {
      if (plan.changes.length > 0) await open.request(plan, { actor, via: "scheduled" }, at);
      return savedIn(open, one.entry, false);
    }
    const count = await countScheduled(open.tx, environment.id, which);
    if (plan.changes.length === 0 && count.own === 0) return savedIn(open, one.entry, false);
    if (count.all >= MAX_SCHEDULED) throw new OperatorError(`At most ${MAX_SCHEDULED} changes can be scheduled at a time.`);
    const change = {
      ...{ ...which, dueAt: at },
      document: writeJson(documentIn(plan, known)),
      baseVersion: await latestVersion(open.tx, environment.id, which),
    };
    id = await insertScheduled(open.tx, environment.id, change, actor);
    await recordChange(open.tx, scheduleEntry(environment, actor, "schedule", change));
    return savedIn(open, one.entry, true);
  });
  return { ...saved, id };
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
  edit(database, environment, {}, async (open) => {
    const row = await takeScheduled(open.tx, environment.id, id);
    return row === null ? null : saveScheduled(open, row, actor, overwrite);
  });

interface ApplyOptions {
  isStopping?(): boolean;
  patienceMs?: number;
  onFault?(error: unknown, id: string): void;
}

const rethrow = (error: unknown) => {
  throw error;
};

/**
 * Saves an environment's due changes in order, then its approved change requests; returns how many were processed. Each is one transaction
 * that holds the environment lock: only one of several workers saves it, and after a crash it is still due. A failed change is kept with
 * the reason. `patienceMs` limits the wait for the lock, after which the call fails as unavailable; 0: no limit. `onFault` is called for an
 * unexpected error once that is stored with the change; without it, the call throws the error.
 */
export async function applyDueChanges(
  database: Database,
  environmentId: number,
  { isStopping = () => false, patienceMs = 0, onFault = rethrow }: ApplyOptions = {},
): Promise<number> {
  const each = async (
    ids: readonly string[],
    apply: (id: string) => Promise<boolean>,
    fail: (id: string, why: ScheduleFailure) => Promise<void>,
  ) => {
    let count = 0;
    for (const id of ids) {
      if (isStopping()) break;
      try {
        if (await apply(id)) count++;
      } catch (error) {
        count++;
        // Live needs approvals by now: the change has become a request, and its row is deleted.
        if (error instanceof ChangeRequested) continue;
        if (isUnavailable(error) || isConflict(error)) throw error;
        // An unexpected error must not block the following changes.
        await fail(id, failureBy(error));
        if (!(error instanceof OperatorError)) onFault(error, id);
      }
    }
    return count;
  };
  const { sql } = database;
  const scheduled = await each(
    await dueChanges(sql, environmentId),
    (id) => applyDue(database, environmentId, id, patienceMs),
    (id, why) => edit(database, { id: environmentId }, {}, (open) => failDue(open, id, why)),
  );
  const requests = await each(
    await dueRequests(sql, environmentId),
    (id) => applyRequest(database, environmentId, id, patienceMs),
    (id, why) => failDueRequest(database, environmentId, id, why),
  );
  return scheduled + requests;
}

const applyDue = (database: Database, environmentId: number, id: string, patienceMs: number): Promise<boolean> =>
  edit(database, { id: environmentId }, { patienceMs }, async (open) => {
    const row = await takeScheduled(open.tx, environmentId, id);
    if (row === null || row.failedAt !== null || row.dueAt > open.now) return false;
    const { userId, actor: name, token } = row;
    const failure =
      (await rightsFailure(open, row)) ??
      failureOf(await saveScheduled(open, row, { userId, name, ...(token !== null && { token }) }, false));
    if (failure !== null) await fail(open, row, failure);
    return true;
  });

/** Checks the rights that the author has now; null if the change may be made. */
async function rightsFailure({ tx, environment }: Edit, { userId, actor }: ScheduledRow): Promise<ScheduleFailure | null> {
  if (userId === null) return null;
  const rights = await findRights(tx, userId, environment);
  if (rights !== null && isAtLeast(rights.role, "Editor")) return null;
  const where = environment.kind === "live" ? "Live" : "the Sandbox";
  const error = `${actor} may no longer change definitions in ${where}. Another Editor can apply it.`;
  return { conflict: null, problems: [], error };
}

async function failDue(open: Edit, id: string, failure: ScheduleFailure): Promise<void> {
  const row = await takeScheduled(open.tx, open.environment.id, id);
  if (row !== null && row.failedAt === null) await fail(open, row, failure);
}

async function fail({ tx, environment }: Edit, row: ScheduledRow, failure: ScheduleFailure): Promise<void> {
  await failScheduled(tx, row.id, failure);
  await recordChange(tx, scheduleEntry(environment, SERVICE, "schedule_failed", row, refusalReason(failure)));
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
async function saveScheduled(open: Edit, row: ScheduledRow, actor: Actor, overwrite: boolean): Promise<Saved> {
  const { tx, environment } = open;
  const one = await readOne(environment.kind, row);
  if ("problems" in one) return { ...NOTHING, ...one };
  const version = await latestVersion(tx, environment.id, row);
  if (open.known(one.entry) !== null && version !== row.baseVersion && !overwrite) return conflictIn(open, row);
  const plan = await planOne(open, one, { isNew: false });
  if ("problems" in plan) return { ...NOTHING, ...plan };
  await open.write(plan, { actor, via: "scheduled" });
  await deleteScheduled(tx, row.id);
  const after = await latestVersion(tx, environment.id, row);
  // After an overwrite, later scheduled changes still conflict: their authors have not seen the overwritten version.
  if (version === row.baseVersion) await rebaseScheduled(tx, environment.id, row, version, after);
  return savedIn(open, one.entry, plan.changes.length > 0);
}

/** A reset locks its environment for up to a minute; other environments' changes do not wait for it. */
const PATIENCE_MS = 1_000;

interface ScheduleOptions extends PollingOptions {
  /** A change was saved: boards may be due to be filled. */
  onEffects(): void;
}

/** Saves scheduled changes as they fall due, in any number of processes. */
export const startSchedule = ({ database, logger, onLook, onEffects }: ScheduleOptions): KindRunner =>
  startPolling({
    pollMs: 1_000,
    logger,
    onLook,
    fault: "scheduled changes could not be looked for; the next look does",
    async look({ isStopping, count }) {
      let saved = 0;
      let isThrough = true;
      const [changes, requests] = [await environmentsWithDueChanges(database.sql), await environmentsWithDueRequests(database.sql)];
      for (const environment of new Set([...changes, ...requests])) {
        if (isStopping()) break;
        const onFault = (error: unknown, change: string) =>
          logger.error({ err: error, environment, change }, "a scheduled change could not be saved");
        try {
          saved += await applyDueChanges(database, environment, { isStopping, patienceMs: PATIENCE_MS, onFault });
        } catch (error) {
          isThrough = false;
          logger.warn({ err: error, environment }, "scheduled changes of an environment were put off");
        }
      }
      count(saved);
      if (saved > 0) onEffects();
      return saved > 0 ? "more" : isThrough ? "nothing" : "later";
    },
  });
