import { firstValue, type Sql } from "#db/client.ts";
import { type Bounded, MAX_LISTED_BYTES, withinBytes } from "#db/within-bytes.ts";
import { PROFILE_COLUMNS } from "../../game/players/service/players.ts";
import { FIRST_UUID } from "../../model/kernel/stored.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import { WEBHOOK_EVENTS } from "../../model/webhooks/subscriptions.ts";

/** A row of a file as JSON text, digit for digit; `place` is the cursor of the next page. */
export interface ExportedRow {
  place: string;
  json: string;
}

/** If rows may be large, the last row of a page that was cut short has `isFull`. */
export type PagedRow = ExportedRow & Partial<Bounded>;

/** Reads the rows of an environment after a cursor; "" starts at the first. */
export type ReadPage = (sql: Sql, environmentId: number, after: string, limit: number) => Promise<PagedRow[]>;

/** SQL for a definition's key, by the column with its id; null if it was deleted. */
export const sqlKeyOf = (column: string): string => `(select d.key from definitions d where d.id = ${column})`;

/** SQL for an instant as the API writes it, always in 24 characters: JSON functions leave out zeros, and then text sorts wrongly. */
export const sqlInstantOf = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The columns of a profile, by the names of the API. */
const PROFILE_MEMBERS = Object.entries(PROFILE_COLUMNS).map(([name, column]) => [name === "timeZone" ? "timeZoneId" : name, column]);
const PROFILE = PROFILE_MEMBERS.map(([name, column]) => `'${name}', p.${column}`).join(", ");
export const PROFILE_NAMES = PROFILE_MEMBERS.map(([name = ""]) => name);

/** Players in the order of their external ids, which have an index. */
export const readPlayers: ReadPage = (sql, environmentId, after, limit) =>
  sql<ExportedRow[]>`
    select p.external_id as place, json_build_object('playerId', p.external_id, ${sql.unsafe(PROFILE)},
      'points', coalesce(b.balance, 0), 'lastActiveOn', p.last_active_on, 'firstSeenAt', ${sql.unsafe(sqlInstantOf("p.created_at"))})::text as json
    from players p left join balances b on b.part = p.part and b.player_id = p.player_id
    where p.environment_id = ${environmentId} and p.external_id > ${after} order by p.external_id limit ${limit}::int`.execute();

/** The generation is a value, not a join, with which every page sorted all members that were left. */
export const readSegmentMembers =
  (segmentKey: string): ReadPage =>
  (sql, environmentId, after, limit) => {
    const { part, playerId } = playerKeyFrom(after);
    return sql<ExportedRow[]>`
      select m.part || ' ' || m.player_id as place, json_build_object('playerId', p.external_id, 'displayName', p.display_name,
        'points', coalesce(b.balance, 0), 'firstSeenAt', ${sql.unsafe(sqlInstantOf("p.created_at"))})::text as json
      from segment_members m left join players p on p.part = m.part and p.player_id = m.player_id
      left join balances b on b.part = m.part and b.player_id = m.player_id
      where (m.segment_id, m.generation) = (
          select d.id, c.generation from definitions d join segment_counts c on c.segment_id = d.id
          where d.environment_id = ${environmentId} and d.kind = 'segments' and d.key = ${segmentKey})
        and (m.part, m.player_id) > (${part}::smallint, ${playerId}::uuid)
      order by m.part, m.player_id limit ${limit}::int`.execute();
  };

export const readRefusedLines =
  (importId: string): ReadPage =>
  (sql, environmentId, after, limit) =>
    sql<ExportedRow[]>`
      select line::text as place, json_build_object('line', line, 'playerId', nullif(external_id, ''),
        'reasons', array_to_string(problems, ' '), 'content', item)::text as json
      from import_lines where import_id = ${importId}::uuid and environment_id = ${environmentId} and problems is not null
        and line > ${after === "" ? 0 : Number(after)}::int
      order by line limit ${limit}::int`.execute();

