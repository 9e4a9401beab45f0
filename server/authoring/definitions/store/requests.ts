import { execute, firstRow, firstValue, onlyRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { Below } from "#server/model/kernel/stored.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Actor } from "#server/model/kernel/environment.ts";
import type { RequestAction, RequestState } from "#server/model/definitions/change-requests.ts";
import type { Way } from "#server/model/definitions/contract.ts";
import type { ChangeFailure } from "#server/model/definitions/change-failure.ts";

/** A change request without its definitions. Instants are real time, epoch milliseconds. */
export interface RequestRow {
  id: string;
  title: string;
  reason: string;
  /** Its definitions, as "kind/key". */
  subjects: string[];
  via: Way;
  revision: number;
  state: RequestState;
  dueAt: number | null;
  createdAt: number;
  userId: string | null;
  actor: string;
  token: string | null;
  editorId: string | null;
  editor: string;
  approverId: string | null;
  approver: string | null;
  isAlone: boolean;
  failure: ChangeFailure | null;
  closedAt: number | null;
}

/** A request with its definitions (`RequestItem[]` as JSON); null: it asks to turn approvals off. */
export type WholeRequest = RequestRow & { content: string | null };

const columns = (sql: Sql) => sql`
  id, title, reason, subjects, via, revision, state, due_at, created_at, user_id, actor, token, editor_id, editor, approver_id, approver,
  is_alone, failure, closed_at`;

/** The newest requests of an environment below a cursor: those that wait, or the closed ones. `subject`: only those of a definition. */
export const selectRequests = (
  sql: Sql,
  environmentId: number,
  { isClosed, subject }: { isClosed: boolean; subject: string | null },
  { at, id }: Below,
  limit: number,
): Promise<RequestRow[]> =>
  sql<RequestRow[]>`
    select ${columns(sql)} from change_requests
    where environment_id = ${environmentId}::int and (closed_at is not null) = ${isClosed} and (created_at, id) < (${at}, ${id}::uuid)
      and (${subject}::text is null or subjects @> array[${subject}::text])
    order by created_at desc, id desc limit ${limit}::int`.execute();

export const countOpenRequests = (sql: Sql, environmentId: number, userId: string | null) =>
  onlyRow(sql<{ all: number; own: number }[]>`
    select count(*)::int as all, count(*) filter (where user_id = ${userId}::uuid)::int as own
    from change_requests where environment_id = ${environmentId}::int and closed_at is null`);

/** A project's waiting requests, and those of them that still need an approval. */
export const countRequestsOf = (sql: Sql, projectId: string) =>
  onlyRow(sql<{ waiting: number; undecided: number }[]>`
    select count(c.id)::int as waiting, count(c.id) filter (where c.state = 'Open')::int as undecided
    from environments e join change_requests c on c.environment_id = e.id and c.closed_at is null
    where e.project_id = ${projectId}`);

/** The definitions of a kind that waiting requests would change, by key, with the number of those requests. */
export const selectRequestedKeys = (sql: Sql, environmentId: number, kind: string): Promise<{ key: string; count: number }[]> =>
  sql<{ key: string; count: number }[]>`
    select substr(subject, length(${kind}) + 2) as key, count(*)::int as count
    from change_requests cross join unnest(subjects) as s (subject)
    where environment_id = ${environmentId}::int and closed_at is null and starts_with(subject, ${kind} || '/')
    group by 1`.execute();

export const selectRequest = (sql: Sql, environmentId: number, id: string) =>
  firstRow(sql<WholeRequest[]>`
    select ${columns(sql)}, content from change_requests where id = ${id}::uuid and environment_id = ${environmentId}::int`);

/** A request, locked until the transaction ends; every change of a request takes this lock. */
export const takeRequest = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<WholeRequest[]>`
    select ${columns(tx)}, content from change_requests
    where id = ${id}::uuid and environment_id = ${environmentId}::int for update`);

export type NewRequest = Pick<WholeRequest, "title" | "reason" | "content" | "via" | "dueAt"> & { subjects: readonly string[] };

/** Returns the new row; null if this one asks to turn approvals off, and the environment already has such a request. */
export const insertRequest = (
  tx: Transaction,
  environmentId: number,
  { title, reason, content, subjects, via, dueAt }: NewRequest,
  { userId, name, token }: Actor,
) =>
  firstRow(tx<RequestRow[]>`
    insert into change_requests (environment_id, title, reason, content, subjects, via, due_at, user_id, actor, token, editor_id, editor)
    values (${environmentId}::int, ${title}, ${reason}, ${content}::text, ${subjects as string[]}::text[], ${via}, ${dueAt}::timestamptz,
      ${userId}::uuid, ${name}, ${token ?? null}::text, ${userId}::uuid, ${name})
    on conflict do nothing returning ${columns(tx)}`);

