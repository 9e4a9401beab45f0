import { execute, firstRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";

/** A key without its secret. Instants are real time, epoch milliseconds. */
export interface ApiKeyRow {
  id: string;
  name: string;
  /** Its prefix and its last four characters. */
  hint: string;
  createdAt: number;
  /** To the minute; null before its first use. */
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** Keys in a list: all valid ones, then the newest revoked ones. */
const MAX_LISTED = 500;

/** The keys of an environment, newest first, including revoked ones. */
export const selectKeys = (sql: Sql, environmentId: number): Promise<ApiKeyRow[]> =>
  sql<ApiKeyRow[]>`
    select id, name, hint, created_at, last_used_at, revoked_at
    from (
      select * from api_keys where environment_id = ${environmentId}
      order by revoked_at is not null, created_at desc, id limit ${MAX_LISTED}
    ) listed
    order by created_at desc, id`.execute();

/** Valid keys of an environment. Locks its row until the transaction ends, so that concurrent creations see each other. */
export async function countKeysInForce(tx: Transaction, environmentId: number): Promise<number> {
  await tx`select from environments where id = ${environmentId} for no key update`;
  return onlyValue(tx<{ count: number }[]>`
    select count(*)::int as count from api_keys where environment_id = ${environmentId} and revoked_at is null`);
}

export const insertApiKey = (tx: Transaction, key: { environmentId: number; name: string; hash: Buffer; hint: string }) =>
  onlyValue(tx<{ id: string }[]>`
    insert into api_keys (environment_id, name, hash, hint) values (${key.environmentId}, ${key.name}, ${key.hash}, ${key.hint})
    returning id`);

export type RevokedKey = Pick<ApiKeyRow, "id" | "name" | "hint">;

/** Revokes one key; null if it is unknown or already revoked. */
export const revokeKey = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<RevokedKey[]>`
    update api_keys set revoked_at = now()
    where environment_id = ${environmentId} and id = ${id} and revoked_at is null returning id, name, hint`);

/** The result of every request's first query, by the hash of its key. */
export interface KeyRow extends Environment {
  hash: Buffer;
  keyId: string;
  isRevoked: boolean;
  isArchived: boolean;
  /** Whether its project is a test project. */
  isTest: boolean;
  /** Whether the log of requests keeps bodies. */
  keepsBodies: boolean;
  /** Whether `lastUsedAt` is more than a minute behind. */
  isUseDue: boolean;
  /** The database's clock, epoch milliseconds. */
  realNow: number;
}

/** The known keys among these, with their environments and the database's clock, in one round trip. Never cached. */
export async function selectKnownKeys(sql: Sql, hashes: readonly Buffer[]): Promise<KeyRow[]> {
  const list = `{${hashes.map((hash) => `"\\\\x${hash.toString("hex")}"`).join()}}`;
  const rows = await sql<KeyRow[]>`
    select k.hash, e.id, e.kind, p.organization_id, p.id as project_id, p.slug as project_slug, p.default_language, p.time_zone,
      e.definitions_version, e.clock_offset_ms, e.resets,
      coalesce(e.keeps_bodies, e.kind = 'sandbox') as keeps_bodies, k.id as key_id,
      k.revoked_at is not null as is_revoked, p.archived_at is not null as is_archived, p.test_of is not null as is_test,
      coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true) as is_use_due, clock_timestamp() as real_now
    from api_keys k join environments e on e.id = k.environment_id join projects p on p.id = e.project_id
    where k.hash = any(${list}::text::bytea[])`;
  return rows;
}

/** Notes that a key is in use, at most once a minute however many processes see it. */
export const touchKey = (sql: Sql, keyId: string) =>
  execute(sql`
    update api_keys set last_used_at = clock_timestamp()
    where id = ${keyId} and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)`);
