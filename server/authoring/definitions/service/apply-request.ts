import { isConflict, isUnavailable } from "#db/errors.ts";
import type { Database } from "#db/client.ts";
import { inTurns } from "#server/engine/turns.ts";
import { requestEntry } from "#server/model/definitions/change-requests.ts";
import { hasKey } from "#server/model/definitions/contract.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import { type DefinitionProblem, subjectOf } from "#server/model/definitions/problems.ts";
import { readFile } from "#server/model/definitions/file.ts";
import {
  fileOfItems,
  isSameContent,
  presentIn,
  type RequestItem,
  storedOf,
  subjectOfItem,
} from "#server/model/definitions/request-items.ts";
import { refusalReason, type ScheduleFailure } from "#server/model/definitions/scheduled.ts";
import { SETTINGS, type Stored } from "#server/model/definitions/stored.ts";
import { parseJsonInSteps } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { type Actor, isAtLeast, SERVICE } from "#server/model/kernel/roles.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { findLastChange } from "#server/people/audit-log/read.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { findRights } from "#server/people/identity/find-access.ts";
import { closeRequest, failRequest, insertRequestEvent, takeRequest, type WholeRequest } from "../store/requests.ts";
import { newestVersion } from "../store/versions.ts";
import { type Edit, edit, without } from "./edit.ts";
import { noteDecided, writeLiveGuard } from "./make-request.ts";
import { againstOld } from "./saving.ts";
import { removalProblems } from "./switching.ts";

/** The definitions of a request. */
export const itemsOf = async (content: string): Promise<RequestItem[]> => (await inTurns(parseJsonInSteps(content))) as RequestItem[];

/** A change of a definition since a request read it: its author and its time (RFC 3339, real time); null if unknown. */
export type ChangedSince = NonNullable<ScheduleFailure["conflict"]>;

/** How a request would be written over the present definitions, and what prevents it. */
export interface RequestPlan {
  /** By `subjectOfItem`. */
  changedSince: ReadonlyMap<string, ChangedSince>;
  problems: (DefinitionProblem & { kind: RequestItem["kind"] | null; key: string | null })[];
  /** Null with problems. */
  plan: Plan | null;
  /** Deleted and replaced definitions. */
  removed: readonly Stored[];
  replaced: readonly Stored[];
}

/** Plans a request against the definitions as they are now. Writes nothing. */
export async function planRequest(open: Edit, items: readonly RequestItem[]): Promise<RequestPlan> {
  const changedSince = new Map<string, ChangedSince>();
  const removed: Stored[] = [];
  const replaced: Stored[] = [];
  const problems: RequestPlan["problems"] = [];
  let { stored } = open;
  for (const item of items) {
    const { kind, key } = item;
    if (!isSameContent(kind, item.before, presentIn(open.stored, item)))
      changedSince.set(subjectOfItem(item), await lastChange(open, item));
    const known = item.after === null || item.isAnew === true ? storedOf(open.stored, item) : null;
    // A definition without a key is deleted by leaving it out of its list.
    if (known === null || !hasKey(known.kind)) continue;
    (item.after === null ? removed : replaced).push(known);
    for (const one of await removalProblems(open, known)) problems.push({ ...one, kind, key });
    stored = without(stored, known);
  }
  const { document, prune } = fileOfItems(items, stored);
  const plan = await open.plan(await inTurns(readFile(document)), prune, stored);
  if ("problems" in plan) problems.push(...plan.problems.map((one) => subjectOf(one, document)));
  return { changedSince, problems, plan: "problems" in plan || problems.length > 0 ? null : plan, removed, replaced };
}

async function lastChange({ tx, environment }: Edit, { kind, key }: RequestItem): Promise<ChangedSince> {
  const last =
    kind === SETTINGS.kind ? await findLastChange(tx, environment, kind, null) : await newestVersion(tx, environment.id, kind, key);
  return { by: last?.actor ?? null, at: last === null ? null : formatInstant(last.at) };
}

/**
 * Applies an approved request that is due, once: in one transaction under the environment's lock, with the checks and rights as of now.
 * False if there is nothing to do. If it cannot be applied, it opens again, with the reason.
 */
