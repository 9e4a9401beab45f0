import { execute, firstRow, hasRow, type Sql } from "#db/client.ts";
import type { Browser } from "#server/model/identity/browser.ts";
import { PROOF_MS } from "#server/model/identity/second-factor.ts";
import { isFactorRequired, lacksFactor } from "./second-factors.ts";

export interface SessionRow extends Browser {
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
}

const LASTS_DAYS = 30;

/** Creates a session and returns its id. Also deletes expired sessions, and the person's oldest ones beyond the limit. */
export async function insertSession(sql: Sql, userId: string, { address, userAgent }: Browser, isByProvider = false): Promise<string> {
  await sql`delete from sessions where expires_at <= now()`;
  const [row] = await sql<{ id: string }[]>`
    insert into sessions (user_id, expires_at, address, user_agent, is_by_provider)
    values (${userId}, now() + ${LASTS_DAYS} * interval '1 day', ${address}, ${userAgent}, ${isByProvider})
    returning id`;
  await endOldest(sql, userId);
  return row!.id;
}

/** Notes that the person has just proved their identity in a session. */
export const updateProof = (sql: Sql, sessionId: string) => execute(sql`update sessions set proved_at = now() where id = ${sessionId}`);

/** Bounded, since a person's sessions are listed without pages. */
const MAX_SESSIONS = 100;

/** Ends a person's least recently used sessions beyond the limit. */
const endOldest = (sql: Sql, userId: string) =>
  execute(sql`
    delete from sessions where id in (
      select id from sessions where user_id = ${userId} order by last_seen_at desc, created_at desc, id offset ${MAX_SESSIONS})`);

/** Notes that a session is in use, at most once in five minutes. */
export const touchSession = (sql: Sql, sessionId: string) =>
  execute(sql`update sessions set last_seen_at = now() where id = ${sessionId} and last_seen_at < now() - interval '5 minutes'`);

/** A person's sessions, most recently used first. */
export const selectSessions = (sql: Sql, userId: string): Promise<SessionRow[]> =>
  sql<SessionRow[]>`
    select id, address, user_agent, created_at, last_seen_at, expires_at
    from sessions where user_id = ${userId} and expires_at > now()
    order by last_seen_at desc, id`;

/** Ends a session; if `userId` is given, only a session of that person. */
export const deleteSession = (sql: Sql, sessionId: string, userId: string | null = null) =>
  hasRow(
    sql<{ id: string }[]>`delete from sessions where id = ${sessionId} and (${userId}::uuid is null or user_id = ${userId}) returning id`,
  );

/** Ends a person's sessions except `exceptId`, and returns their number. */
export async function deleteSessionsOf(sql: Sql, userId: string, exceptId: string | null = null): Promise<number> {
  const rows = await sql<
    { id: string }[]
  >`delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}::uuid returning id`;
  return rows.length;
}

/** The person of a session that has not ended. */
export interface PersonRow {
  sessionId: string;
  userId: string;
  email: string;
  /** Whether `lastSeenAt` is more than five minutes behind. */
  isUseDue: boolean;
  /** Whether the last proof of their identity is too old for sensitive calls. */
  isProofOld: boolean;
  /** Whether they have to set up a second factor before anything else. */
  isFactorDue: boolean;
}

export const selectPerson = (sql: Sql, sessionId: string) =>
  firstRow(sql<PersonRow[]>`
    select s.id as session_id, u.id as user_id, u.email, s.last_seen_at < now() - interval '5 minutes' as is_use_due,
      s.proved_at < now() - ${PROOF_MS} * interval '1 millisecond' as is_proof_old,
      not s.is_by_provider and ${lacksFactor(sql)} and ${isFactorRequired(sql)} as is_factor_due
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and s.expires_at > now()`);
