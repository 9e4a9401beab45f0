import type { Sql } from "#db/client.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** A row of an export as JSON text, digit for digit; `place` is the cursor of the page after it. */
export interface ExportedRow {
  place: string;
  json: string;
}

type ReadSection = (sql: Sql, key: PlayerKey, after: string, limit: number) => Promise<ExportedRow[]>;

const FIRST_UUID = "00000000-0000-0000-0000-000000000000";
const uuid = (after: string): string => (after === "" ? FIRST_UUID : after);
const number = (after: string): number => (after === "" ? -1 : Number(after));

/** A definition's name in an export: its key; null if it was deleted. */
const keyOf = (sql: Sql, column: string) => sql`(select d.key from definitions d where d.id = ${sql(column)})`;

/**
 * All stored data of a player, a section per table, in pages by the table's key. Instants are on the environment's clock. Distributed
 * tables come first, then, on a cluster, the coordinator's.
 */
export const SECTIONS = {
  profile: (sql, { part, playerId }, after) =>
    sql<ExportedRow[]>`
      select external_id as place, json_build_object('externalId', external_id, 'displayName', display_name, 'timeZone', time_zone, 'firstSeenAt', created_at,
        'hiddenFromLeaderboardsSince', hidden_at)::text as json
      from players where part = ${part} and player_id = ${playerId} and ${after} = ''`.execute(),

  attributes: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from attribute_values where part = ${part} and player_id = ${playerId} and attribute_id > ${number(after)}::int
        order by attribute_id limit ${limit}::int
      )
      select attribute_id::text as place,
        json_build_object('attribute', ${keyOf(sql, "attribute_id")}, 'value', value, 'since', occurred_at)::text as json
      from page order by attribute_id`.execute(),

  metricTotals: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from metric_totals where part = ${part} and player_id = ${playerId} and definition_id > ${number(after)}::int
        order by definition_id limit ${limit}::int
      )
      select definition_id::text as place, json_build_object('metric', ${keyOf(sql, "definition_id")}, 'total', total)::text as json
      from page order by definition_id`.execute(),

  balance: (sql, { part, playerId }, after) =>
    sql<ExportedRow[]>`
      select 'balance' as place, json_build_object('balance', balance, 'earned', total_granted, 'spent', total_spent)::text as json
      from balances where part = ${part} and player_id = ${playerId} and ${after} = ''`.execute(),

  events: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from events where part = ${part} and player_id = ${playerId} and id > ${uuid(after)}::uuid
        order by id limit ${limit}::int
      )
      select id::text as place, json_build_object('id', id, 'event', ${keyOf(sql, "definition_id")}, 'occurredAt', occurred_at,
        'receivedAt', received_at, 'properties', properties)::text as json
      from page order by id`.execute(),

  metricEvents: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from metric_events where part = ${part} and player_id = ${playerId} and id > ${uuid(after)}::uuid
        order by id limit ${limit}::int
      )
      select id::text as place, json_build_object('id', id, 'metric', ${keyOf(sql, "definition_id")}, 'occurredAt', occurred_at,
        'receivedAt', received_at, 'value', value, 'currencyCode', currency_code, 'exchangeRate', exchange_rate,
        'normalizedValue', normalized_value, 'properties', properties)::text as json
      from page order by id`.execute(),

  transactions: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      select id::text as place, json_build_object('id', id, 'type', type, 'amount', amount, 'reason', reason, 'sourceType', source_type,
        'sourceId', source_id, 'idempotencyKey', idempotency_key, 'occurredAt', occurred_at)::text as json
      from points_transactions where part = ${part} and player_id = ${playerId} and id > ${uuid(after)}::uuid
      order by id limit ${limit}::int`.execute(),

  completedMissions: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from mission_completions where part = ${part} and player_id = ${playerId} and occurrence_id > ${uuid(after)}::uuid
        order by occurrence_id limit ${limit}::int
      )
      select occurrence_id::text as place, json_build_object('occurrenceId', occurrence_id, 'mission', ${keyOf(sql, "mission_id")},
        'occurrenceNumber', occurrence_number, 'startedAt', started_at, 'acceptedAt', accepted_at, 'completedAt', completed_at,
        'rewards', rewards)::text as json
      from page order by occurrence_id`.execute(),

  purchases: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      select id::text as place, json_build_object('id', id, 'listing', listing_key, 'name', name, 'contents', contents, 'price', price,
        'purchasedAt', purchased_at, 'reversedAt', reversed_at, 'reversalReason', reversal_reason)::text as json
      from marketplace_purchases where part = ${part} and player_id = ${playerId} and id > ${uuid(after)}::uuid
      order by id limit ${limit}::int`.execute(),

  items: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      select id::text as place, json_build_object('id', id, 'catalogItem', catalog_item_key, 'value', value, 'sourceType', source_type,
        'sourceId', source_id, 'owedAt', owed_at)::text as json
      from owed_items where part = ${part} and player_id = ${playerId} and id > ${uuid(after)}::uuid order by id limit ${limit}::int`.execute(),

  streakRuns: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from streak_runs where part = ${part} and player_id = ${playerId}
        and (${after} = '' or (streak_id, origin) > (split_part(${after}, ' ', 1)::int, nullif(split_part(${after}, ' ', 2), '')::date))
        order by streak_id, origin limit ${limit}::int
      )
      select streak_id || ' ' || origin as place, json_build_object('streak', ${keyOf(sql, "streak_id")}, 'first', first, 'last', last,
        'length', length, 'freezes', freezes, 'paidMilestones', paid)::text as json
      from page order by streak_id, origin`.execute(),

  leaderboards: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with own as materialized (
        select abs(s.period_id) as period_id, s.sort_score, m.tier, m.group_number, m.outcome
        from leaderboard_scores s
        left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and abs(m.period_id) = abs(s.period_id)
        where s.part = ${part} and s.player_id = ${playerId}
      )
      select p.id::text as place, json_build_object('leaderboard', b.key, 'periodStart', nullif(p.start, ''),
        'score', case when b.body ->> 'rankOrder' = 'HighestFirst' then -s.sort_score else s.sort_score end,
        'tier', s.tier, 'group', s.group_number, 'outcome', s.outcome)::text as json
      from own s join leaderboard_periods p on p.id = s.period_id left join definitions b on b.id = p.leaderboard_id
      where p.id > ${number(after)}::int order by p.id limit ${limit}::int`.execute(),

  teams: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from leaderboard_contributions where part = ${part} and player_id = ${playerId}
          and (${after} = '' or (period_id, team_key) > (split_part(${after}, ' ', 1)::int, substr(${after}, strpos(${after}, ' ') + 1)))
        order by period_id, team_key limit ${limit}::int
      )
      select c.period_id || ' ' || c.team_key as place, json_build_object('leaderboard', (select d.key from definitions d where d.id = p.leaderboard_id),
        'periodStart', nullif(p.start, ''), 'team', c.team_key, 'score', c.score)::text as json
      from page c join leaderboard_periods p on p.id = abs(c.period_id) order by c.period_id, c.team_key`.execute(),
} satisfies Record<string, ReadSection>;

export type Section = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as [Section, ...Section[]];

/** The rows of a section after a cursor, in key order. */
export const readSection = (sql: Sql, section: Section, key: PlayerKey, after: string, limit: number): Promise<ExportedRow[]> =>
  (SECTIONS[section] as ReadSection)(sql, key, after, limit);
