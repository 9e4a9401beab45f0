import { execute, firstRow, firstValue, onlyRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Actor } from "#server/model/kernel/environment.ts";
import type { Kind } from "#server/model/definitions/kinds.ts";
import type { ChangeFailure } from "#server/model/definitions/change-failure.ts";

/** A change that is due at an instant of the environment's clock. Other instants are real time; all are epoch milliseconds. */
export interface ScheduledRow {
  id: string;
  kind: Kind;
  key: string;
  document: string;
  baseVersion: number;
  dueAt: number;
  createdAt: number;
  userId: string | null;
  actor: string;
  token: string | null;
  failedAt: number | null;
  failure: ChangeFailure | null;
}

interface Which {
  kind: string;
  key: string;
}

/** Maximum bytes of documents loaded by one query. */
const MAX_DOCUMENTS = 4 * 1024 * 1024;

/**
 * An environment's pending and failed changes, the first due first. Documents are included for a single definition only, as many of the
 * first as fit the bound.
 */
export const selectScheduled = (sql: Sql, environmentId: number, which: Which | null = null) =>
  sql<(Omit<ScheduledRow, "document"> & { document: string | null })[]>`
    select id, kind, key,
      case when ${which?.kind ?? null}::text is not null
        and sum(octet_length(document)) over (order by due_at, created_at, id) <= ${MAX_DOCUMENTS}::bigint then document end as document, base_version, due_at,
      created_at, user_id, actor, token, failed_at, failure
    from scheduled_changes
    where environment_id = ${environmentId}::int
      and (${which?.kind ?? null}::text is null or (kind = ${which?.kind ?? null}::text and key = ${which?.key ?? null}::text))
    order by due_at, created_at, id`.execute();

/** Failed changes, the first due first, and whether their definitions are gone. */
export const selectFailed = (sql: Sql, environmentId: number) =>
  sql<(Pick<ScheduledRow, "id" | "kind" | "key" | "dueAt" | "failure"> & { isGone: boolean })[]>`
    select c.id, c.kind, c.key, c.due_at, c.failure,
      not exists (select from definitions d where d.environment_id = c.environment_id and d.kind = c.kind and d.key = c.key) as is_gone
    from scheduled_changes c
    where c.environment_id = ${environmentId}::int and c.failed_at is not null
    order by c.due_at, c.created_at, c.id`.execute();

/** Locks a change; null if it is gone. */
export const takeScheduled = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<ScheduledRow[]>`
    select id, kind, key, document, base_version, due_at, created_at, user_id, actor, token, failed_at, failure
    from scheduled_changes where id = ${id}::uuid and environment_id = ${environmentId}::int for update`);

/** The number of an environment's pending or failed changes, and of one definition's pending changes. */
export const countScheduled = (tx: Transaction, environmentId: number, { kind, key }: Which) =>
  onlyRow(tx<{ all: number; own: number }[]>`
    select count(*) as "all", count(*) filter (where kind = ${kind} and key = ${key} and failed_at is null) as own
    from scheduled_changes where environment_id = ${environmentId}::int`);

/** When the next change of each definition of a kind is due, on the environment's clock. */
export const selectNext = (sql: Sql, environmentId: number, kind: string): Promise<{ key: string; dueAt: number | null }[]> =>
  sql<{ key: string; dueAt: number | null }[]>`
    select key, min(due_at) as due_at from scheduled_changes
    where environment_id = ${environmentId}::int and kind = ${kind} and failed_at is null group by key`.execute();

interface NewChange extends Which {
  document: string;
  baseVersion: number;
  dueAt: number;
}

/** The newest pending change for that time, if it has the same author and content; null otherwise. */
export const selectSameScheduled = (
  tx: Transaction,
  environmentId: number,
  { kind, key, document, baseVersion, dueAt }: NewChange,
  { userId }: Actor,
) =>
  firstValue(tx<{ id: string }[]>`
    select id from (
      select * from scheduled_changes
      where environment_id = ${environmentId}::int and failed_at is null and (kind, key) = (${kind}, ${key}) and due_at = ${dueAt}::timestamptz
      order by created_at desc limit 1
    ) c where document = ${document} and base_version = ${baseVersion}::int and user_id = ${userId}::uuid`);

/** Returns the new row's id. */
export const insertScheduled = (
  tx: Transaction,
  environmentId: number,
  { kind, key, document, baseVersion, dueAt }: NewChange,
  { userId, name, token }: Actor,
) =>
  onlyValue(tx<{ id: string }[]>`
    insert into scheduled_changes (environment_id, kind, key, document, base_version, due_at, user_id, actor, token)
    values (${environmentId}::int, ${kind}, ${key}, ${document}, ${baseVersion}::int, ${dueAt}::timestamptz,
      ${userId}::uuid, ${name}, ${token ?? null}::text)
    returning id`);

export const deleteScheduled = (tx: Transaction, id: string) => execute(tx`delete from scheduled_changes where id = ${id}::uuid`);

/** A failed change waits for a user. */
export const failScheduled = (tx: Transaction, id: string, failure: ChangeFailure) =>
  execute(tx`
    update scheduled_changes set failed_at = clock_timestamp(), failure = ${writeJson(failure)}::text::json where id = ${id}::uuid`);

/**
 * Moves pending changes to the version that an applied change made, before that change is deleted: those that were scheduled after it, or by
 * its author, were made knowing of it. An earlier change by another author would undo it unnoticed, so it stays where it is and conflicts.
 */
export const rebaseScheduled = (
  tx: Transaction,
  environmentId: number,
  { id, kind, key }: Which & { id: string },
  from: number,
  to: number,
) =>
  execute(tx`
    update scheduled_changes c set base_version = ${to}::int
    from scheduled_changes applied
    where applied.id = ${id}::uuid and c.environment_id = ${environmentId}::int and c.kind = ${kind} and c.key = ${key}
      and c.base_version = ${from}::int and c.failed_at is null and (c.created_at > applied.created_at or c.user_id = applied.user_id)`);

/** A definition's newest version number; 0 if it never existed. */
export const latestVersion = (sql: Sql, environmentId: number, { kind, key }: Which) =>
  onlyValue(sql<{ version: number }[]>`
    select coalesce(max(version), 0) as version from definition_versions
    where environment_id = ${environmentId}::int and kind = ${kind} and key = ${key}`);

/** When an environment's first change is due, on its clock; null if none is. */
export const firstDueChange = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ at: number | null }[]>`
    select min(due_at) as at from scheduled_changes
    where environment_id = ${environmentId}::int and failed_at is null`);
