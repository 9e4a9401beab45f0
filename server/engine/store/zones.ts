import type { Sql, Transaction } from "#db/client.ts";
import type { ZoneChange } from "../../model/leaderboards/zones.ts";

/** A change of the project's zone as the facts of an environment met it: those before `seq` went by the zone until then, but for `waiting`. */
export interface PassedZone extends ZoneChange {
  seq: number;
  /** Facts before `seq` that were not worked off, in the queue or in quarantine; null where nobody knows which they were. */
  waiting: number[] | null;
}

/** Notes that the project of an environment was in another zone until now. */
export async function insertZoneChange(
  tx: Transaction,
  environmentId: number,
  { at, zone, seq }: Omit<PassedZone, "waiting">,
  isWaitingKnown: boolean,
): Promise<void> {
  await tx`
    insert into leaderboard_zones (environment_id, seq, zone, at, waiting)
    select ${environmentId}, ${seq}, ${zone}, to_timestamp(${at / 1000}::float8), case when ${isWaitingKnown} then (
      select coalesce(array_agg(w.seq), '{}') from (
        select seq from queued_facts where environment_id = ${environmentId}
        union all select seq from quarantined_facts where environment_id = ${environmentId}
      ) w where w.seq < ${seq}
    ) end`;
}

/** The zones that the project of an environment was in before the present one, in their order. */
export const selectZoneChanges = (sql: Sql, environmentId: number): Promise<PassedZone[]> =>
  sql<PassedZone[]>`
    select seq, zone, (extract(epoch from at) * 1000)::bigint as at, to_json(waiting) as waiting
    from leaderboard_zones where environment_id = ${environmentId} order by seq`.execute();
