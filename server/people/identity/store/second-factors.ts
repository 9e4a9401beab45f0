import { execute, firstRow, firstValue, hasRow, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import type { Browser } from "#server/model/identity/browser.ts";
import { type FactorRequirement, MAX_REMEMBERED, REMEMBERED_DAYS } from "#server/model/identity/second-factor.ts";

/** A second factor; null if there is none. Secrets are encrypted. */
export interface FactorRow {
  /** Null until the first code was given. */
  secret: string | null;
  pendingSecret: string | null;
  /** Epoch milliseconds. */
  confirmedAt: number | null;
  recoveryCodes: number;
}

export const selectFactor = (sql: Sql, userId: string) =>
  firstRow(sql<FactorRow[]>`
    select f.secret, f.pending_secret, f.confirmed_at,
      (select count(*)::int from recovery_codes c where c.user_id = f.user_id) as recovery_codes
    from second_factors f where f.user_id = ${userId}`);

/** Stores a secret until its first code, replacing an earlier one. */
export const upsertPendingFactor = (tx: Transaction, userId: string, pendingSecret: string) =>
  execute(tx`
    insert into second_factors (user_id, pending_secret) values (${userId}, ${pendingSecret})
    on conflict (user_id) do update set pending_secret = excluded.pending_secret`);

/** Makes the waiting secret the person's second factor; `step` is that of its first code. */
export const confirmFactor = (tx: Transaction, userId: string, step: number) =>
  execute(tx`
    update second_factors set secret = pending_secret, pending_secret = null, last_step = ${step}, confirmed_at = now()
    where user_id = ${userId} and pending_secret is not null`);

/** Whether the user `u` signs in with a password alone. */
export const lacksFactor = (sql: Sql) => sql`
  (u.password_hash is not null
    and not exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null))`;

/** Whether an organization requires a second factor of the user `u`. */
export const isFactorRequired = (sql: Sql) => sql`
  exists (
    select from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = u.id and (o.second_factor = 'everybody' or (o.second_factor = 'live' and ${mayChangeLive(sql)})))`;

/** Whether the membership `m` may change anything in Live: a Viewer there may not. */
const mayChangeLive = (sql: Sql) => sql`(m.role <> 'Viewer' and m.live_role is distinct from 'Viewer')`;

/** Whether some organization requires a second factor of a person. */
export const selectIsRequired = async (sql: Sql, userId: string) =>
  (await firstValue(sql<{ isRequired: boolean }[]>`select ${isFactorRequired(sql)} as is_required from users u where u.id = ${userId}`)) ??
  false;

/** An organization's requirement, the number of its members who sign in with a password alone, and how many of them may change Live. */
export interface RequirementRow {
  requirement: FactorRequirement | null;
  without: number;
  withoutInLive: number;
}

export const selectRequirement = (sql: Sql, organizationId: string) =>
  onlyRow(sql<RequirementRow[]>`
    select o.second_factor as requirement, count(distinct u.id)::int as without,
      count(distinct u.id) filter (where ${mayChangeLive(sql)})::int as without_in_live
    from organizations o
      left join (memberships m join users u on u.id = m.user_id and ${lacksFactor(sql)}) on m.organization_id = o.id
    where o.id = ${organizationId} group by o.id`);

export const updateRequirement = (tx: Transaction, organizationId: string, requirement: FactorRequirement | null) =>
  execute(tx`update organizations set second_factor = ${requirement} where id = ${organizationId}`);

/** Uses a code, once: false if one of that step or a later one was used. */
export const takeStep = (tx: Transaction, userId: string, step: number) =>
  hasRow(tx<{ id: string }[]>`
    update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning user_id as id`);

/** Uses a recovery code, once. */
export const takeRecoveryCode = (tx: Transaction, userId: string, hash: Buffer) =>
  hasRow(tx<{ id: string }[]>`
    delete from recovery_codes where user_id = ${userId} and hash = ${hash} returning user_id as id`);

export async function replaceRecoveryCodes(tx: Transaction, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${userId}`;
  await tx`
    insert into recovery_codes (user_id, hash)
    select ${userId}, decode(hash, 'hex') from unnest(${inHex(hashes)}::text[]) as hash`;
}

/** The driver can only send lists of texts. */
const inHex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString("hex"));

/** Deletes a second factor with its recovery codes; false if there was none in use. */
export async function deleteFactor(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx<{ confirmedAt: number | null }[]>`
    delete from second_factors where user_id = ${userId} returning confirmed_at`;
  return rows.some(({ confirmedAt }) => confirmedAt !== null);
}

/** Whether each of these people has a second factor. People without a password are left out. */
export async function selectFactorsOf(sql: Sql, userIds: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await sql<{ userId: string; hasFactor: boolean | null }[]>`
    select u.id as user_id, not ${lacksFactor(sql)} as has_factor
    from users u where u.id = any(${userIds as string[]}::uuid[]) and u.password_hash is not null`;
  return new Map(rows.map(({ userId, hasFactor }) => [userId, hasFactor === true]));
}

/** The secrets that are not encrypted under the current key, whose ciphertexts begin with `prefix`. */
export const selectFactorsUnlike = (sql: Sql, prefix: string): Promise<{ userId: string; email: string; secret: string | null }[]> =>
  sql<{ userId: string; email: string; secret: string | null }[]>`
    select f.user_id, u.email, f.secret from second_factors f join users u on u.id = f.user_id
    where not starts_with(f.secret, ${prefix}) order by u.email`.execute();

/** Replaces a secret unless it has changed meanwhile. */
export const exchangeFactor = (sql: Sql, userId: string, was: string, now: string) =>
  execute(sql`update second_factors set secret = ${now} where user_id = ${userId} and secret = ${was}`);

export interface DeviceRow extends Browser {
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}

/** The browsers in which a person signs in without a code, last used first. */
export const selectDevices = (sql: Sql, userId: string): Promise<DeviceRow[]> =>
  sql<DeviceRow[]>`
    select id, address, user_agent, created_at, last_used_at, expires_at
    from remembered_devices where user_id = ${userId} and expires_at > now()
    order by last_used_at desc, id`;

/** Remembers a browser; the least recently used ones beyond the bound are forgotten. */
export async function insertDevice(tx: Transaction, userId: string, tokenHash: Buffer, { address, userAgent }: Browser): Promise<void> {
  await tx`
    insert into remembered_devices (user_id, token_hash, expires_at, address, user_agent)
    values (${userId}, ${tokenHash}, now() + ${REMEMBERED_DAYS} * interval '1 day', ${address}, ${userAgent})`;
  await tx`
    delete from remembered_devices where id in (
      select id from remembered_devices where user_id = ${userId}
      order by expires_at > now() desc, last_used_at desc, id offset ${MAX_REMEMBERED})`;
}

/** Whether one of these tokens belongs to a remembered browser of that person; notes its use. */
export const useDevice = (tx: Transaction, userId: string, tokenHashes: readonly Buffer[]) =>
  hasRow(tx<{ id: string }[]>`
    update remembered_devices set last_used_at = now()
    where user_id = ${userId} and token_hash in (select decode(hash, 'hex') from unnest(${inHex(tokenHashes)}::text[]) as hash)
      and expires_at > now() returning id`);

/** Forgets one of a person's browsers, or with null all of them; returns their number. */
export async function deleteDevices(sql: Sql, userId: string, id: string | null = null): Promise<number> {
  const rows = await sql<{ id: string }[]>`
    delete from remembered_devices where user_id = ${userId} and (${id}::uuid is null or id = ${id}) returning id`;
  return rows.length;
}