export const applyRequest = (database: Database, environmentId: number, id: string, patienceMs = 0): Promise<boolean> =>
  edit(database, { id: environmentId }, { patienceMs, isApproved: true }, async (open) => {
    const row = await takeRequest(open.tx, environmentId, id);
    if (row === null || row.state !== "Approved" || (row.dueAt !== null && row.dueAt > open.now)) return false;
    const failure = (await rightsFailure(open, row)) ?? (await writeRequest(open, row));
    if (failure !== null) await fail(open, row, failure);
    else {
      await closeRequest(open.tx, id, "Applied");
      await insertRequestEvent(open.tx, environmentId, row, SERVICE, "Applied");
      await recordChange(open.tx, requestEntry(open.environment, SERVICE, "apply", row));
    }
    return true;
  });

/** Applies a request right after its approval. If the database cannot do it now, the worker does it later. */
export async function applyAfterApproval(database: Database, environmentId: number, id: string): Promise<void> {
  try {
    await applyRequest(database, environmentId, id);
  } catch (error) {
    if (isUnavailable(error) || isConflict(error)) return;
    await failDueRequest(database, environmentId, id, failureBy(error));
    if (!(error instanceof OperatorError)) throw error;
  }
}

const UNFORESEEN = "An unexpected error occurred. The log has it.";

/** The stored text of an error: its message only if it is an expected one. */
export const failureBy = (error: unknown): ScheduleFailure => ({
  conflict: null,
  problems: [],
  error: error instanceof OperatorError ? error.message : UNFORESEEN,
});

export const failDueRequest = (database: Database, environmentId: number, id: string, failure: ScheduleFailure): Promise<void> =>
  edit(database, { id: environmentId }, { isApproved: true }, async (open) => {
    const row = await takeRequest(open.tx, environmentId, id);
    if (row?.state === "Approved") await fail(open, row, failure);
  });

async function fail({ tx, environment }: Edit, row: WholeRequest, failure: ScheduleFailure): Promise<void> {
  await failRequest(tx, row.id, failure);
  const reason = refusalReason(failure, "requested");
  await insertRequestEvent(tx, environment.id, row, SERVICE, "Failed", reason);
  await recordChange(tx, requestEntry(environment, SERVICE, "request_failed", row, reason));
  await noteDecided(tx, environment, row, "could not be applied", reason);
}

/** Whether its author and its approver still have the rights they need. */
async function rightsFailure(open: Edit, row: WholeRequest): Promise<ScheduleFailure | null> {
  const { tx, environment } = open;
  const refused = (error: string): ScheduleFailure => ({ conflict: null, problems: [], error });
  const { editorId, editor, approverId, approver, isAlone } = row;
  const author = editorId === null ? null : await findRights(tx, editorId, environment);
  if (editorId !== null && (author === null || !isAtLeast(author.role, "Editor")))
    return refused(`${editor} may no longer change definitions in Live. Another Editor can edit the request and take it over.`);
  const rights = approverId === null ? null : await findRights(tx, approverId, environment);
  const mayStill = rights !== null && (isAlone ? rights.role === "Owner" : rights.mayApprove);
  return mayStill ? null : refused(`${approver ?? "The approver"} may no longer approve changes of Live. Another approval is needed.`);
}

async function writeRequest(open: Edit, row: WholeRequest): Promise<ScheduleFailure | null> {
  const actor: Actor = {
    ...{ userId: row.editorId, name: row.editor },
    ...(row.token !== null && row.editorId === row.userId && { token: row.token }),
  };
  if (row.content === null) {
    await writeLiveGuard(open.tx, open.environment, false, actor);
    return null;
  }
  const { changedSince, problems, plan, removed, replaced } = await planRequest(open, await itemsOf(row.content));
  const [conflict] = changedSince.values();
  if (conflict !== undefined) return { conflict, problems: [], error: null };
  if (plan === null) return { conflict: null, problems: problems.slice(0, MAX_PROBLEMS).map(toldProblem), error: null };
  const approval = { requestId: row.id, approver: row.approver ?? "" };
  for (const known of removed) await open.remove(known, { actor, approval });
  for (const known of replaced) await open.removeReplaced(known, actor);
  await open.write(replaced.reduce(againstOld, plan), { actor, via: row.via, approval });
  return null;
}

/** The most problems stored with a request. */
const MAX_PROBLEMS = 20;

const toldProblem = ({ pointer, message, code }: DefinitionProblem) => ({ pointer, message, code });