/** Deliveries are indexed by endpoint, event and creation time, so each endpoint and event is read separately. */
export const readDeliveries =
  (endpointId: string, event: string): ReadPage =>
  (sql, environmentId, after, limit) => {
    const [at, id] = after === "" ? ["-infinity", FIRST_UUID] : (after.split(" ") as [string, string]);
    return sql<ExportedRow[]>`
      select ${sql.unsafe(sqlInstantOf("d.created_at"))} || ' ' || d.id as place,
        json_build_object('id', d.id, 'event', d.event, 'playerId', d.data ->> 'playerExternalId', 'endpoint', shown_url(e.url), 'status', d.status,
          'attempts', d.attempts, 'lastStatus', a.response_status, 'lastError', a.error, 'createdAt', ${sql.unsafe(sqlInstantOf("d.created_at"))}, 'data', d.data)::text as json
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      left join webhook_attempts a on a.delivery_id = d.id and a.number = d.attempts
      where e.environment_id = ${environmentId} and d.endpoint_id = ${endpointId}::uuid and d.event = ${event}
        and (d.created_at, d.id) > (${at}::text::timestamptz, ${id}::uuid)
      order by d.created_at, d.id limit ${limit}::int`.execute();
  };

/** The endpoints of an environment, each with the events that it was ever sent. */
export const selectStreams = (sql: Sql, environmentId: number): Promise<{ endpointId: string; event: string }[]> =>
  sql<{ endpointId: string; event: string }[]>`
    select e.id as endpoint_id, v.event from webhook_endpoints e, unnest(${[...WEBHOOK_EVENTS]}::text[]) as v(event)
    where e.environment_id = ${environmentId} and exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.event = v.event)
    order by e.created_at, e.id, v.event`.execute();

/** An owner of rows: a player, or the anonymous owner of an erased player's rows. */
export interface Owner extends PlayerKey {
  externalId: string | null;
}

/** Owners of an environment after a given one, in key order. */
export const ownersAfter = (sql: Sql, environmentId: number, after: PlayerKey, limit: number): Promise<Owner[]> =>
  sql.unsafe<Owner[]>(
    `select part, player_id, external_id from (
       (select part, player_id, external_id from players where environment_id = $1 and (part, player_id) > ($2::smallint, $3::uuid)
        order by part, player_id limit $4::int)
       union all
       (select part, player_id, null from anonymous_owners where environment_id = $1 and (part, player_id) > ($2::smallint, $3::uuid)
        order by part, player_id limit $4::int)
     ) o order by part, player_id limit $4::int`,
    [environmentId, after.part, after.playerId, limit],
  );

/** A cursor into the rows of owners: the last row read, and its owner. */
export interface OwnedCursor extends PlayerKey {
  id: string;
}

/**
 * Reads rows of some owners after a cursor. A nested loop over the owners keeps key order, so it stops at the end of the page. Citus runs
 * it only if all owners have one part, which the statement then names: it goes to one machine unchanged.
 */
export type ReadOwned = (
  sql: Sql,
  owners: readonly Owner[],
  onlyPart: number | null,
  after: OwnedCursor,
  limit: number,
) => Promise<(PagedRow & OwnedCursor)[]>;

/** Reads a table of players' rows `t`; `members` are the arguments of `json_build_object` after the player's and the row's ids. */
const readOwned =
  (table: string, members: string): ReadOwned =>
  (sql, owners, onlyPart, after, limit) =>
    sql<(ExportedRow & OwnedCursor & Bounded)[]>`
      with page as materialized (
        select o."externalId", t.* from (
          select * from json_to_recordset(${JSON.stringify(owners)}::text::json) as r("part" smallint, "playerId" uuid, "externalId" text)
          order by "part", "playerId"
        ) o cross join lateral (
          select * from ${sql(table)} t where t.part = o.part and t.player_id = o."playerId"
            ${onlyPart === null ? sql`` : sql`and t.part = ${onlyPart}::smallint`}
            and (t.part, t.player_id, t.id) > (${after.part}::smallint, ${after.playerId}::uuid, ${after.id}::uuid)
          order by t.id limit ${limit}::int
        ) t order by o.part, o."playerId", t.id limit ${limit}::int
      )
      select part, player_id, id, '' as place, json, is_full from (${withinBytes(
        sql,
        sql`
        select part, player_id, id, json, octet_length(json) as bytes from (
          select t.part, t.player_id, t.id, json_build_object('playerId', t."externalId", 'id', t.id, ${sql.unsafe(members)})::text as json
          from page t order by t.part, t.player_id, t.id
        ) r`,
        MAX_LISTED_BYTES,
      )}) r order by part, player_id, id`.execute();

