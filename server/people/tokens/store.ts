import { affected, execute, firstRow, firstValue, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import type { Role, RoleWithLive } from "../../model/kernel/environment.ts";
import type { CallingToken, TokenEnvironment } from "../../model/tokens/token.ts";

/** The result of every call's first query, by the hash of its token. */
export interface HeldToken extends CallingToken {
  userId: string;
  email: string;
  isExpired: boolean;
  isRevoked: boolean;
  /** Whether `lastUsedAt` is more than a minute behind. */
  isUseDue: boolean;
}

/** A token with its maker and its bounds; null if unknown. Never cached. */
export const selectHeldToken = (sql: Sql, hash: Buffer) =>
  firstRow(sql<HeldToken[]>`
    select t.id, t.name, t.role, t.environment, p.id as project_id, p.slug as project_slug, u.id as user_id, u.email, t.expires_at,
      t.expires_at <= now() as is_expired, t.revoked_at is not null as is_revoked,
      coalesce(t.last_used_at < clock_timestamp() - interval '1 minute', true) as is_use_due
    from personal_tokens t
      join memberships m on m.id = t.membership_id
      join users u on u.id = m.user_id
      join projects p on p.id = t.project_id
    where t.hash = ${hash}`);

/** Notes that a token is in use, at most once a minute however many processes see it. */
export const touchToken = (sql: Sql, id: string) =>
  execute(sql`
    update personal_tokens set last_used_at = clock_timestamp()
    where id = ${id} and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)`);

/** A token without its secret. Instants are real time, epoch milliseconds. */
export interface TokenRow {
  id: string;
  /** The maker's address. */
  maker: string;
  makerId: string;
  name: string;
  /** Its prefix and its last four characters. */
  hint: string;
  role: Role;
  environment: TokenEnvironment | null;
  createdAt: number;
  expiresAt: number;
  isExpired: boolean;
  /** To the minute; null before its first use. */
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/**
 * The tokens of a project, or only those made by `makerId`: valid ones, then ended ones, each newest first; at most `limit`.
 */
export const selectTokens = (sql: Sql, projectId: string, makerId: string | null, limit: number): Promise<TokenRow[]> =>
  sql<TokenRow[]>`
    select t.id, u.email as maker, u.id as maker_id, t.name, t.hint, t.role, t.environment, t.created_at, t.expires_at,
      t.expires_at <= now() as is_expired, t.last_used_at, t.revoked_at
    from personal_tokens t join memberships m on m.id = t.membership_id join users u on u.id = m.user_id
    where t.project_id = ${projectId} and (${makerId}::uuid is null or m.user_id = ${makerId})
    order by t.revoked_at is null and t.expires_at > now() desc, t.created_at desc, t.id limit ${limit}`.execute();

/** A person's memberships that apply to a project, locked until the end of the transaction. */
export const lockMembershipsIn = (
  tx: Transaction,
  userId: string,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<({ id: string } & RoleWithLive)[]> =>
  tx<({ id: string } & RoleWithLive)[]>`
    select id, role, live_role from memberships
    where user_id = ${userId} and organization_id = ${organizationId} and (project_id is null or project_id = ${projectId})
    order by id for update`.execute();

/**
 * Locks a person and a project, so that concurrent creations see each other; false if the session has ended. A password reset locks the
 * person too, so a token is either revoked by it or never created.
 */
export async function lockMaker(tx: Transaction, projectId: string, { userId, sessionId }: TokenMaker): Promise<boolean> {
  await tx`select from users where id = ${userId} for no key update`;
  await tx`select from projects where id = ${projectId} for no key update`;
  if (sessionId === undefined) return true;
  return (await tx`select from sessions where id = ${sessionId} and expires_at > now()`).length > 0;
}

/** The person whose token is created. `sessionId` is undefined if the operator creates it. */
export interface TokenMaker {
  userId: string;
  sessionId?: string;
}

/** The number of valid tokens in a project, the person's among them, and all that the person created within a day. */
export const countTokens = (tx: Transaction, projectId: string, userId: string) =>
  onlyRow(tx<{ inProject: number; own: number; ofDay: number }[]>`
    select
      (select count(*)::int from personal_tokens where project_id = ${projectId} and revoked_at is null and expires_at > now()) as in_project,
      count(*) filter (where t.project_id = ${projectId} and t.revoked_at is null and t.expires_at > now())::int as own,
      count(*) filter (where t.created_at > now() - interval '1 day')::int as of_day
    from personal_tokens t join memberships m on m.id = t.membership_id where m.user_id = ${userId}`);

export interface NewToken extends Pick<TokenRow, "environment" | "name" | "hint" | "role"> {
  membershipId: string;
  projectId: string;
  hash: Buffer;
  days: number;
}

/** Stores a token and returns its expiry in epoch milliseconds; null if a token of this hash exists. */
export const insertToken = (tx: Transaction, token: NewToken) =>
  firstValue(tx<{ expiresAt: number }[]>`
    insert into personal_tokens (membership_id, project_id, environment, name, hash, hint, role, expires_at)
    values (${token.membershipId}, ${token.projectId}, ${token.environment}, ${token.name}, ${token.hash}, ${token.hint}, ${token.role},
      now() + ${token.days} * interval '1 day')
    on conflict (hash) do nothing
    returning expires_at`);

/** Revokes a valid token of a project, only of the person `makerId` if given; null if there is none of this id. */
export const revokeTokenRow = (tx: Transaction, projectId: string, id: string, makerId: string | null) =>
  firstRow(tx<{ name: string; hint: string }[]>`
    update personal_tokens t set revoked_at = now() from memberships m
    where m.id = t.membership_id and t.project_id = ${projectId} and t.id::text = ${id}
      and (${makerId}::uuid is null or m.user_id = ${makerId}) and t.revoked_at is null and t.expires_at > now()
    returning t.name, t.hint`);

/** Revokes all valid tokens of a person; returns their number. */
export const revokeTokenRowsOf = (tx: Transaction, userId: string) =>
  affected(tx`
    update personal_tokens t set revoked_at = now() from memberships m
    where m.id = t.membership_id and m.user_id = ${userId} and t.revoked_at is null and t.expires_at > now()`);
