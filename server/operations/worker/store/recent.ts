import type { Sql } from "#db/client.ts";
import { KEPT } from "#server/engine/store/recent.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";

/** A fact that was received lately. */
export interface RecentFact {
  externalId: string;
  definitionId: number;
  /** Epoch milliseconds on the environment's clock. */
  receivedAt: number;
  state: "Waiting" | "Counted" | "Quarantined";
}

/** The latest facts that an environment received, the newest first. */
export const selectRecent = (sql: Sql, environmentId: number): Promise<RecentFact[]> =>
  sql<RecentFact[]>`
    with waiting as (
      select q.seq, q.part, q.player_id, q.definition_id, (extract(epoch from q.received_at) * 1000)::bigint as received_at, 'Waiting' as state
      from generate_series(0, ${FINE_LANES - 1}::int) lane cross join lateral (
        select * from queued_facts q where q.lane = lane.lane and q.environment_id = ${environmentId} and q.kind <> 'streakPeriod'
          order by q.seq desc limit ${KEPT}
      ) q
    ), counted as (
      select f.seq, f.part, f."playerId", f."definitionId", f."receivedAt", 'Counted'
      from recent_facts r cross join lateral jsonb_to_recordset(r.facts)
        as f("seq" bigint, "part" smallint, "playerId" uuid, "definitionId" int, "receivedAt" bigint)
      where r.environment_id = ${environmentId}
    ), quarantined as (
      select seq, part, player_id, definition_id, (extract(epoch from received_at) * 1000)::bigint, 'Quarantined'
      from quarantined_facts where environment_id = ${environmentId} and kind <> 'streakPeriod' order by seq desc limit ${KEPT}
    )
    select p.external_id as "externalId", f.definition_id as "definitionId", f.received_at as "receivedAt", f.state
    from (select * from waiting union all select * from counted union all select * from quarantined) f
    join players p on p.part = f.part and p.player_id = f.player_id
    order by f.seq desc limit ${KEPT}`.execute();

/** When the first known fact was received; null if none was. */
export async function selectFirstReceived(sql: Sql, environmentId: number): Promise<number | null> {
  const [row] = await sql<{ at: number | null }[]>`
    select (extract(epoch from min(first_received_at)) * 1000)::bigint as at from recent_facts where environment_id = ${environmentId}`;
  return row?.at ?? null;
}
