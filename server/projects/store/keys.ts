import type { Sql, Transaction } from "../../../db/client.ts";

/** A key as it may be shown: what was kept of it. Instants are real time, epoch milliseconds. */
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

/** The keys of an environment, the newest first, revoked ones too. */
export const selectKeys = (sql: Sql, environmentId: number): Promise<ApiKeyRow[]> =>
  sql<ApiKeyRow[]>`
    select id, name, hint, (extract(epoch from created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from last_used_at) * 1000)::bigint as "lastUsedAt", (extract(epoch from revoked_at) * 1000)::bigint as "revokedAt"
    from api_keys where environment_id = ${environmentId} order by created_at desc, id`.execute();

/** The new key's id. */
export async function insertApiKey(
  tx: Transaction,
  key: { environmentId: number; name: string; hash: Buffer; hint: string },
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into api_keys (environment_id, name, hash, hint) values (${key.environmentId}, ${key.name}, ${key.hash}, ${key.hint})
    returning id`;
  return row!.id;
}

export type RevokedKey = Pick<ApiKeyRow, "id" | "name" | "hint">;

/** Revokes the keys of that name that are in force; which they were. */
export const revokeKeysNamed = (tx: Transaction, environmentId: number, name: string): Promise<RevokedKey[]> =>
  tx<RevokedKey[]>`
    update api_keys set revoked_at = now()
    where environment_id = ${environmentId} and name = ${name} and revoked_at is null returning id, name, hint`.execute();

/** Revokes one key; null where there is none of this id, or it was revoked before. */
export async function revokeKey(tx: Transaction, environmentId: number, id: string): Promise<RevokedKey | null> {
  const [row] = await tx<RevokedKey[]>`
    update api_keys set revoked_at = now()
    where environment_id = ${environmentId} and id = ${id} and revoked_at is null returning id, name, hint`;
  return row ?? null;
}
