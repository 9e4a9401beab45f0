import type { Sql } from "#db/client.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/** Beyond this the exact count does not matter: a poll must not count a million rows, five times a second. */
const MAX_COUNTED = 10_000;

/** An environment's outstanding work; each count stops at ten thousand. Facts claimed by a worker count until it has committed. */
export interface Waiting {
  /** Accepted but unapplied facts, up to a position in their order. */
  facts: number;
  /** Boards still to be filled with players' present values. */
  fills: number;
  /** Failed facts in quarantine. */
  quarantined: number;
}

/** An environment's outstanding work; facts up to `seq`, of one player if given. */
export async function selectWaiting(sql: Sql, environmentId: number, seq: number, player: PlayerKey | null): Promise<Waiting> {
  const facts =
    player === null
      ? sql`
          select count(*) from (
            select from generate_series(0, ${FINE_LANES - 1}::int) lane
              join queued_facts q on q.lane = lane.lane and q.environment_id = ${environmentId} and q.seq <= ${seq}::bigint
            limit ${MAX_COUNTED}::int) counted`
      : sql`
          select count(*) from (
            select from queued_facts q
            where q.part = ${player.part} and q.player_id = ${player.playerId} and q.environment_id = ${environmentId} and q.seq <= ${seq}::bigint
            limit ${MAX_COUNTED}::int) counted`;
  const [row] = await sql<Waiting[]>`
    select (${facts})::int as facts,
      (select count(*)::int from leaderboard_fills where environment_id = ${environmentId} and not is_through) as fills,
      (select count(*)::int from (
        select from quarantined_facts where environment_id = ${environmentId} limit ${MAX_COUNTED}::int) counted) as quarantined`;
  return row!;
}

/**
 * Up to ten thousand deliveries to enabled endpoints, written up to `until` (epoch milliseconds, the database's clock), whose next attempt
 * is due.
 */
export async function countDueDeliveries(sql: Sql, environmentId: number, until: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
      where e.environment_id = ${environmentId} and e.disabled_at is null and d.status = 'Pending' and d.due_at <= now()
        and d.created_at <= to_timestamp(${until}::float8 / 1000)
      limit ${MAX_COUNTED}::int) counted`;
  return row?.count ?? 0;
}
