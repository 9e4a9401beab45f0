import { type Database, transact, type Transaction } from "#db/client.ts";
import { lockExclusive } from "#server/engine/store/locks.ts";
import { inTurns } from "#server/engine/turns.ts";
import {
  ChangeRequested,
  MAX_AHEAD_MS,
  MAX_CLOSED_REQUESTS,
  MAX_OPEN_REQUESTS,
  MAX_OPEN_REQUESTS_OF_ONE,
  MAX_REQUEST_BYTES,
  type RequestAction,
  requestEntry,
  titleOfRequest,
} from "#server/model/definitions/change-requests.ts";
import { MAX_TEXT_LENGTH, MAX_TITLE_LENGTH } from "#server/model/contract/rpc.ts";
import { type RequestItem, subjectOfItem } from "#server/model/definitions/request-items.ts";
import type { Author } from "#server/model/definitions/versions.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { mapInSteps } from "#server/model/kernel/steps.ts";
import { projectEntry } from "#server/model/projects/settings.ts";
import { noteApprovers, notePeople, type RequestNotice } from "#server/people/notices/notices.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { selectIsLiveGuarded, updateIsLiveGuarded } from "#server/people/projects/store/projects.ts";
import {
  countOpenRequests,
  deleteOldRequests,
  insertRequest,
  insertRequestEvent,
  type NewRequest,
  type RequestRow,
  selectSame,
  selectTurnOff,
} from "../store/requests.ts";

/** Stores a person's change to Live as a change request, and returns its id. The environment's lock is held exclusively. */
export async function makeRequest(
  tx: Transaction,
  environment: Environment,
  { items, author: { actor, via }, dueAt }: { items: readonly RequestItem[]; author: Author; dueAt: number | null },
  now: number,
): Promise<string> {
  checkDue(dueAt, now);
  const content = await contentOf(items);
  const { title, reason } = textsOf(actor);
  return insert(tx, environment, actor, {
    reason,
    content,
    via,
    dueAt,
    subjects: items.map(subjectOfItem),
    title: title === "" ? titleOfRequest(items, via, environment.defaultLanguage) : title,
  });
}

/** Throws OperatorError for an instant in the past or too far ahead. */
export function checkDue(dueAt: number | null, now: number): void {
  if (dueAt === null) return;
  if (dueAt <= now) throw new OperatorError("Choose a time in the future.");
  if (dueAt > now + MAX_AHEAD_MS) throw new OperatorError("A change can be scheduled at most two years ahead.");
}

/** The items as they are stored. Throws OperatorError where they are too large. */
export async function contentOf(items: readonly RequestItem[]): Promise<string> {
  const content = `[${(await inTurns(mapInSteps(items, writeJson))).join(",")}]`;
  if (Buffer.byteLength(content) > MAX_REQUEST_BYTES)
    throw new OperatorError("A change request holds at most 2 MiB of definitions. Change fewer of them at a time.");
  return content;
}

const textsOf = ({ request: { title = "", reason = "" } = {} }: Actor) => ({
  title: title.trim().slice(0, MAX_TITLE_LENGTH).toWellFormed(),
  reason: reason.trim().slice(0, MAX_TEXT_LENGTH).toWellFormed(),
});

async function insert(tx: Transaction, environment: Environment, actor: Actor, request: NewRequest): Promise<string> {
  // A rerun of a pipeline gets its earlier request.
  const same = await selectSame(tx, environment.id, request, actor);
  if (same !== null) return same;
  const { all, own } = await countOpenRequests(tx, environment.id, actor.userId);
  if (all >= MAX_OPEN_REQUESTS)
    throw new OperatorError(`At most ${MAX_OPEN_REQUESTS} change requests can wait at a time. Decide or withdraw some first.`);
  if (own >= MAX_OPEN_REQUESTS_OF_ONE)
    throw new OperatorError(`At most ${MAX_OPEN_REQUESTS_OF_ONE} of your change requests can wait at a time. Withdraw some first.`);
  const row = await insertRequest(tx, environment.id, request, actor);
  if (row === null) return (await selectTurnOff(tx, environment.id))!;
  await insertRequestEvent(tx, environment.id, row, actor, "Requested");
  await recordChange(tx, requestEntry(environment, actor, "Requested", row, request.reason || null));
  await noteWaiting(tx, environment, row);
  await deleteOldRequests(tx, environment.id, MAX_CLOSED_REQUESTS);
  return row.id;
}

