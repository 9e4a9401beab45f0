import { type Database, transact, type Transaction } from "#db/client.ts";
import { inTurns } from "#server/engine/turns.ts";
import { MAX_COMMENTS, MAX_REVISIONS, requestEntry, type RequestAction } from "#server/model/definitions/change-requests.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { keyOf } from "#server/model/definitions/file.ts";
import {
  isSameContent,
  itemsOfPlan,
  presentIn,
  type RequestItem,
  subjectOfItem,
  withItem,
} from "#server/model/definitions/request-items.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { noteApprovers } from "#server/people/notices/notices.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import {
  approveRequest,
  closeRequest,
  countComments,
  insertRequestEvent,
  takeRequest,
  updateRequest,
  type WholeRequest,
} from "../store/requests.ts";
import { applyAfterApproval, itemsOf, planRequest } from "./apply-request.ts";
import { type Edit, edit } from "./edit.ts";
import { checkDue, contentOf, noteDecided, noteWaiting } from "./make-request.ts";
import { inside } from "./saving.ts";
import { readOne, type SaveProblem } from "./read-one.ts";

/** A request by the revision that a person has read. */
interface Which {
  id: string;
  revision: number;
}

/** Runs a verb of a request with its row locked. Throws OperatorError for a closed one; false for an unknown one. */
const withRequest = (
  database: Database,
  environment: Environment,
  id: string,
  verb: (tx: Transaction, row: WholeRequest) => Promise<void>,
): Promise<boolean> =>
  transact(database, async (tx) => {
    const row = await takeRequest(tx, environment.id, id);
    if (row === null) return false;
    await verb(tx, row);
    return true;
  });

function mustBeOpen({ state }: WholeRequest): void {
  if (state !== "Open" && state !== "Approved") throw new OperatorError(`This request is closed: it was ${state.toLowerCase()}.`);
}

function mustBeRead(row: WholeRequest, revision: number): void {
  if (row.revision !== revision)
    throw new OperatorError(`The request has changed since you read it; it is at revision ${row.revision}. Read it again.`);
}

export const commentOn = (database: Database, environment: Environment, { id, text }: { id: string; text: string }, actor: Actor) =>
  withRequest(database, environment, id, async (tx, row) => {
    mustBeOpen(row);
    if ((await countComments(tx, id)) >= MAX_COMMENTS) throw new OperatorError(`A request has at most ${MAX_COMMENTS} comments.`);
    await insertRequestEvent(tx, environment.id, row, actor, "Commented", text);
  });

/**
 * Approves a revision, which its authors cannot, and applies it unless it is scheduled. The row's lock and a unique index allow one
 * approval per revision.
 */
export async function approve(database: Database, environment: Environment, { id, revision }: Which, actor: Actor): Promise<boolean> {
  const isKnown = await withRequest(database, environment, id, async (tx, row) => {
    mustBeWaiting(row, revision);
    if (actor.userId === null || actor.userId === row.userId || actor.userId === row.editorId)
      throw new OperatorError("You made or edited this request. Another person has to approve it.");
    await approveBy(tx, environment, row, actor, false, null);
  });
  if (isKnown) await applyAfterApproval(database, environment.id, id);
  return isKnown;
}

/** An Owner approves their own request, with a reason that all members see. */
export async function goAlone(
  database: Database,
  environment: Environment,
  { id, revision, reason }: Which & { reason: string },
  actor: Actor,
): Promise<boolean> {
  const isKnown = await withRequest(database, environment, id, async (tx, row) => {
    mustBeWaiting(row, revision);
    await approveBy(tx, environment, row, actor, true, reason);
  });
  if (isKnown) await applyAfterApproval(database, environment.id, id);
  return isKnown;
}

function mustBeWaiting(row: WholeRequest, revision: number): void {
  mustBeOpen(row);
  mustBeRead(row, revision);
  if (row.state === "Approved") throw new OperatorError(`${row.approver ?? "Another person"} has approved this revision already.`);
}

async function approveBy(
  tx: Transaction,
  environment: Environment,
  row: WholeRequest,
  actor: Actor,
  isAlone: boolean,
  reason: string | null,
): Promise<void> {
  await approveRequest(tx, row.id, actor, isAlone);
  await insertRequestEvent(tx, environment.id, row, actor, isAlone ? "WentAlone" : "Approved", reason);
  await recordChange(tx, requestEntry(environment, actor, isAlone ? "apply_alone" : "approve", row, reason));
  if (!isAlone) return noteDecided(tx, environment, row, `was approved by ${actor.name}`);
  const request = { id: row.id, title: row.title, by: actor.name };
  const details = { since: formatInstant(Date.now()), request, ...(reason !== null && { reason }) };
  const notice = { environmentId: environment.id, projectId: environment.projectId, kind: "ChangeMadeAlone", details } as const;
  await noteApprovers(tx, { ...notice, cause: `${row.id} ${row.revision}` }, [actor.userId]);
}

/** Rejects a request, approved or not. */
export const reject = (
  database: Database,
  environment: Environment,
  { id, revision, reason }: Which & { reason: string },
  actor: Actor,
): Promise<boolean> =>
  withRequest(database, environment, id, async (tx, row) => {
    mustBeOpen(row);
    mustBeRead(row, revision);
    await close(tx, environment, row, actor, "Rejected", reason);
  });

