import type { Sql, Transaction } from "../../../db/client.ts";
import { type Attempts, FORGOTTEN_AFTER_MS } from "../attempts.ts";

/** What was tried in vain, by subject; locked until the end of the transaction, in an order that no two transactions cross in. */
export async function lockAttempts(tx: Transaction, subjects: readonly string[]): Promise<Map<string, Attempts>> {
  const sorted = subjects.toSorted();
  await tx`
    insert into sign_in_attempts (subject, last_at) select subject, now() from unnest(${sorted}::text[]) as subject order by subject
    on conflict do nothing`;
  const rows = await tx<(Attempts & { subject: string })[]>`
    select subject, failures, (extract(epoch from last_at) * 1000)::bigint as "lastAt",
      (extract(epoch from locked_until) * 1000)::bigint as "lockedUntil"
    from sign_in_attempts where subject = any(${sorted}::text[]) order by subject for update`;
  return new Map(rows.map(({ subject, ...attempts }) => [subject, attempts]));
}

export async function saveAttempts(tx: Transaction, subject: string, { failures, lastAt, lockedUntil }: Attempts): Promise<void> {
  await tx`
    insert into sign_in_attempts (subject, failures, last_at, locked_until)
    values (${subject}, ${failures}, to_timestamp(${lastAt}::float8 / 1000), to_timestamp(${lockedUntil}::float8 / 1000))
    on conflict (subject) do update set
      failures = excluded.failures, last_at = excluded.last_at, locked_until = excluded.locked_until`;
}

export async function deleteAttempts(sql: Sql, subject: string): Promise<void> {
  await sql`delete from sign_in_attempts where subject = ${subject}`;
}

/** Forgets what lies long enough back, a few at a time. */
export async function deleteForgotten(sql: Sql): Promise<void> {
  await sql`
    delete from sign_in_attempts where subject in (
      select subject from sign_in_attempts where last_at < now() - ${FORGOTTEN_AFTER_MS} * interval '1 millisecond'
      order by last_at limit 100 for update skip locked)`;
}
