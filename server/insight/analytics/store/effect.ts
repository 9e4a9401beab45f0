import { allValues, type Sql } from "#db/client.ts";
import { keysText } from "#server/engine/store/players.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

/** A player's activity between two instants, and a definition's payments to them. */
export interface PlayerFigures {
  activeDays: number;
  events: number;
  /** How often the chosen event occurred. */
  chosen: number;
  /** Points granted by missions, streaks and boards. */
  points: number;
  purchases: number;
  paidPoints: number;
}

export interface FiguresQuery {
  /** Instants, the end excluded, and the first and last local day, both included. */
  from: number;
  to: number;
  fromDay: string;
  toDay: string;
  eventId: number | null;
  definitionId: number;
}

const PLAYERS = `json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)`;

/** The figures of some players, by id. Each table is read by an index. The log has none by time, so all events of the players are read. */
export async function selectFigures(
  sql: Sql,
  players: readonly PlayerKey[],
  { from, to, fromDay, toDay, eventId, definitionId }: FiguresQuery,
): Promise<Map<string, PlayerFigures>> {
  const rows = await sql.unsafe<(PlayerFigures & { playerId: string })[]>(
    `select k."playerId" as player_id, d.active_days, e.events, e.chosen, t.points, b.purchases, t.paid_points
     from ${PLAYERS}
     cross join lateral (
       select count(*)::int as active_days from player_days d
       where d.part = k.part and d.player_id = k."playerId" and d.day >= $4::text::date and d.day <= $5::text::date) d
     cross join lateral (
       select count(*)::int as events, (count(*) filter (where e.definition_id = $6::int))::int as chosen from events e
       where e.part = k.part and e.player_id = k."playerId"
         and e.occurred_at >= to_timestamp($2::float8) and e.occurred_at < to_timestamp($3::float8)) e
     cross join lateral (
       select coalesce(sum(t.amount), 0)::bigint as points,
         coalesce(sum(t.amount) filter (where t.source_definition_id = $7::int), 0)::bigint as paid_points
       from points_transactions t
       where t.part = k.part and t.player_id = k."playerId" and t.type = 'Grant'
         and t.occurred_at >= to_timestamp($2::float8) and t.occurred_at < to_timestamp($3::float8)) t
     cross join lateral (
       select count(*)::int as purchases from marketplace_purchases b
       where b.part = k.part and b.player_id = k."playerId" and b.reversed_at is null
         and b.purchased_at >= to_timestamp($2::float8) and b.purchased_at < to_timestamp($3::float8)) b`,
    [keysText(players), from / 1000, to / 1000, fromDay, toDay, eventId, definitionId],
  );
  return new Map(rows.map(({ playerId, ...figures }) => [playerId, figures]));
}

/** Items that a player got from one source: a completion, a run or a period. */
export interface PaidItems {
  playerId: string;
  sourceId: string;
  quantity: number;
}

/** The items of one type of source that some players got between two instants. The quantity of a value that is not a number is one. */
export const selectItems = (
  sql: Sql,
  players: readonly PlayerKey[],
  sourceType: string,
  { from, to }: Pick<FiguresQuery, "from" | "to">,
): Promise<PaidItems[]> =>
  sql.unsafe<PaidItems[]>(
    `select o.player_id, o.source_id, sum(case when json_typeof(o.value) = 'number' then o.value::text::numeric else 1 end)::float8 as quantity
     from ${PLAYERS} join owed_items o on o.part = k.part and o.player_id = k."playerId" and o.source_type = $4
       and o.owed_at >= to_timestamp($2::float8) and o.owed_at < to_timestamp($3::float8)
     group by 1, 2`,
    [keysText(players), from / 1000, to / 1000, sourceType],
  );

/** Which of these occurrences are completions of a mission by some players. */
export async function selectOccurrences(
  sql: Sql,
  players: readonly PlayerKey[],
  missionId: number,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql.unsafe<{ occurrenceId: string }[]>(
    `select c.occurrence_id
     from ${PLAYERS} join mission_completions c on c.part = k.part and c.player_id = k."playerId"
       and c.occurrence_id = any($3::text::uuid[]) and c.mission_id = $2`,
    [keysText(players), missionId, arrayText(ids)],
  );
  return rows.map(({ occurrenceId }) => occurrenceId);
}

/** The starts of a board's periods. */
export const selectStarts = (sql: Sql, leaderboardId: number) =>
  allValues(sql<{ start: string }[]>`select start from leaderboard_periods where leaderboard_id = ${leaderboardId}`);