/** The waiting request to turn approvals off. */
export const selectTurnOff = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ id: string }[]>`
    select id from change_requests where environment_id = ${environmentId}::int and content is null and closed_at is null`);

/** The waiting request of the same author with the same content, not edited by others. */
export const selectSame = (sql: Sql, environmentId: number, { title, reason, content, via, dueAt }: NewRequest, { userId, name }: Actor) =>
  firstValue(sql<{ id: string }[]>`
    select id from change_requests
    where environment_id = ${environmentId}::int and closed_at is null and (title, reason, via, actor) = (${title}, ${reason}, ${via}, ${name})
      and user_id is not distinct from ${userId}::uuid and revision = 1 and due_at is not distinct from ${dueAt}::timestamptz
      and content = ${content}::text
    limit 1`);

type Edited = Pick<NewRequest, "title" | "reason" | "content" | "subjects" | "dueAt">;

/** Writes the next revision, which has no approval. */
export const updateRequest = (tx: Transaction, id: string, { title, reason, content, subjects, dueAt }: Edited, { userId, name }: Actor) =>
  execute(tx`
    update change_requests set title = ${title}, reason = ${reason}, content = ${content}::text, subjects = ${subjects as string[]}::text[],
      due_at = ${dueAt}::timestamptz, editor_id = ${userId}::uuid, editor = ${name}, revision = revision + 1, state = 'Open',
      approver_id = null, approver = null, is_alone = false, failure = null
    where id = ${id}::uuid`);

export const approveRequest = (tx: Transaction, id: string, { userId, name }: Actor, isAlone: boolean) =>
  execute(tx`
    update change_requests set state = 'Approved', approver_id = ${userId}::uuid, approver = ${name}, is_alone = ${isAlone}, failure = null
    where id = ${id}::uuid`);

/** After a failed application the request has a new revision, which needs an approval again. */
export const failRequest = (tx: Transaction, id: string, failure: ChangeFailure) =>
  execute(tx`
    update change_requests set state = 'Open', revision = revision + 1, approver_id = null, approver = null, is_alone = false,
      failure = ${writeJson(failure)}::text::json
    where id = ${id}::uuid`);

export const closeRequest = (tx: Transaction, id: string, state: "Applied" | "Rejected" | "Withdrawn") =>
  execute(tx`update change_requests set state = ${state}, closed_at = clock_timestamp(), failure = null where id = ${id}::uuid`);

/** Deletes the oldest closed requests of an environment beyond a number, with their histories. */
export const deleteOldRequests = (tx: Transaction, environmentId: number, kept: number) =>
  execute(tx`
    with gone as (
      delete from change_requests where id in (
        select id from change_requests where environment_id = ${environmentId}::int and closed_at is not null
        order by closed_at desc, id offset ${kept}::int
      ) returning id
    ) delete from change_request_events e using gone where e.request_id = gone.id`);

/** An entry in a request's history; instants are real time, epoch milliseconds. */
export interface RequestEvent {
  id: number;
  at: number;
  userId: string | null;
  actor: string;
  token: string | null;
  action: RequestAction;
  revision: number;
  text: string | null;
}

export const insertRequestEvent = (
  tx: Transaction,
  environmentId: number,
  { id, revision }: Pick<RequestRow, "id" | "revision">,
  { userId, name, token }: Actor,
  action: RequestAction,
  text: string | null = null,
) =>
  execute(tx`
    insert into change_request_events (environment_id, request_id, user_id, actor, token, action, revision, text)
    values (${environmentId}::int, ${id}::uuid, ${userId}::uuid, ${name}, ${token ?? null}::text, ${action}, ${revision}::int, ${text}::text)`);

/** The whole history of a request, the oldest first: its comments and revisions are limited. */
export const selectRequestEvents = (sql: Sql, requestId: string): Promise<RequestEvent[]> =>
  sql<RequestEvent[]>`
    select id, at, user_id, actor, token, action, revision, text from change_request_events
    where request_id = ${requestId}::uuid order by id`.execute();

export const countComments = (sql: Sql, requestId: string) =>
  onlyValue(sql<{ count: number }[]>`
    select count(*)::int as count from change_request_events where request_id = ${requestId}::uuid and action = 'Commented'`);
