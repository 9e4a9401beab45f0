import { type Database, transact, type Transaction } from "#db/client.ts";
import { inTurns } from "#server/engine/turns.ts";
import { MAX_COMMENTS, MAX_REVISIONS } from "#server/model/definitions/change-requests.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { keyOf } from "#server/model/definitions/file.ts";
import { inside } from "#server/model/definitions/problems.ts";
import {
  isSameContent,
  itemsOfPlan,
  presentIn,
  type RequestItem,
  subjectOfItem,
  withItem,
} from "#server/model/definitions/request-items.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
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
import { checkDue, contentOf, noteAlone, noteDecided, noteWaiting, recordEvent } from "./make-request.ts";
import { readOne, type SaveProblem } from "./read-one.ts";

/** A request, and the revision of it that a person has read. */
interface Which {
  id: string;
  revision?: number;
}

/** Locks a waiting request; null for an unknown one. Throws OperatorError if it is closed, or was changed since that revision. */
async function takeOpen(tx: Transaction, environment: Environment, { id, revision }: Which): Promise<WholeRequest | null> {
  const row = await takeRequest(tx, environment.id, id);
  if (row === null) return null;
  if (row.closedAt !== null) throw new OperatorError(`This request is closed: it was ${row.state.toLowerCase()}.`);
  if (revision !== undefined && row.revision !== revision)
    throw new OperatorError(`The request has changed since you read it; it is at revision ${row.revision}. Read it again.`);
  return row;
}

/** Runs a verb of a waiting request with its row locked; false for an unknown one. */
const withRequest = (
  database: Database,
  environment: Environment,
  which: Which,
  verb: (tx: Transaction, row: WholeRequest) => Promise<void>,
): Promise<boolean> =>
  transact(database, async (tx) => {
    const row = await takeOpen(tx, environment, which);
    if (row === null) return false;
    await verb(tx, row);
    return true;
  });

/** Comments on a waiting request; false for an unknown one. Throws OperatorError, as all verbs of requests do. */
export const commentOn = (database: Database, environment: Environment, { id, text }: { id: string; text: string }, actor: Actor) =>
  withRequest(database, environment, { id }, async (tx, row) => {
    if ((await countComments(tx, id)) >= MAX_COMMENTS) throw new OperatorError(`A request has at most ${MAX_COMMENTS} comments.`);
    await insertRequestEvent(tx, environment.id, row, actor, "Commented", text);
  });

const isBy = ({ userId, editorId }: WholeRequest, actor: Actor): boolean => actor.userId === userId || actor.userId === editorId;

/** Approves a revision, which its authors cannot. */
export const approve = (database: Database, environment: Environment, which: Required<Which>, actor: Actor) =>
  decide(database, environment, which, async (tx, row) => {
    if (actor.userId === null || isBy(row, actor))
      throw new OperatorError("You made or edited this request. Another person has to approve it.");
    await approveRequest(tx, row.id, actor, false);
    await recordEvent(tx, environment, row, actor, "Approved");
    await noteDecided(tx, environment, row, `was approved by ${actor.name}`);
  });

/** An Owner approves their own request, with a reason that all members see. */
export const goAlone = (
  database: Database,
  environment: Environment,
  { reason, ...which }: Required<Which> & { reason: string },
  actor: Actor,
) =>
  decide(database, environment, which, async (tx, row) => {
    await approveRequest(tx, row.id, actor, true);
    await recordEvent(tx, environment, row, actor, "WentAlone", reason);
    await noteAlone(tx, environment, row, actor, reason);
  });

/**
 * Approves a revision, and applies it unless it is scheduled. The row's lock and a unique index allow one approval per revision.
 */
async function decide(
  database: Database,
  environment: Environment,
  which: Which,
  approval: (tx: Transaction, row: WholeRequest) => Promise<void>,
): Promise<boolean> {
  const isKnown = await withRequest(database, environment, which, (tx, row) => {
    if (row.state === "Approved") throw new OperatorError(`${row.approver ?? "Another person"} has approved this revision already.`);
    return approval(tx, row);
  });
  if (isKnown) await applyAfterApproval(database, environment.id, which.id);
  return isKnown;
}

/** Rejects a request, approved or not. */
export const reject = (
  database: Database,
  environment: Environment,
  { reason, ...which }: Required<Which> & { reason: string },
  actor: Actor,
) =>
  withRequest(database, environment, which, async (tx, row) => {
    await closeRequest(tx, row.id, "Rejected");
    await recordEvent(tx, environment, row, actor, "Rejected", reason);
    await noteDecided(tx, environment, row, `was rejected by ${actor.name}`, reason);
  });

/** Withdraws a request; only for its author and its last editor. */
export const withdraw = (database: Database, environment: Environment, id: string, actor: Actor) =>
  withRequest(database, environment, { id }, async (tx, row) => {
    if (!isBy(row, actor)) throw new OperatorError("Only its author can withdraw a request. If you may approve it, you can reject it.");
    await closeRequest(tx, row.id, "Withdrawn");
    await recordEvent(tx, environment, row, actor, "Withdrawn");
  });

export interface RequestEdit extends Required<Which> {
  title?: string | undefined;
  reason?: string | undefined;
  /** When the request is to be applied, epoch milliseconds; null: as soon as it is approved. */
  dueAt?: number | null | undefined;
  /** The wanted definition, as JSON text. */
  definition?: { kind: Kind; document: string } | undefined;
  /** Overwrites later changes in Live. */
  isRefitted?: boolean | undefined;
}

/** The problems of an edit, and the request's new revision. Null if there is no such request. */
export type EditedRequest = { problems: SaveProblem[]; revision: number } | null;

/** Edits a waiting request, which makes a new revision that needs its own approval; the editor cannot give it. */
export const editRequest = (
  database: Database,
  environment: Environment,
  { id, revision, title, reason, dueAt, definition, isRefitted }: RequestEdit,
  actor: Actor,
): Promise<EditedRequest> =>
  // Plans without the environment's lock: the definitions stay as they are, and applying the request plans again.
  edit(database, environment, { dryRun: true }, async (open) => {
    const row = await takeOpen(open.tx, environment, { id, revision });
    if (row === null) return null;
    if (row.revision >= MAX_REVISIONS) throw new OperatorError(`A request is edited at most ${MAX_REVISIONS} times. Make a new one.`);
    const at = dueAt === undefined ? row.dueAt : dueAt;
    // A request whose time has passed keeps it, and is applied with its approval.
    if (at !== row.dueAt) checkDue(at, open.now);
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
      content = await contentOf(items);
      subjects = items.map(subjectOfItem);
    }
    await updateRequest(open.tx, id, { title: title ?? row.title, reason: reason ?? row.reason, content, subjects, dueAt: at }, actor);
    const edited = { ...row, revision: revision + 1, title: title ?? row.title, editorId: actor.userId, editor: actor.name };
    await recordEvent(open.tx, environment, edited, actor, "Edited");
    await noteWaiting(open.tx, environment, edited);
    return { problems: [], revision: edited.revision };
  });

/** The items as changes of the present definitions, without those that change nothing. */
const refitted = ({ stored }: Edit, items: readonly RequestItem[]): RequestItem[] =>
  items
    .map((item) => ({ ...item, before: presentIn(stored, item) }))
    .filter(({ kind, before, after, isAnew }) => isAnew === true || !isSameContent(kind, before, after));

/** The items with this definition added or replaced, checked together. */
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
