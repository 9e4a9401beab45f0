import type { Sql, Transaction } from "#db/client.ts";

export interface RetentionRow {
  eventDays: number | null;
  requestDays: number | null;
}

/** An environment's setting, and the instant before which its events may be deleted; null if unset. */
export async function selectRetention(sql: Sql, environmentId: number): Promise<(RetentionRow & { purgedBefore: number | null }) | null> {
  const [row] = await sql<(RetentionRow & { purgedBefore: number | null })[]>`
    select event_days as "eventDays", request_days as "requestDays", (extract(epoch from purged_before) * 1000)::bigint as "purgedBefore"
    from retention where environment_id = ${environmentId}`;
  return row ?? null;
}

/** Creates the row if necessary, and locks it until the transaction ends. */
export async function lockRetention(tx: Transaction, environmentId: number): Promise<RetentionRow> {
  await tx`insert into retention (environment_id) values (${environmentId}) on conflict do nothing`;
  const [row] = await tx<RetentionRow[]>`
    select event_days as "eventDays", request_days as "requestDays" from retention where environment_id = ${environmentId} for no key update`;
  return row!;
}

/** Ends a running pass, which uses the former setting. The next one starts with the next check. */
export async function updateRetention(
  tx: Transaction,
  environmentId: number,
  { eventDays, requestDays }: { eventDays: number | null; requestDays: number },
): Promise<void> {
  await tx`
    update retention set event_days = ${eventDays}, request_days = ${requestDays}, after_part = null, after_player_id = null, passed_at = null
    where environment_id = ${environmentId}`;
}

/** After a reset nothing counts as purged: no event was there before. */
export async function forgetPurge(tx: Transaction, environmentId: number): Promise<void> {
  await tx`
    update retention set purged_before = null, after_part = null, after_player_id = null, passed_at = null
    where environment_id = ${environmentId}`;
}
