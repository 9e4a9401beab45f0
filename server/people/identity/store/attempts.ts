import { execute, type Sql, type Transaction } from "#db/client.ts";
import { type Attempts, FORGOTTEN_AFTER_MS } from "#server/model/identity/attempts.ts";

/** Locks subjects until the end of the transaction, with or without a row, in a fixed order to avoid deadlocks. */
export const lockSubjects = (tx: Transaction, subjects: readonly string[]) =>
  execute(tx`
    select pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended('sign-in ' || subject, 0) as key
      from unnest(${subjects as string[]}::text[]) as subject order by key
    ) as keys`);

/** Failed attempts by subject; a subject without any has no row. */
export async function selectSignInAttempts(sql: Sql, subjects: readonly string[]): Promise<Map<string, Attempts>> {
  const rows = await sql<(Attempts & { subject: string })[]>`
    select subject, failures, last_at, locked_until
    from sign_in_attempts where subject = any(${subjects as string[]}::text[])`;
  return new Map(rows.map(({ subject, ...attempts }) => [subject, attempts]));
}

export const saveAttempts = (tx: Transaction, subject: string, { failures, lastAt, lockedUntil }: Attempts) =>
  execute(tx`
    insert into sign_in_attempts (subject, failures, last_at, locked_until)
    values (${subject}, ${failures}, ${lastAt}::timestamptz, ${lockedUntil}::timestamptz)
    on conflict (subject) do update set
      failures = excluded.failures, last_at = excluded.last_at, locked_until = excluded.locked_until`);

export const deleteAttempts = (sql: Sql, subject: string) => execute(sql`delete from sign_in_attempts where subject = ${subject}`);

/** Deletes expired attempts, a few at a time. */
export const deleteForgotten = (sql: Sql) =>
  execute(sql`
    delete from sign_in_attempts where subject in (
      select subject from sign_in_attempts where last_at < now() - ${FORGOTTEN_AFTER_MS} * interval '1 millisecond'
      order by last_at limit 100 for update skip locked)`);

/**
 * Keeps this many of the latest attempts and deletes older ones. Each has cost a hash or a mail, so evicting an entry by flooding costs
 * more than waiting.
 */
export const keepLastAttempts = (sql: Sql, count: number) =>
  execute(sql`
    delete from sign_in_attempts
    where last_at <= (select last_at from sign_in_attempts order by last_at desc offset ${count} limit 1)`);
