import type { Sql, Transaction } from "#db/client.ts";
import { ofParts } from "#db/scale/parts.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import type { CountRow } from "../../model/kernel/counts.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import { playersIn } from "./players.ts";

/** Appends sums without locks or updates: a job adds them up later (`insight/analytics/`). */
export async function writeCounts(sql: Sql, environmentId: number, rows: readonly CountRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, hour, count, amount)
    select ${environmentId}::int, r.epoch, r.measure, r.subject, r.detail, r.day, r.hour, r.count, r.amount
    from json_to_recordset(${writeJson(rows)}::text::json)
      as r("epoch" int, "measure" text, "subject" int, "detail" text, "day" date, "hour" smallint, "count" bigint, "amount" numeric)`;
}

/** A day on which a player had an event, with the hour of the first one that is applied. */
export interface ActiveDay extends PlayerKey {
  /** Local date of the project's zone. */
  day: string;
  hour: string;
}

/** A new day, and the state before the statement that added it. */
export interface NewDay extends ActiveDay {
  /** The player's first day; null for a new player. */
  firstBefore: string | null;
  wasActiveInWeek: boolean;
  wasActiveInMonth: boolean;
}

const columnOf = <Row>(rows: readonly Row[], value: (row: Row) => string | number) => arrayText(rows.map(value));

/**
 * Adds days after the last known day of their locked players. Each is new, so the insert has no conflict check, which would take twice as
 * long. `isLast` marks a player's latest day, which also goes into their row.
 */
export async function appendActiveDays(
  tx: Transaction,
  environmentId: number,
  days: readonly (ActiveDay & { isLast: boolean })[],
): Promise<void> {
  if (days.length === 0) return;
  await tx`
    with given as materialized (
      select * from unnest(${columnOf(days, ({ part }) => part)}::text::smallint[], ${columnOf(days, ({ playerId }) => playerId)}::text::uuid[],
        ${columnOf(days, ({ day }) => day)}::text::date[], ${columnOf(days, ({ hour }) => hour)}::text::smallint[],
        ${columnOf(days, ({ isLast }) => String(isLast))}::text::bool[]) as g(part, player_id, day, hour, is_last)
    ), added as (
      insert into player_days (part, player_id, environment_id, day, hour)
      select g.part, g.player_id, ${environmentId}::int, g.day, g.hour from given g
    )
    update players p set last_active_on = g.day from given g
    where g.is_last and p.part = g.part and p.player_id = g.player_id ${ofParts(tx, "p", days)}`;
}

export function firstDaysOf(tx: Transaction, players: readonly PlayerKey[]): Promise<(PlayerKey & { day: string })[]> {
  if (players.length === 0) return Promise.resolve([]);
  return tx<(PlayerKey & { day: string })[]>`
    select part, player_id, day::text as day from first_days(
      ${columnOf(players, ({ part }) => part)}::text::smallint[], ${columnOf(players, ({ playerId }) => playerId)}::text::uuid[])`.execute();
}

/** Adds days of locked players that may be known already; returns those that are new. Updates each player's last day in their row. */
export function addActiveDays(tx: Transaction, environmentId: number, days: readonly ActiveDay[]): Promise<NewDay[]> {
  if (days.length === 0) return Promise.resolve([]);
  return tx<NewDay[]>`
    with given as materialized (
      select * from unnest(${columnOf(days, ({ part }) => part)}::text::smallint[], ${columnOf(days, ({ playerId }) => playerId)}::text::uuid[],
        ${columnOf(days, ({ day }) => day)}::text::date[], ${columnOf(days, ({ hour }) => hour)}::text::smallint[]) as g(part, player_id, day, hour)
    ), added as (
      insert into player_days (part, player_id, environment_id, day, hour)
      select g.part, g.player_id, ${environmentId}::int, g.day, g.hour from given g order by 1, 2, 4
      on conflict do nothing
      returning part, player_id, day, hour
    ), moved as (
      update players p set last_active_on = g.day from (select part, player_id, max(day) as day from given group by 1, 2) g
      where p.part = g.part and p.player_id = g.player_id and (p.last_active_on is null or p.last_active_on < g.day) ${ofParts(tx, "p", days)}
    )
    select b.part, b.player_id, b.day::text as day, lpad(b.hour::text, 2, '0') as hour,
      b.first_before::text, b.was_active_in_week, b.was_active_in_month
    from (select array_agg(part) as parts, array_agg(player_id) as players, array_agg(day) as days, array_agg(hour) as hours from added) a
    cross join days_before(a.parts, a.players, a.days, a.hours) b`.execute();
}

/** The weeks in which players were active, by their Mondays. */
export function activeWeeksOf(tx: Transaction, players: readonly PlayerKey[]): Promise<(PlayerKey & { week: string })[]> {
  if (players.length === 0) return Promise.resolve([]);
  return tx<(PlayerKey & { week: string })[]>`
    select distinct d.part, d.player_id, date_trunc('week', d.day::timestamp)::date::text as week
    from ${playersIn(tx, players)}
    join player_days d on d.part = k.part and d.player_id = k."playerId" ${ofParts(tx, "d", players)}`.execute();
}
