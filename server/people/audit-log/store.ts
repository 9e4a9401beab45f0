import { firstRow, hasRow, onlyRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { Below } from "../../model/kernel/stored.ts";
import type { Environment, EnvironmentKind } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { inParts } from "../../model/kernel/steps.ts";
import type { AuditEntry, AuditQuery, WholeEntry } from "../../model/audit-log/entry.ts";

/** An audit entry as it is read. `at` is real time, epoch milliseconds. */
export interface AuditRow {
  id: number;
  at: number;
  actor: string;
  /** The name of the token that was used; null for a session. */
  token: string | null;
  /** Null for entries about the whole project. */
  environment: EnvironmentKind | null;
  action: string;
  subjectKind: string;
  subjectKey: string | null;
  /** Null if there is none, or if it is too long for a list (`isLong`). */
  difference: object | null;
  isLong: boolean;
  /** For an entry with parts: their number by action. Otherwise null. */
  parts: object | null;
  /** The entry that this one is part of, and that entry's action. */
  partOf: number | null;
  wholeAction: string | null;
}

/** `from` is inclusive, `until` exclusive, both epoch milliseconds. */
export type AuditFilter = Omit<AuditQuery, "from" | "until" | "partOf"> & Record<"from" | "until" | "partOf", number | null>;

/**
 * Bytes of a difference in a list; a longer one is read separately. The compressed size is checked first, and only values that are short by
 * that measure are unpacked to be measured, so a page of long differences costs no more than a page of short ones.
 */
const MAX_LISTED = 4_000;

/** The newest matching entries of a project below the id `before`, at most `limit`. */
export function selectAuditLog(
  sql: Sql,
  projectId: string,
  { actor, action, subjectKind, subjectKey, environment, from, until, partOf, parts }: AuditFilter,
  before: number | null,
  limit: number,
): Promise<AuditRow[]> {
  const isOf = (column: "actor" | "action" | "subject_kind" | "subject_key", value: string | null) =>
    value === null ? sql`` : sql`and a.${sql(column)} = ${value}`;
  const inEnvironment =
    environment === null ? sql`` : environment === "project" ? sql`and a.environment_id is null` : sql`and e.kind = ${environment}`;
  const isLookedFor = [action, subjectKind, subjectKey].some((value) => value !== null);
  const partsWanted =
    partOf !== null ? sql`and a.part_of = ${partOf}` : parts === "listed" || isLookedFor ? sql`` : sql`and a.part_of is null`;
  return sql<AuditRow[]>`
    select a.id, a.at, a.actor, a.token, e.kind as environment, a.action, a.subject_kind, a.subject_key, shown.difference,
      a.difference is not null and shown.difference is null as is_long, a.parts, a.part_of, whole.action as whole_action
    from audit_log a
      cross join lateral (
        select case when pg_column_size(a.difference) > ${MAX_LISTED}::int then null
          when octet_length(a.difference::text) > ${MAX_LISTED}::int then null
          else a.difference end as difference
      ) shown
      left join environments e on e.id = a.environment_id
      left join audit_log whole on whole.id = a.part_of
    where a.project_id = ${projectId} ${before === null ? sql`` : sql`and a.id < ${before}`}
      ${isOf("actor", actor)} ${isOf("action", action)} ${isOf("subject_kind", subjectKind)} ${isOf("subject_key", subjectKey)}
      ${inEnvironment} ${partsWanted}
      ${from === null ? sql`` : sql`and a.at >= ${from}`}
      ${until === null ? sql`` : sql`and a.at < ${until}`}
    order by a.id desc limit ${limit}`.execute();
}

/** The difference of an entry of a project, up to a number of bytes; null for an unknown entry. */
export const selectDifference = (sql: Sql, projectId: string, id: number, most: number) =>
  firstRow(sql<{ difference: object | null; isCut: boolean }[]>`
    select case when shown.bytes <= ${most}::bigint then difference end as difference, coalesce(shown.bytes > ${most}::bigint, false) as is_cut
    from audit_log cross join lateral (select octet_length(difference::text) as bytes) shown
    where project_id = ${projectId} and id = ${id}::bigint`);

/** The people, actions and subjects to filter by, each in order. */
export interface AuditFacets {
  actors: string[];
  actions: string[];
  subjectKinds: string[];
}

export const selectAuditFacets = (sql: Sql, projectId: string) =>
  onlyRow(sql<AuditFacets[]>`
    select coalesce(array_agg(distinct actor order by actor), '{}') as actors,
      coalesce(array_agg(distinct action order by action), '{}') as actions,
      coalesce(array_agg(distinct subject_kind order by subject_kind), '{}') as subject_kinds
    from audit_log where project_id = ${projectId}`);

/** The author and time (real, epoch milliseconds) of the last change of a subject, which may have no key; null if there is none. */
export const selectLastChange = (sql: Sql, { id, projectId }: Environment, subjectKind: string, subjectKey: string | null) =>
  firstRow(sql<{ actor: string; at: number }[]>`
    select actor, at from audit_log
    where project_id = ${projectId} and environment_id = ${id}::int
      and subject_kind = ${subjectKind} and subject_key is not distinct from ${subjectKey}
    order by id desc limit 1`);

/** Rows per statement: an import of ten thousand definitions writes as many entries, each with its difference. */
const ROWS_AT_ONCE = 1_000;

/** Writes entries; as parts of the entry `partOf`, if given. */
export async function insertAuditEntries(tx: Transaction, entries: readonly AuditEntry[], partOf: number | null = null): Promise<void> {
  for (const some of inParts(entries, ROWS_AT_ONCE)) await insertSome(tx, some, partOf);
}

async function insertSome(tx: Transaction, entries: readonly AuditEntry[], partOf: number | null): Promise<void> {
  const rows = entries.map(rowOf);
  await tx`
    insert into audit_log (project_id, environment_id, user_id, actor, token, action, subject_kind, subject_key, difference, request_id, part_of)
    select "projectId", "environmentId", "userId", actor, token, action, "subjectKind", "subjectKey", nullif(difference, 'null'::jsonb),
      "requestId", ${partOf}::bigint
    from json_to_recordset(${writeJson(rows)}::text::json) as entry (
      "projectId" uuid, "environmentId" int, "userId" uuid, actor text, token text, action text, "subjectKind" text, "subjectKey" text, difference jsonb,
      "requestId" uuid)`;
}

/** Whether the change of an idempotent request was already made in an environment. */
export const hasRequest = (sql: Sql, environmentId: number, requestId: string) =>
  hasRow(sql<{ id: number }[]>`
    select id from audit_log where environment_id = ${environmentId} and request_id = ${requestId}`);

/** Writes an entry with the number of its parts by action, and returns its id. */
export async function insertWholeEntry(tx: Transaction, whole: WholeEntry, parts: Record<string, number>): Promise<number> {
  const { projectId, environmentId, userId, actor, token, action, subjectKind } = rowOf(whole);
  return onlyValue(tx<{ id: number }[]>`
    insert into audit_log (project_id, environment_id, user_id, actor, token, action, subject_kind, parts)
    values (${projectId}, ${environmentId}, ${userId}, ${actor}, ${token}, ${action}, ${subjectKind}, ${writeJson(parts)}::text::jsonb)
    returning id`);
}

const rowOf = <One extends WholeEntry>({ actor, ...entry }: One) => ({
  ...entry,
  userId: actor.userId,
  actor: actor.name,
  token: actor.token ?? null,
});

/** A change that people made to one subject. */
export type SubjectChange = Pick<AuditRow, "id" | "at" | "actor" | "action" | "difference">;

type Where = Pick<Environment, "id" | "projectId">;

const isAbout = (sql: Sql, { id, projectId }: Where, kind: string, key: string) => sql`
  project_id = ${projectId} and environment_id = ${id}::int and subject_kind = ${kind} and subject_key = ${key}`;

/** The changes to a subject of an environment below a cursor, newest first. `at` is real time. */
export const selectChangesOf = (sql: Sql, where: Where, kind: string, key: string, { at, id }: Below<number>, limit: number) =>
  sql<SubjectChange[]>`
    select id, at, actor, action, difference from audit_log
    where ${isAbout(sql, where, kind, key)} and (at, id) < (${at}, ${id}::bigint) order by at desc, id desc limit ${limit}::int`.execute();

/** The number of times that an action was taken on a subject of an environment. */
export const countChangesOf = (sql: Sql, where: Where, kind: string, key: string, action: string) =>
  onlyValue(sql<{ count: number }[]>`
    select count(*)::int as count from audit_log where ${isAbout(sql, where, kind, key)} and action = ${action}`);

/** The last entry of an action on a subject of an environment; null if there is none. */
export const selectLastOf = (sql: Sql, where: Where, kind: string, key: string, action: string) =>
  firstRow(sql<SubjectChange[]>`
    select id, at, actor, action, difference from audit_log
    where ${isAbout(sql, where, kind, key)} and action = ${action} order by id desc limit 1`);
