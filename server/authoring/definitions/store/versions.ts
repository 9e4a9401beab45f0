import { firstRow, type Sql } from "#db/client.ts";
import type { Way } from "#server/model/definitions/contract.ts";

/** A stored version. `at` is real time, epoch milliseconds; `active` and `body` are null if it records a deletion. */
export interface VersionRow {
  version: number;
  active: boolean | null;
  body: object | null;
  actor: string | null;
  token: string | null;
  via: Way;
  at: number;
  /** The change request that it came from, and who approved that; null for any other change. */
  requestId: string | null;
  approver: string | null;
}

interface Which {
  environmentId: number;
  kind: string;
  key: string;
}

/** The newest versions below the number `before`, at most `limit`. */
export const loadVersions = (sql: Sql, { environmentId, kind, key }: Which, before: number, limit: number): Promise<VersionRow[]> =>
  sql<VersionRow[]>`
    select version, active, body, actor, token, via, at, request_id, approver
    from definition_versions
    where environment_id = ${environmentId}::int and kind = ${kind} and key = ${key} and version < ${before}::int
    order by version desc limit ${limit}::int`.execute();

/** One version; null if the number is unknown. */
export const loadVersion = (sql: Sql, { environmentId, kind, key }: Which, version: number) =>
  firstRow(sql<VersionRow[]>`
    select version, active, body, actor, token, via, at, request_id, approver
    from definition_versions
    where environment_id = ${environmentId}::int and kind = ${kind} and key = ${key} and version = ${version}::int`);

/** The author and time of the newest version; null if there is none. */
export const newestVersion = (sql: Sql, environmentId: number, kind: string, key: string | null) =>
  firstRow(sql<{ actor: string | null; at: number }[]>`
    select actor, at from definition_versions
    where environment_id = ${environmentId}::int and kind = ${kind} and key = ${key} order by version desc limit 1`);
