import { pageOf } from "../../model/kernel/page.ts";
import { ORPCError } from "@orpc/server";
import { z } from "zod";
import { inTurns } from "../../engine/turns.ts";
import { readRequest, requestedDocument } from "../../authoring/definitions/service/request-reading.ts";
import { approve, commentOn, editRequest, goAlone, reject, withdraw } from "../../authoring/definitions/service/requests.ts";
import { type RequestRow, selectRequests } from "../../authoring/definitions/store/requests.ts";
import { cursor, inEnvironment, instantText, MAX_TEXT_LENGTH, requestTexts } from "../../model/contract/rpc.ts";
import { KINDS } from "../../model/definitions/kinds.ts";
import { subjectOfItem } from "../../model/definitions/request-items.ts";
import { refusalReason } from "../../model/definitions/change-failure.ts";
import { boundedChanges } from "../../model/definitions/bounded-changes.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { isAtLeast } from "../../model/kernel/environment.ts";
import { LAST_UUID, UUID } from "../../model/kernel/stored.ts";
import { type CallContext, DEFINITION_BODY, forEnvironment } from "../access.ts";
import { dated, instantOf, orMissing, partsOf } from "./inputs.ts";

const byId = inEnvironment.extend({ id: z.uuid() });
/** The revision that the caller has read. */
const byRevision = byId.extend({ revision: z.int().min(1).max(1_000) });
const text = z.string().trim().min(1).max(MAX_TEXT_LENGTH);
const definition = z.object({ kind: z.enum(KINDS), key: z.string().max(200) });

const MAX_IN_LIST = 200;
const MAX_PROBLEMS = 100;
/** Definitions named in a list. */
const MAX_SUBJECTS = 20;
const AFTER_ALL = Date.UTC(9999, 0);
const CURSOR = new RegExp(`^(\\S+) (${UUID})$`);

const NO_REQUEST = "There is no such change request.";

/** Throws NOT_FOUND for an unknown request. */
async function orNotFound(verb: Promise<boolean>): Promise<void> {
  if (!(await verb)) throw new ORPCError("NOT_FOUND", { message: NO_REQUEST });
}

function mustApprove({ mayApprove, environment }: CallContext): void {
  if (!mayApprove[environment.kind])
    throw new ORPCError("FORBIDDEN", { message: "Change requests are decided by Owners, Admins, and the Editors that an Admin chose." });
}

/** Changes to Live that wait for approval, in projects that ask for approvals. People decide them; tokens only make and read them. */
export const changeRequestsDashboardProcedures = {
  /** The waiting or the closed requests, newest first; of one definition, if given. */
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({
      isClosed: z.boolean().default(false),
      which: definition.nullable().default(null),
      cursor,
      limit: z.int().min(1).max(MAX_IN_LIST).default(50),
    }),
    async ({ isClosed, which, cursor, limit }, { database, environment }) => {
      const [at = "", id = LAST_UUID] = partsOf(cursor, CURSOR) ?? [];
      const below = { at: at === "" ? AFTER_ALL : instantOf(at), id };
      const filter = { isClosed, subject: which === null ? null : subjectOfItem(which) };
      const { page, next } = pageOf(await selectRequests(database.sql, environment.id, filter, below, limit + 1), limit);
      return { requests: page.map(brief), next: next && `${formatInstant(next.createdAt)} ${next.id}` };
    },
  ),

  /** A request with its differences and its history; a waiting one compared with the present definitions. */
  get: forEnvironment("Viewer", "costly")(byId, async ({ id }, { database, environment, person, role, mayApprove }) => {
    const { row, items, now, events, problems, isTurnOff } = await orMissing(readRequest(database, environment, id), NO_REQUEST);
    const isOwn = person.userId === row.userId || person.userId === row.editorId;
    const isOpen = row.closedAt === null;
    return {
      ...brief(row),
      isTurnOff,
      isOwn,
      problems: problems.slice(0, MAX_PROBLEMS).map(({ kind, key, pointer, message }) => ({ kind, key, pointer, message })),
      items: await inTurns(boundedChanges(items)),
      now: await inTurns(boundedChanges(now)),
      events: events.map(({ userId: _, ...event }) => dated(event, "at")),
      may: {
        approve: isOpen && row.state === "Open" && mayApprove[environment.kind] && !isOwn,
        goAlone: isOpen && row.state === "Open" && isOwn && role === "Owner",
        reject: isOpen && mayApprove[environment.kind],
        withdraw: isOpen && isOwn,
        edit: isOpen && isAtLeast(role, "Editor"),
      },
    };
  }),

  /** A definition as a waiting request would leave it, for its form. */
  document: forEnvironment("Viewer", "costly")(byId.extend(definition.shape), (input, { database, environment }) =>
    orMissing(requestedDocument(database, environment, input), NO_REQUEST),
  ),

  comment: forEnvironment("Editor", "cheap")(byId.extend({ text }), (input, { database, environment, actor }) =>
    orNotFound(commentOn(database, environment, input, actor)),
  ),

  /** Approves the revision that was read; its authors cannot. It is then applied, immediately or at its scheduled time. */
  approve: forEnvironment("Editor", "costly", { tokens: "none", wakes: true })(byRevision, (input, context) => {
    mustApprove(context);
    return orNotFound(approve(context.database, context.environment, input, context.actor));
  }),

  /** An Owner goes ahead alone; the reason is shown, logged and sent to the approvers. */
  goAlone: forEnvironment("Owner", "costly", { tokens: "none", wakes: true, isSensitive: true })(
    byRevision.extend({ reason: text }),
    (input, { database, environment, actor }) => orNotFound(goAlone(database, environment, input, actor)),
  ),

  reject: forEnvironment("Editor", "cheap", { tokens: "none" })(byRevision.extend({ reason: text }), (input, context) => {
    mustApprove(context);
    return orNotFound(reject(context.database, context.environment, input, context.actor));
  }),

  /** By its author or its last editor. */
  withdraw: forEnvironment("Editor", "cheap")(byId, ({ id }, { database, environment, actor }) =>
    orNotFound(withdraw(database, environment, id, actor)),
  ),

  /**
   * Edits a waiting request, which makes a new revision without an approval. `at` null: as soon as it is approved. `isRefitted` overwrites
   * later changes in Live.
   */
  edit: forEnvironment("Editor", "costly", { largestBody: DEFINITION_BODY })(
    byRevision.extend({
      title: requestTexts.shape.title,
      reason: requestTexts.shape.reason,
      at: instantText.nullable().optional(),
      definition: z.object({ kind: z.enum(KINDS), document: z.string() }).optional(),
      isRefitted: z.boolean().default(false),
    }),
    ({ at, title, ...input }, { database, environment, actor }) => {
      const named = title === undefined || title.trim() === "" ? {} : { title: title.trim() };
      const edit = { ...input, ...named, dueAt: at === undefined ? undefined : instantOf(at) };
      return orMissing(editRequest(database, environment, edit, actor), NO_REQUEST);
    },
  ),
};

const brief = ({ subjects, userId: _, editorId: __, approverId: ___, failure, ...row }: RequestRow) => ({
  ...dated(row, "createdAt", "dueAt", "closedAt"),
  subjects: subjects.slice(0, MAX_SUBJECTS),
  definitions: subjects.length,
  failure: failure === null ? null : refusalReason(failure, "requested"),
});