/** Withdraws a request; only for its author and its last editor. */
export const withdraw = (database: Database, environment: Environment, id: string, actor: Actor): Promise<boolean> =>
  withRequest(database, environment, id, async (tx, row) => {
    mustBeOpen(row);
    if (actor.userId !== row.userId && actor.userId !== row.editorId)
      throw new OperatorError("Only its author can withdraw a request. If you may approve it, you can reject it.");
    await close(tx, environment, row, actor, "Withdrawn", null);
  });

async function close(
  tx: Transaction,
  environment: Environment,
  row: WholeRequest,
  actor: Actor,
  state: "Rejected" | "Withdrawn",
  reason: string | null,
): Promise<void> {
  await closeRequest(tx, row.id, state);
  await insertRequestEvent(tx, environment.id, row, actor, state satisfies RequestAction, reason);
  await recordChange(tx, requestEntry(environment, actor, state === "Rejected" ? "reject" : "withdraw", row, reason));
  if (state === "Rejected") await noteDecided(tx, environment, row, `was rejected by ${actor.name}`, reason ?? undefined);
}

export interface RequestEdit extends Which {
  title?: string | undefined;
  reason?: string | undefined;
  /** Null: as soon as it is approved. Epoch milliseconds. */
  dueAt?: number | null | undefined;
  /** The wanted definition, as JSON text. */
  definition?: { kind: Kind; document: string } | undefined;
  /** Overwrites later changes in Live. */
  isRefitted?: boolean | undefined;
}

/** The problems of an edit, and the request's new revision. Null if there is no such request. */
export type EditedRequest = { problems: SaveProblem[]; revision: number } | null;

/** Edits a waiting request, which makes a new revision that needs its own approval. The editor becomes its author. */
export const editRequest = (
  database: Database,
  environment: Environment,
  { id, revision, title, reason, dueAt, definition, isRefitted }: RequestEdit,
  actor: Actor,
): Promise<EditedRequest> =>
  // Plans without the environment's lock: the definitions stay as they are, and applying the request plans again.
  edit(database, environment, { dryRun: true }, async (open) => {
    const row = await takeRequest(open.tx, environment.id, id);
    if (row === null) return null;
    mustBeOpen(row);
    mustBeRead(row, revision);
    if (row.revision >= MAX_REVISIONS) throw new OperatorError(`A request is edited at most ${MAX_REVISIONS} times. Make a new one.`);
    const at = dueAt === undefined ? row.dueAt : dueAt;
    if (dueAt !== undefined) checkDue(at, open.now);
    let { content, subjects } = row;
    if (content !== null && (definition !== undefined || isRefitted === true)) {
      let items = await itemsOf(content);
      if (isRefitted === true) items = refitted(open, items);
      if (definition !== undefined) {
        const edited = await withDefinition(open, items, definition);
        if ("problems" in edited) return { ...edited, revision };
        items = edited.items;
      }
      if (items.length === 0) throw new OperatorError("Live already has these changes. Withdraw the request.");
      [content, subjects] = [await contentOf(items), items.map(subjectOfItem)];
    }
    await updateRequest(open.tx, id, { title: title ?? row.title, reason: reason ?? row.reason, content, subjects, dueAt: at }, actor);
    const edited = { ...row, revision: revision + 1, title: title ?? row.title };
    await insertRequestEvent(open.tx, environment.id, edited, actor, "Edited");
    await recordChange(open.tx, requestEntry(environment, actor, "edit_request", edited));
    await noteWaiting(open.tx, environment, { ...edited, editorId: actor.userId, editor: actor.name });
    return { problems: [], revision: revision + 1 };
  });

/** The items as changes of the present definitions, without those that change nothing. */
const refitted = ({ stored }: Edit, items: readonly RequestItem[]): RequestItem[] =>
  items
    .map((item) => ({ ...item, before: presentIn(stored, item) }))
    .filter(({ kind, before, after, isAnew }) => isAnew === true || !isSameContent(kind, before, after));

/** The items with this definition, checked together. */
async function withDefinition(
  open: Edit,
  items: readonly RequestItem[],
  definition: { kind: Kind; document: string },
): Promise<{ items: RequestItem[] } | { problems: SaveProblem[] }> {
  const { kind: environment } = open.environment;
  const read = await readOne(environment, definition);
  if ("problems" in read) return read;
  const { kind, raw } = read.entry;
  const key = keyOf(read.entry);
  if (key === null) {
    const plan = await open.plan(read.file);
    return {
      problems: "problems" in plan ? plan.problems.map((one) => ({ ...one, pointer: inside(one.pointer, kind), environment })) : [],
    };
  }
  const isIt = (one: { kind: string | null; key: string | null }) => one.kind === kind && one.key === key;
  const all = withItem(items, { kind, key, before: presentIn(open.stored, { kind, key }), after: raw as object });
  const { problems, plan, replaced } = await planRequest(open, all);
  // Problems of the other definitions have no field in this form.
  if (plan === null) return { problems: problems.map((one) => ({ ...one, pointer: isIt(one) ? one.pointer : "", environment })) };
  const planned = (await inTurns(itemsOfPlan(plan, open.stored, replaced))).find(isIt);
  // Without a difference from Live, the definition is no longer part of the request.
  return { items: planned === undefined ? all.filter((one) => !isIt(one)) : withItem(items, planned) };
}
