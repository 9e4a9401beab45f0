import { allValues, type Sql } from "#db/client.ts";
import { keysText } from "#server/engine/store/players.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import { inParts } from "#db/scale/parts.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

/** A player's activity between two instants, and a definition's payments to them. */
export interface PlayerFigures {
  activeDays: number;
  /** Metric events included. */
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
  /** The first instant of the events. */
  eventsFrom: number;
  fromDay: string;
  toDay: string;
  eventId: number | null;
  definitionId: number;
}

const PLAYERS = `json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)`;

export const NO_FIGURES: PlayerFigures = { activeDays: 0, events: 0, chosen: 0, points: 0, purchases: 0, paidPoints: 0 };

/**
 * The figures of some players, by id; a player without any is left out. Each table is read by an index. The logs have none by time, so all
 * events of the players are read.
 */
export async function selectFigures(
  sql: Sql,
  players: readonly PlayerKey[],
  { from, to, eventsFrom, fromDay, toDay, eventId, definitionId }: FiguresQuery,
): Promise<Map<string, PlayerFigures>> {
  type Row = { playerId: string } & Partial<PlayerFigures>;
  const of = (table: string, columns: string, where: string, values: (string | number | null)[]) =>
    sql.unsafe<Row[]>(
      `select t.player_id, ${columns} from ${PLAYERS}
       join ${table} t on t.part = k.part and t.player_id = k."playerId" ${inParts(sql, "t", players)}
       where ${where} group by t.part, t.player_id`,
      [keysText(players), ...values],
    );
  const isBetween = (column: string) => `t.${column} >= to_timestamp($2::float8) and t.${column} < to_timestamp($3::float8)`;
  const between = [from / 1000, to / 1000];
  const rows = await Promise.all([
    of("player_days", "count(*)::int as active_days", "t.day >= $2::text::date and t.day <= $3::text::date", [fromDay, toDay]),
    of("events", "count(*)::int as events, (count(*) filter (where t.definition_id = $4::int))::int as chosen", isBetween("occurred_at"), [
      eventsFrom / 1000,
      to / 1000,
      eventId,
    ]),
    of("metric_events", "count(*)::int as events", isBetween("occurred_at"), [eventsFrom / 1000, to / 1000]),
    of(
      "points_transactions",
      `coalesce(sum(t.amount), 0)::bigint as points,
        coalesce(sum(t.amount) filter (where t.source_definition_id = $4::int), 0)::bigint as paid_points`,
      `t.type = 'Grant' and ${isBetween("occurred_at")}`,
      [...between, definitionId],
    ),
    of("marketplace_purchases", "count(*)::int as purchases", `t.reversed_at is null and ${isBetween("purchased_at")}`, between),
  ]);
  const figures = new Map<string, PlayerFigures>();
  for (const { playerId, events = 0, ...some } of rows.flat()) {
    const known = figures.get(playerId) ?? NO_FIGURES;
    figures.set(playerId, { ...known, ...some, events: known.events + events });
  }
  return figures;
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
     from ${PLAYERS} join owed_items o on o.part = k.part and o.player_id = k."playerId" and o.source_type = $4 ${inParts(sql, "o", players)}
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
       and c.occurrence_id = any($3::text::uuid[]) and c.mission_id = $2 ${inParts(sql, "c", players)}`,
    [keysText(players), missionId, arrayText(ids)],
  );
  return rows.map(({ occurrenceId }) => occurrenceId);
}

/** The starts of a board's periods. */
export const selectStarts = (sql: Sql, leaderboardId: number) =>
  allValues(sql<{ start: string }[]>`select start from leaderboard_periods where leaderboard_id = ${leaderboardId}`);
