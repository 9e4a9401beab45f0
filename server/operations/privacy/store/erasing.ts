import { allValues, execute, firstValue, hasRow, type Sql, type Transaction } from "#db/client.ts";
import { tablesWhere } from "#db/tables.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { boardLaneOf } from "#server/model/kernel/lanes.ts";
import { forgetPlayer } from "#server/insight/request-log/service/purge.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { anySpellingOf } from "#server/model/players/spelling.ts";
import { externalIdUpTo } from "#server/game/players/service/players.ts";

export interface Erased extends PlayerKey {
  environmentId: number;
  projectId: string;
  externalId: string;
}

export const isThere = (tx: Transaction, { part, playerId }: PlayerKey): Promise<boolean> =>
  hasRow(tx<{ part: number }[]>`select part from players where part = ${part} and player_id = ${playerId}`);

/** The key of a leaderboard with a period that is being settled and includes the player; null if none. */
export const settlingBoardOf = (tx: Transaction, { part, playerId }: PlayerKey) =>
  firstValue(tx<{ key: string }[]>`
    select d.key from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
    where p.step not in ('Open', 'Ended', 'Settled') and p.id in (
      select period_id from leaderboard_scores where part = ${part} and player_id = ${playerId}
      union select period_id from leaderboard_contributions where part = ${part} and player_id = ${playerId}
      union select period_id from leaderboard_seats where part = ${part} and player_id = ${playerId})
    order by d.key limit 1`);

/** Removes a player from unsettled boards, scores and rank counts alike. Scores of a hidden player are on no board, and are deleted. */
export async function leaveOpenBoards(tx: Transaction, { part, playerId }: PlayerKey): Promise<void> {
  for (const table of ["leaderboard_scores", "leaderboard_contributions", "leaderboard_seats"] as const)
    await tx`delete from ${tx(table)} where part = ${part} and player_id = ${playerId} and period_id < 0`;
  await tx`
    delete from leaderboard_seats s using leaderboard_periods p
    where s.part = ${part} and s.player_id = ${playerId} and p.id = s.period_id and p.step in ('Open', 'Ended')`;
  const gone = await tx<{ periodId: number; score: string }[]>`
    delete from leaderboard_scores s using leaderboard_periods p
    where s.part = ${part} and s.player_id = ${playerId} and p.id = s.period_id and p.step in ('Open', 'Ended')
    returning s.period_id, s.sort_score::text as score`;
  // Ordered, like all writers of counts.
  for (const { periodId, score } of gone.toSorted((a, b) => a.periodId - b.periodId))
    await tx`select leaderboard_count_changes(${periodId}::int, array[${boardLaneOf(part)}::int], array[${score}::text::numeric], array[-1])`;
}

/** Anonymizes the rows that are kept, and assigns them to a random owner. */
export async function makeAnonymous(tx: Transaction, { environmentId, part, playerId }: Erased, owner: string): Promise<void> {
  await tx`
    update points_transactions set reason = null, idempotency_key = null where part = ${part} and player_id = ${playerId}`;
  await tx`
    update marketplace_purchases set idempotency_key = null, reversal_reason = null where part = ${part} and player_id = ${playerId}`;
  await tx`update mission_completions set objectives = '[]' where part = ${part} and player_id = ${playerId}`;
  // The deliveries of these items are deleted; the integrity check looks for those of items with an endpoint.
  await tx`update owed_items set endpoint_id = null where part = ${part} and player_id = ${playerId}`;
  for (const table of tablesWhere({ erasure: "kept" }))
    await tx`update ${tx(table)} set player_id = ${owner}::uuid where part = ${part} and player_id = ${playerId}`;
  await tx`insert into anonymous_owners (environment_id, part, player_id) values (${environmentId}, ${part}, ${owner}::uuid)`;
}

export async function deleteRows(tx: Transaction, { environmentId, part, playerId, externalId }: Erased): Promise<void> {
  for (const table of tablesWhere({ erasure: "deleted" }))
    await tx`delete from ${tx(table)} where part = ${part} and player_id = ${playerId}`;
  await tx`delete from quarantined_facts where environment_id = ${environmentId} and part = ${part} and player_id = ${playerId}`;
  await tx`
    update recent_facts set facts = (
      select coalesce(jsonb_agg(fact order by place), '[]') from jsonb_array_elements(facts) with ordinality as all_of_them (fact, place)
      where fact ->> 'playerId' <> ${playerId}::text)
    where environment_id = ${environmentId} and facts @> ${writeJson([{ playerId }])}::text::jsonb`;
  // Of a segment that was switched off, the former members have the generations before.
  await tx`
    delete from segment_members m using segment_counts c
    where c.environment_id = ${environmentId} and m.segment_id = c.segment_id and m.generation in (c.generation, c.building, c.building - 1, c.building - 2)
      and m.part = ${part} and m.player_id = ${playerId}`;
  await tx`delete from import_lines where environment_id = ${environmentId} and external_id = ${externalId}`;
  await forgetPlayer(tx, environmentId, { part, playerId });
  await tx`delete from players where part = ${part} and player_id = ${playerId}`;
  await moveCursors(tx, environmentId, externalId);
}