/** Writes an event into a request's history and into the audit log. */
export async function recordEvent(
  tx: Transaction,
  environment: Environment,
  row: RequestRow,
  actor: Actor,
  action: Exclude<RequestAction, "Commented">,
  text: string | null = null,
): Promise<void> {
  await insertRequestEvent(tx, environment.id, row, actor, action, text);
  await recordChange(tx, requestEntry(environment, actor, action, row, text));
}

/** Notifies the approvers of a waiting revision. */
export const noteWaiting = (tx: Transaction, environment: Environment, row: RequestRow): Promise<void> =>
  noteApprovers(tx, noticeOf(environment, row, "ChangeRequested", { by: row.editor }), [row.userId, row.editorId]);

/** Notifies the approvers of a change that an Owner makes alone. */
export const noteAlone = (tx: Transaction, environment: Environment, row: RequestRow, { userId, name }: Actor, reason: string) =>
  noteApprovers(tx, noticeOf(environment, row, "ChangeMadeAlone", { by: name }, reason), [userId]);

/** Notifies a request's author and last editor of its outcome. */
export const noteDecided = (tx: Transaction, environment: Environment, row: RequestRow, outcome: string, reason?: string): Promise<void> =>
  notePeople(tx, noticeOf(environment, row, "ChangeDecided", { by: row.editor, outcome }, reason), [
    ...new Set([row.userId, row.editorId]),
  ]);

const noticeOf = (
  { id: environmentId, projectId }: Environment,
  { id, revision, title }: RequestRow,
  kind: "ChangeRequested" | "ChangeMadeAlone" | "ChangeDecided",
  about: { by: string; outcome?: string },
  reason?: string,
): RequestNotice => ({
  environmentId,
  projectId,
  kind,
  cause: [id, revision, about.outcome].filter((part) => part !== undefined).join(" "),
  details: { since: formatInstant(Date.now()), request: { id, title, ...about }, ...(reason !== undefined && { reason }) },
});

/**
 * Turns approvals for Live on. Turning them off is itself a change request: throws ChangeRequested once it is stored.
 */
export async function setLiveGuard(database: Database, live: Environment, isOn: boolean, actor: Actor): Promise<void> {
  const id = await transact(database, async (tx) => {
    // Changes that run now end before the rule holds.
    await lockExclusive(tx, live.id);
    if (isOn) {
      await writeLiveGuard(tx, live, true, actor);
      return null;
    }
    if (!(await selectIsLiveGuarded(tx, live.projectId))) return null;
    const { title, reason } = textsOf(actor);
    const request = { reason, content: null, subjects: [], via: "save", dueAt: null } as const;
    return insert(tx, live, actor, { ...request, title: title === "" ? "Stop asking for approvals in Live" : title });
  });
  if (id !== null) throw new ChangeRequested(live, id);
}

/** Switches approvals for Live on or off, with an audit log entry if that changes. */
export async function writeLiveGuard(tx: Transaction, live: Environment, isOn: boolean, actor: Actor): Promise<void> {
  if (!(await updateIsLiveGuarded(tx, live.projectId, isOn))) return;
  const difference = [{ type: "CHANGE", path: ["approvalsInLive"], oldValue: !isOn, value: isOn }];
  await recordChange(tx, { ...projectEntry(live.projectId, live.projectSlug, actor), action: "update", difference });
}
