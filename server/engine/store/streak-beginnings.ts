import { allValues, firstValue, type Sql, type Transaction } from "#db/client.ts";
import { ofParts } from "#db/scale/parts.ts";
import { playersIn } from "./players.ts";
import type { StreakBeginningEffect } from "../../model/rules/effects.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { FINE_LANE, fineLaneOf } from "../../model/kernel/lanes.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { StreakKey } from "./streaks.ts";

/** A period that has qualified before it begins. */
export type BeginningRow = PlayerKey & { environmentId: number } & Omit<StreakBeginningEffect, "kind">;

/** Schedules periods for when they begin, replacing earlier due times. */
export async function saveBeginnings(tx: Transaction, rows: readonly BeginningRow[]): Promise<void> {
  if (rows.length === 0) return;
  // A player's period is listed once for each event that qualifies it again; the last entry says when it begins.
  const each = [...new Map(rows.map((row) => [`${row.playerId}/${row.streakId}/${row.start}`, row])).values()];
  await tx`
    insert into streak_beginnings (part, player_id, streak_id, start, environment_id, due_at)
    select part, "playerId", "streakId", start, "environmentId", to_timestamp("beginsAt" / 1000)
    from json_to_recordset(${writeJson(each)}::text::json)
      as r("part" smallint, "playerId" uuid, "streakId" int, "start" date, "environmentId" int, "beginsAt" float8)
    order by part, "playerId", "streakId", start
    on conflict (part, player_id, streak_id, start) do update set due_at = excluded.due_at`;
}

/** The environments in which a period has begun, on their clocks. */
export const environmentsWithBegun = (sql: Sql) =>
  allValues(sql<{ id: number }[]>`
    select id from environments_with_begun_periods() id`);

/** When the first waiting period of an environment begins, on its clock; null if there is none. */
export const firstBeginning = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ at: number | null }[]>`
    select min(due_at) as at from streak_beginnings where environment_id = ${environmentId}`);

/**
 * Queues periods that have begun as facts of this instant, and returns their count. The caller must hold the environment's players. Rows
 * locked by another process are skipped.
 */
export async function queueBegun(tx: Transaction, environmentId: number, limit: number): Promise<number> {
  const rows = await tx<{ seq: number }[]>`
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload)
    select ${tx.unsafe(FINE_LANE)}, ${environmentId}::int, nextval('fact_seq'), part, player_id, 'streakPeriod', gen_random_uuid(), streak_id,
      date_trunc('milliseconds', at), date_trunc('milliseconds', at), json_build_object('start', start)
    from take_begun_periods(${environmentId}::int, ${limit}::int) returning seq`;
  return rows.length;
}

/** The qualified periods of some players that do not count yet: those due, and those queued. */
export function uncounted(tx: Transaction, players: readonly PlayerKey[]): Promise<(StreakKey & { start: string })[]> {
  return tx<(StreakKey & { start: string })[]>`
    with k as materialized (select * from ${playersIn(tx, players)})
    select b.part, b.player_id, b.streak_id, b.start::text as start
    from k join streak_beginnings b on b.part = k.part and b.player_id = k."playerId" ${ofParts(tx, "b", players)}
    union all
    select q.part, q.player_id, q.definition_id, q.payload ->> 'start'
    from k join queued_facts q on q.part = k.part and q.player_id = k."playerId" and q.kind = 'streakPeriod'
    union all
    select q.part, q.player_id, q.definition_id, q.payload ->> 'start'
    from k join quarantined_facts q on q.part = k.part and q.player_id = k."playerId" and q.kind = 'streakPeriod'`.execute();
}

/** Queues periods of a player as facts of this instant, in order; once applied they count for runs. The caller holds the player's lock. */
export async function queuePeriods(
  tx: Transaction,
  environmentId: number,
  { part, playerId }: PlayerKey,
  streakId: number,
  starts: readonly string[],
  at: number,
): Promise<void> {
  for (const start of starts)
    await tx`
      insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload)
      values (${fineLaneOf(part)}, ${environmentId}, nextval('fact_seq'), ${part}, ${playerId}, 'streakPeriod', gen_random_uuid(), ${streakId},
        ${at}::timestamptz, ${at}::timestamptz, json_build_object('start', ${start}::text))`;
}