export const readTransactions = readOwned(
  "points_transactions",
  `'type', t.type, 'amount', t.amount, 'reason', t.reason, 'sourceType', t.source_type,
   'source', ${sqlKeyOf("t.source_definition_id")}, 'sourceId', t.source_id, 'occurredAt', ${sqlInstantOf("t.occurred_at")}`,
);

export const exportPurchases = readOwned(
  "marketplace_purchases",
  `'listing', t.listing_key, 'round', t.occurrence_number, 'price', t.price, 'contents', t.contents, 'purchasedAt', ${sqlInstantOf("t.purchased_at")},
   'reversedAt', ${sqlInstantOf("t.reversed_at")}, 'reversalReason', t.reversal_reason`,
);

export const readEvents = readOwned(
  "events",
  `'event', ${sqlKeyOf("t.definition_id")}, 'occurredAt', ${sqlInstantOf("t.occurred_at")}, 'receivedAt', ${sqlInstantOf("t.received_at")},
   'properties', coalesce(t.properties, '{}')`,
);

export const readMetricEvents = readOwned(
  "metric_events",
  `'metric', ${sqlKeyOf("t.definition_id")}, 'occurredAt', ${sqlInstantOf("t.occurred_at")}, 'receivedAt', ${sqlInstantOf("t.received_at")}, 'value', t.value,
   'currencyCode', t.currency_code, 'exchangeRate', t.exchange_rate, 'normalizedValue', t.normalized_value,
   'properties', coalesce(t.properties, '{}')`,
);

/** A board's row in sort order. `sortScore` is decimal text, lower is better. */
export interface ExportedStanding {
  part: number;
  playerId: string;
  sortScore: string;
  reachedSeq: number;
  externalId: string | null;
  displayName: string | null;
  teamKey: string | null;
  tier: number | null;
  groupNumber: number | null;
  outcome: string | null;
}

/**
 * The scores of a period after a given one, the best first. Equal scores have the same text: sums keep the zeros of their terms. The README
 * of `game/leaderboards` explains `+ 0`.
 */
export const readScores = (sql: Sql, periodId: number, after: ExportedStanding | null, limit: number): Promise<ExportedStanding[]> =>
  sql<ExportedStanding[]>`
    select s.part, s.player_id, trim_scale(s.sort_score)::text as sort_score, s.reached_seq, p.external_id,
      p.display_name, s.team_key, t.tier, t.group_number, t.outcome
    from leaderboard_scores s
    left join players p on p.part = s.part and p.player_id = s.player_id
    left join leaderboard_seats t on t.part = s.part and t.player_id = s.player_id and t.period_id = s.period_id + 0
    where s.period_id = ${periodId} ${
      after === null
        ? sql``
        : sql`and (s.sort_score, s.reached_seq, s.player_id) > (${after.sortScore}::text::numeric, ${after.reachedSeq}::bigint, ${after.playerId}::uuid)`
    }
    order by s.sort_score, s.reached_seq, s.player_id limit ${limit}::int`.execute();

/** A board's period by its start; without one, the current period, or else the last. */
export const findPeriod = (sql: Sql, leaderboardId: number, start: string | null) =>
  firstValue(sql<{ id: number }[]>`
    select id from leaderboard_periods where leaderboard_id = ${leaderboardId} and (${start}::text is null or start = ${start}::text)
      and (${start}::text is not null or starts_at is null or starts_at <= now() + (select make_interval(secs => e.clock_offset_ms / 1000.0)
        from environments e where e.id = environment_id))
    order by number desc limit 1`);

function playerKeyFrom(after: string): PlayerKey {
  const [part = "-1", playerId = FIRST_UUID] = after === "" ? [] : after.split(" ");
  return { part: Number(part), playerId };
}
