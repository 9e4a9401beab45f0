import { type Bounded, textWithinBytes } from "#db/within-bytes.ts";
import { onlyRow, type Sql } from "#db/client.ts";
import { keysText, playersIn } from "#server/engine/store/players.ts";
import { EVENT_COLUMNS, type LoggedEvent, type LoggedMetricEvent, METRIC_EVENT_COLUMNS } from "#server/engine/store/applied.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import { FIRST_UUID } from "#server/model/kernel/stored.ts";
import type { LedgerEntry, PurchaseMade } from "../play.ts";

/** A player of the first sample, with the number of days in the window on which they had an event. */
export interface CountedPlayer extends PlayerKey {
  days: number;
}

/** The next players by key, with their active days since a date. Keys are hashes, so the first ones are a random sample. */
export function countPlayers(
  sql: Sql,
  environmentId: number,
  after: PlayerKey | null,
  since: string,
  limit: number,
): Promise<CountedPlayer[]> {
  return sql.unsafe<CountedPlayer[]>(
    `select p.part, p.player_id,
       (select count(*) from player_days d where d.part = p.part and d.player_id = p.player_id and d.day >= $4::text::date)::int as days
     from players p where p.environment_id = $1 and (p.part, p.player_id) > ($2::smallint, $3::uuid)
     order by p.part, p.player_id limit $5::int`,
    [environmentId, after?.part ?? -1, after?.playerId ?? FIRST_UUID, since, limit],
  );
}

type Identity = PlayerKey & { externalId: string; timeZone: string | null; isHidden: boolean };

/** The players' profiles; deleted players are left out. */
export const selectIdentities = (sql: Sql, players: readonly PlayerKey[]): Promise<Identity[]> =>
  sql<Identity[]>`
    select p.part, p.player_id, p.external_id, p.time_zone, p.hidden_at is not null as is_hidden
    from ${playersIn(sql, players)} join players p on p.part = k.part and p.player_id = k."playerId"`.execute();

interface Wanted {
  definitionIds: readonly number[];
  /** Events received before this instant are left out, except those of `whole`. */
  since: number;
  whole: readonly number[];
  limit: number;
}

/** A page of players whose events have more bytes is read in parts. */
const MAX_PAGE_BYTES = 2 ** 25;

/**
 * The applied events of some players: at most `limit`, or fewer if they are large: the last one then has `isFull`. Planned on each call,
 * since a cached plan would be one for a small log.
 */
const selectApplied = <Event extends LoggedEvent>(
  sql: Sql,
  log: "events" | "metric_events",
  columns: string,
  players: readonly PlayerKey[],
  { definitionIds, since, whole, limit }: Wanted,
): Promise<(Event & Bounded)[]> =>
  sql.unsafe<(Event & Bounded)[]>(
    textWithinBytes(
      `select ${columns}, coalesce(octet_length(e.properties::text), 0) as bytes
     from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)
     join ${log} e on e.part = k.part and e.player_id = k."playerId" and e.definition_id = any($2::int[])
     where (e.received_at >= to_timestamp($3::float8) or e.definition_id = any($4::int[]))
       and e.seq not in (
         select q.seq from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)
         join queued_facts q on q.part = k.part and q.player_id = k."playerId"
         union all
         select q.seq from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)
         join quarantined_facts q on q.part = k.part and q.player_id = k."playerId")
     limit $5::int`,
      MAX_PAGE_BYTES,
    ),
    [keysText(players), definitionIds as number[], since / 1000, whole as number[], limit],
  );

export const selectEvents = (sql: Sql, players: readonly PlayerKey[], wanted: Wanted) =>
  selectApplied<LoggedEvent>(sql, "events", EVENT_COLUMNS, players, wanted);

export const selectMetricEvents = (sql: Sql, players: readonly PlayerKey[], wanted: Wanted) =>
  selectApplied<LoggedMetricEvent>(sql, "metric_events", METRIC_EVENT_COLUMNS, players, wanted);

/** The changes of some players' balances since the window began, player by player, the oldest first. */
export const selectLedger = (
  sql: Sql,
  players: readonly PlayerKey[],
  { since, limit }: Pick<Wanted, "since" | "limit">,
): Promise<(PlayerKey & LedgerEntry)[]> =>
  sql.unsafe<(PlayerKey & LedgerEntry)[]>(
    `select t.part, t.player_id, t.occurred_at as at, t.amount,
       t.type = 'Grant' and t.source_type in ('Mission', 'StreakMilestone') as is_earned,
       case t.source_type when 'MarketplacePurchase' then t.source_id end as purchase_id
     from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)
     join points_transactions t on t.part = k.part and t.player_id = k."playerId"
     where t.occurred_at >= to_timestamp($2::float8)
     order by t.part, t.player_id, t.occurred_at, t.seq limit $3::int`,
    [keysText(players), since / 1000, limit],
  );

/** All purchases of a listing by some players. */
export const selectPurchases = (
  sql: Sql,
  players: readonly PlayerKey[],
  listingId: number,
  limit: number,
): Promise<(PlayerKey & PurchaseMade)[]> =>
  sql.unsafe<(PlayerKey & PurchaseMade)[]>(
    `select p.part, p.player_id, p.id, p.round, p.purchased_at as at, p.reversed_at is not null as is_reversed
     from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)
     join marketplace_purchases p on p.part = k.part and p.player_id = k."playerId" and p.listing_id = $2::int
     limit $3::int`,
    [keysText(players), listingId, limit],
  );

/** The gaps in an environment's history: the instant before which events were purged, and the number of players erased since another. */
export const selectGaps = (sql: Sql, environmentId: number, since: number) =>
  onlyRow(sql<{ purgedBefore: number | null; erased: number }[]>`
    select (select r.purged_before from retention r where r.environment_id = ${environmentId}) as purged_before,
      (select count(*) from erasures x where x.environment_id = ${environmentId} and x.erased_at >= to_timestamp(${since / 1000}::float8))::int as erased`);
