import { type Database, transact } from "#db/client.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import { failedByConflict, failedByProblems, refusalReason } from "#server/model/definitions/change-failure.ts";
import { documentOfOne } from "#server/model/definitions/overview.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { missingKey } from "#server/model/definitions/removal.ts";
import { storedOf } from "#server/model/definitions/request-items.ts";
import { MAX_SCHEDULED, scheduleEntry } from "#server/model/definitions/scheduled.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { documentOfVersion } from "#server/model/definitions/versions.ts";
import { type Environment, type Actor, SERVICE } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { environmentsWithDueChanges, selectDueChanges } from "../store/due-changes.ts";
import {
  countScheduled,
  deleteScheduled,
  failScheduled,
  insertScheduled,
  latestVersion,
  rebaseScheduled,
  type ScheduledRow,
  selectSameScheduled,
  takeScheduled,
} from "../store/scheduled.ts";
import { applyChange, type ApplyOptions, lostRights, type StoredChange } from "./apply-change.ts";
import { REQUEST } from "./apply-request.ts";
import { type Edit, edit } from "./edit.ts";
import { checkDue } from "./make-request.ts";
import { conflictIn, editOne, isChangedSince, NOTHING, planOne, refused, type Save, type Saved, savedIn, saveIn } from "./saving.ts";

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
    checkDue(at, open.now);
    const known = open.known(one.entry);
    if (known === null) return refused(open, missingKey(one.entry));
    const which = { kind: known.kind, key: known.shaped.key };
    if (isChangedSince(known, save)) return conflictIn(open, which, known);
    const plan = await planOne(open, one, { isNew: false });
    if ("problems" in plan) return { ...NOTHING, ...plan };
    if (open.needsApproval(actor)) {
      if (plan.changes.length > 0) await open.request(plan, { actor, via: "scheduled" }, at);
      return savedIn(open, one.entry, false);
    }
    const count = await countScheduled(open.tx, environment.id, which);
    if (plan.changes.length === 0 && count.own === 0) return savedIn(open, one.entry, false);
    const change = {
      ...which,
      dueAt: at,
      document: writeJson(documentIn(plan, known)),
      baseVersion: await latestVersion(open.tx, environment.id, which),
    };
    // Its author may be sending it again because the answer was lost.
    id = await selectSameScheduled(open.tx, environment.id, change, actor);
    if (id !== null) return savedIn(open, one.entry, true);
    if (count.all >= MAX_SCHEDULED) throw new OperatorError(`At most ${MAX_SCHEDULED} changes can be scheduled at a time.`);
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

/** Applies an environment's due changes and approved requests in order; returns how many were processed. */
export async function applyDueChanges(
  database: Database,
  environmentId: number,
  { isStopping = () => false, ...options }: ApplyOptions & { isStopping?(): boolean } = {},
): Promise<number> {
  let count = 0;
  for (const { id, isRequest } of await selectDueChanges(database.sql, environmentId)) {
    if (isStopping()) break;
    const isProcessed = await (isRequest
      ? applyChange(REQUEST, database, environmentId, id, options)
      : applyChange(SCHEDULED, database, environmentId, id, options));
    if (isProcessed) count++;
  }
  return count;
}

const SCHEDULED: StoredChange<ScheduledRow> = {
  isApproved: false,
  take: takeScheduled,
  isDue: ({ failedAt, dueAt }, now) => failedAt === null && dueAt <= now,
  async apply(open, row) {
    const { userId, actor: name, token } = row;
    const lost = await lostRights(open, { userId, name }, "Another Editor can apply it.");
    if (lost !== null) return lost;
    const { problems, conflict } = await saveScheduled(open, row, { userId, name, ...(token !== null && { token }) }, false);
    if (conflict === null) return problems.length === 0 ? null : failedByProblems(problems);
    return failedByConflict({ by: conflict.by, at: conflict.at === null ? null : formatInstant(conflict.at) });
  },
  async fail({ tx, environment }, row, failure) {
    await failScheduled(tx, row.id, failure);
    await recordChange(tx, scheduleEntry(environment, SERVICE, "schedule_failed", row, refusalReason(failure)));
  },
};

/** Saves it like any other save, against the present definitions, and removes it from the schedule; or returns why not. */
async function saveScheduled(open: Edit, row: ScheduledRow, actor: Actor, overwrite: boolean): Promise<Saved> {
  const { tx, environment } = open;
  const version = await latestVersion(tx, environment.id, row);
  if (storedOf(open.stored, row) !== null && version !== row.baseVersion && !overwrite) return conflictIn(open, row);
  const saved = await saveIn(open, row, { actor, via: "scheduled" });
  if (saved.problems.length > 0) return saved;
  const after = await latestVersion(tx, environment.id, row);
  // After an overwrite, later scheduled changes still conflict: their authors have not seen the overwritten version.
  if (version === row.baseVersion) await rebaseScheduled(tx, environment.id, row, version, after);
  await deleteScheduled(tx, row.id);
  return saved;
}

/** A reset locks its environment for up to a minute; other environments' changes do not wait for it. */
const PATIENCE_MS = 1_000;

interface ScheduleOptions extends PollingOptions {
  /** Called after a change was saved: boards may be due to be filled. */
  onEffects(): void;
}

/** Applies stored changes as they fall due, in any number of processes. */
export const startSchedule = ({ onEffects, ...options }: ScheduleOptions): KindRunner =>
  startPolling(options, {
    pollMs: 1_000,
    fault: "looking for scheduled changes failed; it is retried with the next poll",
    async look({ database, logger, isStopping, count }) {
      let saved = 0;
      let isThrough = true;
      for (const environment of await environmentsWithDueChanges(database.sql)) {
        if (isStopping()) break;
        const onFault = (error: unknown, change: string) =>
          logger.error({ err: error, environment, change }, "a scheduled change could not be saved");
        try {
          saved += await applyDueChanges(database, environment, { isStopping, patienceMs: PATIENCE_MS, onFault });
        } catch (error) {
          isThrough = false;
          logger.warn({ err: error, environment }, "scheduled changes of an environment were postponed");
        }
      }
      count(saved);
      if (saved > 0) onEffects();
      return saved > 0 ? "more" : isThrough ? "nothing" : "later";
    },
  });
