import type { Sql } from "#db/client.ts";
import { PROFILE_COLUMNS } from "#server/game/players/service/players.ts";
import { FIRST_UUID } from "#server/model/kernel/stored.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { type Bounded, MAX_LISTED_BYTES, withinBytes } from "#db/within-bytes.ts";
import { type ExportedRow, type PagedRow, sqlInstantOf, sqlKeyOf } from "../../../insight/exports/store.ts";

type ReadSection = (sql: Sql, key: PlayerKey, after: string, limit: number) => Promise<PagedRow[]>;

const uuid = (after: string): string => (after === "" ? FIRST_UUID : after);
const number = (after: string): number => (after === "" ? -1 : Number(after));

/** Keys that are numbers; all others are UUIDs. */
const NUMBERS = ["attribute_id", "definition_id"];

const PROFILE = Object.entries(PROFILE_COLUMNS)
  .map(([name, column]) => `'${name}', ${column}`)
  .join(", ");

/** A section by the key of its table; `members` are the arguments of `json_build_object`. */
const rowsBy =
  (table: string, key: string, members: string): ReadSection =>
  (sql, { part, playerId }, after, limit) =>
    sql<(ExportedRow & Bounded)[]>`
      with page as materialized (
        select * from ${sql(table)} where part = ${part} and player_id = ${playerId}
          and ${sql(key)} > ${NUMBERS.includes(key) ? sql`${number(after)}::int` : sql`${uuid(after)}::uuid`}
        order by ${sql(key)} limit ${limit}::int
      )
      select place::text, json, is_full from (${withinBytes(
        sql,
        sql`
        select place, json, octet_length(json) as bytes from (
          select ${sql(key)} as place, json_build_object(${sql.unsafe(members)})::text as json from page order by ${sql(key)}
        ) r`,
        MAX_LISTED_BYTES,
      )}) r order by r.place`.execute();

/**
 * All stored data of a player, a section per table, in pages by the table's key. Instants are on the environment's clock. Distributed
 * tables come first, then, on a cluster, the coordinator's.
 */
const SECTIONS = {
  profile: (sql, { part, playerId }, after) =>
    sql<ExportedRow[]>`
      select external_id as place, json_build_object('externalId', external_id, ${sql.unsafe(PROFILE)}, 'firstSeenAt', ${sql.unsafe(sqlInstantOf("created_at"))},
        'hiddenFromLeaderboardsSince', ${sql.unsafe(sqlInstantOf("hidden_at"))})::text as json
      from players where part = ${part} and player_id = ${playerId} and ${after} = ''`.execute(),

  attributes: rowsBy(
    "attribute_values",
    "attribute_id",
    `'attribute', ${sqlKeyOf("attribute_id")}, 'value', value, 'since', ${sqlInstantOf("occurred_at")}`,
  ),

  metricTotals: rowsBy("metric_totals", "definition_id", `'metric', ${sqlKeyOf("definition_id")}, 'total', total`),

  balance: (sql, { part, playerId }, after) =>
    sql<ExportedRow[]>`
      select 'balance' as place, json_build_object('balance', balance, 'earned', total_granted, 'spent', total_spent)::text as json
      from balances where part = ${part} and player_id = ${playerId} and ${after} = ''`.execute(),

  events: rowsBy(
    "events",
    "id",
    `'id', id, 'event', ${sqlKeyOf("definition_id")}, 'occurredAt', ${sqlInstantOf("occurred_at")}, 'receivedAt', ${sqlInstantOf("received_at")}, 'properties',
     properties`,
  ),

  metricEvents: rowsBy(
    "metric_events",
    "id",
    `'id', id, 'metric', ${sqlKeyOf("definition_id")}, 'occurredAt', ${sqlInstantOf("occurred_at")}, 'receivedAt', ${sqlInstantOf("received_at")}, 'value', value,
     'currencyCode', currency_code, 'exchangeRate', exchange_rate, 'normalizedValue', normalized_value, 'properties',
     properties`,
  ),

  transactions: rowsBy(
    "points_transactions",
    "id",
    `'id', id, 'type', type, 'amount', amount, 'reason', reason, 'sourceType', source_type, 'sourceId', source_id,
     'idempotencyKey', idempotency_key, 'occurredAt', ${sqlInstantOf("occurred_at")}`,
  ),

  completedMissions: rowsBy(
    "mission_completions",
    "occurrence_id",
    `'occurrenceId', occurrence_id, 'mission', ${sqlKeyOf("mission_id")}, 'occurrenceNumber', occurrence_number, 'startedAt',
     ${sqlInstantOf("started_at")}, 'acceptedAt', ${sqlInstantOf("accepted_at")}, 'completedAt', ${sqlInstantOf("completed_at")}, 'rewards', rewards`,
  ),

  purchases: rowsBy(
    "marketplace_purchases",
    "id",
    `'id', id, 'listing', listing_key, 'name', name, 'contents', contents, 'price', price, 'purchasedAt', ${sqlInstantOf("purchased_at")},
     'reversedAt', ${sqlInstantOf("reversed_at")}, 'reversalReason', reversal_reason`,
  ),

  items: rowsBy(
    "owed_items",
    "id",
    `'id', id, 'catalogItem', catalog_item_key, 'value', value, 'sourceType', source_type, 'sourceId', source_id, 'owedAt',
     ${sqlInstantOf("owed_at")}`,
  ),

  streakRuns: (sql, { part, playerId }, after, limit) =>
    sql<ExportedRow[]>`
      with page as materialized (
        select * from streak_runs where part = ${part} and player_id = ${playerId}
        and (${after} = '' or (streak_id, origin) > (split_part(${after}, ' ', 1)::int, nullif(split_part(${after}, ' ', 2), '')::date))
        order by streak_id, origin limit ${limit}::int
      )
      select streak_id || ' ' || origin as place, json_build_object('streak', ${sql.unsafe(sqlKeyOf("streak_id"))}, 'first', first, 'last', last,
        'length', length, 'freezes', freezes, 'paidMilestones', paid)::text as json
      from page order by streak_id, origin`.execute(),

  // Tier and group as in the exported standings: a key, and a number from 1.
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
        'tier', b.body #>> array['league', 'tiers', s.tier::text, 'key'], 'group', s.group_number + 1, 'outcome', s.outcome)::text as json
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

export type ExportSection = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as [ExportSection, ...ExportSection[]];

/** The rows of a section after a cursor, in key order. */
export const readSection = (sql: Sql, section: ExportSection, key: PlayerKey, after: string, limit: number): Promise<PagedRow[]> =>
  (SECTIONS[section] as ReadSection)(sql, key, after, limit);
