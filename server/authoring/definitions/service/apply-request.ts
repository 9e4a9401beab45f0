import { isConflict, isUnavailable, type Database } from "#db/client.ts";
import { inTurns } from "#server/engine/turns.ts";
import {
  type ChangeFailure,
  failedByConflict,
  failedByError,
  failedByProblems,
  refusalReason,
} from "#server/model/definitions/change-failure.ts";
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
import type { Stored } from "#server/model/definitions/stored.ts";
import { parseJsonInSteps } from "#server/model/kernel/json.ts";
import { type Actor, SERVICE } from "#server/model/kernel/environment.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { findRights } from "#server/people/identity/find-access.ts";
import { closeRequest, failRequest, takeRequest, type WholeRequest } from "../store/requests.ts";
import { applyChange, lostRights, type StoredChange } from "./apply-change.ts";
import { type Edit, without } from "./edit.ts";
import { noteDecided, noteWaiting, recordEvent, writeLiveGuard } from "./make-request.ts";
import { againstOld, findLast } from "./saving.ts";
import { removalProblems } from "./switching.ts";

export const itemsOf = async (content: string): Promise<RequestItem[]> => (await inTurns(parseJsonInSteps(content))) as RequestItem[];

/** A change of a definition since a request read it: its author and its time (RFC 3339, real time); null if unknown. */
export type ChangedSince = NonNullable<ChangeFailure["conflict"]>;

/** How a request would be written over the present definitions, and what prevents it. */
export interface RequestPlan {
  /** The definitions of the request that have changed since, by `subjectOfItem`. */
  changedSince: ReadonlyMap<string, ChangedSince>;
  problems: (DefinitionProblem & { kind: RequestItem["kind"] | null; key: string | null })[];
  /** Null if there are problems. */
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
    if (!isSameContent(kind, item.before, presentIn(open.stored, item))) {
      const last = await findLast(open, item);
      changedSince.set(subjectOfItem(item), { by: last?.actor ?? null, at: last === null ? null : formatInstant(last.at) });
    }
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

/** Applies a request right after its approval. If the database cannot do it now, the worker does it later. */
export async function applyAfterApproval(database: Database, environmentId: number, id: string): Promise<void> {
  try {
    await applyChange(REQUEST, database, environmentId, id);
  } catch (error) {
    if (!isUnavailable(error) && !isConflict(error)) throw error;
  }
}

/** How an approved request is applied. After a failure, it is open again. */
export const REQUEST: StoredChange<WholeRequest> = {
  isApproved: true,
  take: takeRequest,
  isDue: ({ state, dueAt }, now) => state === "Approved" && (dueAt === null || dueAt <= now),
  async apply(open, row) {
    const { tx, environment } = open;
    const failure = (await rightsFailure(open, row)) ?? (await writeRequest(open, row));
    if (failure !== null) return failure;
    await closeRequest(tx, row.id, "Applied");
    await recordEvent(tx, environment, row, SERVICE, "Applied");
    return null;
  },
  async fail({ tx, environment }, row, failure) {
    await failRequest(tx, row.id, failure);
    const reason = refusalReason(failure, "requested");
    await recordEvent(tx, environment, row, SERVICE, "Failed", reason);
    await noteDecided(tx, environment, row, "could not be applied", reason);
    // It is open again, at a revision that needs another approval.
    await noteWaiting(tx, environment, { ...row, revision: row.revision + 1 });
  },
};

/** Whether its author and its approver still have the rights they need. */
async function rightsFailure(open: Edit, row: WholeRequest): Promise<ChangeFailure | null> {
  const { editorId, editor, approverId, approver, isAlone } = row;
  const lost = await lostRights(open, { userId: editorId, name: editor }, "Another Editor can edit the request and take it over.");
  if (lost !== null) return lost;
  const rights = approverId === null ? null : await findRights(open.tx, approverId, open.environment);
  if (rights !== null && (isAlone ? rights.role === "Owner" : rights.mayApprove)) return null;
  return failedByError(`${approver ?? "The approver"} may no longer approve changes to Live.`);
}

async function writeRequest(open: Edit, row: WholeRequest): Promise<ChangeFailure | null> {
  const actor: Actor = {
    userId: row.editorId,
    name: row.editor,
    ...(row.token !== null && row.editorId === row.userId && { token: row.token }),
  };
  if (row.content === null) {
    await writeLiveGuard(open.tx, open.environment, false, actor);
    return null;
  }
  const { changedSince, problems, plan, removed, replaced } = await planRequest(open, await itemsOf(row.content));
  const [conflict] = changedSince.values();
  if (conflict !== undefined) return failedByConflict(conflict);
  if (plan === null) return failedByProblems(problems);
  const approval = { requestId: row.id, approver: row.approver ?? "" };
  for (const known of removed) await open.remove(known, { actor, approval });
  for (const known of replaced) await open.removeReplaced(known, actor);
  await open.write(replaced.reduce(againstOld, plan), { actor, via: wayOf(row), approval });
  return null;
}

/** An edit of the request may have given a save a time, or taken it away. */
const wayOf = ({ via, dueAt }: WholeRequest): WholeRequest["via"] => {
  if (via !== "save" && via !== "scheduled") return via;
  return dueAt === null ? "save" : "scheduled";
};