/** Imports whose whole file has been read: they get no more lines. */
export const importsRead = (tx: Transaction, { environmentId }: Erased) =>
  allValues(tx<{ id: string }[]>`
    select id from imports where environment_id = ${environmentId} and status not in ('Uploading', 'Checking')`);

/** Deletes unreadable lines whose text names the player, except those of the imports in `except`. Such lines have no player. */
export const deleteUnreadable = (tx: Transaction, { environmentId, externalId }: Erased, except: readonly string[] = []) =>
  execute(tx`
    delete from import_lines where environment_id = ${environmentId} and external_id = ''
      and import_id in (select id from imports where environment_id = ${environmentId} and id <> all(${except as string[]}::uuid[]))
      and (strpos(item::text, ${writeJson(externalId).slice(1, -1)}::text) > 0 or item ->> 'text' ~ ${anySpellingOf(externalId)}::text)`);

/** Moves the cursors of counts and fills from the player to the one before: as the player is gone, nothing is read twice. */
async function moveCursors(tx: Transaction, environmentId: number, externalId: string): Promise<void> {
  const before = await externalIdUpTo(tx, environmentId, externalId);
  for (const table of ["segment_counts", "leaderboard_fills"] as const)
    await tx`update ${tx(table)} set last_external_id = ${before} where environment_id = ${environmentId} and last_external_id = ${externalId}`;
}

/** Deletes deliveries and attempts that name the player, sent or not, for existing or deleted endpoints; an index finds them. */
export async function deleteDeliveries(tx: Transaction, { environmentId, externalId }: Erased): Promise<void> {
  const about = tx`d.environment_id = ${environmentId} and d.data ->> 'playerExternalId' = ${externalId}`;
  // Locked first: an attempt is recorded with its delivery locked, and a waiting record then finds it gone.
  await tx<{ id: string }[]>`select d.id from webhook_deliveries d where ${about} for update`;
  await tx`
    with gone as (delete from webhook_deliveries d where ${about} returning d.id),
      attempts as (delete from webhook_attempts a using gone where a.delivery_id = gone.id)
    delete from webhook_answers w using gone where w.delivery_id = gone.id`;
  // Copies of these wait for programs that listen to a Sandbox.
  await tx`delete from webhook_copies where environment_id = ${environmentId} and data ->> 'playerExternalId' = ${externalId}`;
}

/**
 * Removes a player's id, names and reasons from the audit log, and test webhooks about them; what kind of change was made, by whom and
 * when, stays.
 */
export const blankAuditLog = (tx: Transaction, { projectId, environmentId, part, playerId, externalId }: Erased) =>
  execute(tx`
    update audit_log set subject_key = null, difference = null
    where project_id = ${projectId} and environment_id = ${environmentId}::int and (
      subject_kind = 'player' and subject_key = ${externalId}
      or subject_kind = 'webhook' and difference @> ${writeJson([{ value: { playerExternalId: externalId } }])}::text::jsonb
      or subject_kind = 'purchase' and subject_key in (
        select id::text from marketplace_purchases where part = ${part} and player_id = ${playerId} and reversed_at is not null))`);

export const insertErasure = (
  sql: Sql,
  { environmentId, part, playerId }: PlayerKey & { environmentId: number },
  at: number,
  actor: string,
) =>
  execute(sql`
    insert into erasures (part, player_id, environment_id, erased_at, actor)
    values (${part}, ${playerId}, ${environmentId}, ${at}::timestamptz, ${actor})
    on conflict do nothing`);

/** An erasure. The instant is on the environment's clock, epoch milliseconds. */
export interface ErasureRow extends PlayerKey {
  environmentId: number;
  erasedAt: number;
}

/** An environment's erasures, in the order in which they were done. */
export const selectErasures = (sql: Sql, environmentId: number): Promise<ErasureRow[]> =>
  sql<ErasureRow[]>`
    select environment_id, part, player_id, erased_at from erasures
    where environment_id = ${environmentId} order by erased_at, part, player_id`.execute();

export const isRecorded = (sql: Sql, { part, playerId, erasedAt }: ErasureRow) =>
  hasRow(
    sql<{ part: number }[]>`
      select part from erasures where part = ${part} and player_id = ${playerId} and erased_at = ${erasedAt}::timestamptz`,
  );

/** The external id of a player who exists despite their erasure; null if there is none, or only one created later. */
export const findErased = (sql: Sql, { environmentId, part, playerId, erasedAt }: ErasureRow) =>
  firstValue(sql<{ externalId: string }[]>`
    select external_id from players
    where part = ${part} and player_id = ${playerId} and environment_id = ${environmentId}
      and created_at <= ${erasedAt}`);

/** The players that lines of imports are about. */
export const importedIds = (sql: Sql, environmentId: number) =>
  allValues(sql<{ id: string }[]>`
    select distinct external_id as id from import_lines where environment_id = ${environmentId} and external_id <> ''`);

/** Deletes a player's lines of imports that were made up to a real time. */
export const deleteImported = (sql: Sql, environmentId: number, externalId: string, until: number) =>
  execute(sql`
    delete from import_lines where environment_id = ${environmentId} and external_id = ${externalId}
      and import_id in (select id from imports where environment_id = ${environmentId} and created_at <= ${until}::timestamptz)`);
