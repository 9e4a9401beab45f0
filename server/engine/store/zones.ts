import { execute, type Sql, type Transaction } from "#db/client.ts";
import type { ZoneChange } from "../../model/leaderboards/zones.ts";

/** A change of the project's zone in the order of an environment's facts: facts before `seq`, except `waiting`, used the old zone. */
export interface PassedZone extends ZoneChange {
  seq: number;
  /** Facts before `seq` that were not applied yet, queued or in quarantine; null if unknown. */
  waiting: number[] | null;
}

/** Records the zone that the project of an environment had until now. */
export const insertZoneChange = (
  tx: Transaction,
  environmentId: number,
  { at, zone, seq }: Omit<PassedZone, "waiting">,
  isWaitingKnown: boolean,
) =>
  execute(tx`
    insert into leaderboard_zones (environment_id, seq, zone, at, waiting)
    select ${environmentId}, ${seq}, ${zone}, ${at}::timestamptz, case when ${isWaitingKnown} then (
      select coalesce(array_agg(w.seq), '{}') from (
        select seq from queued_facts where environment_id = ${environmentId}
        union all select seq from quarantined_facts where environment_id = ${environmentId}
      ) w where w.seq < ${seq}
    ) end`);

/** The earlier zones of an environment's project, in order. */
export const selectZoneChanges = (sql: Sql, environmentId: number): Promise<PassedZone[]> =>
  sql<PassedZone[]>`
    select seq, zone, at, to_json(waiting) as waiting
    from leaderboard_zones where environment_id = ${environmentId} order by seq`.execute();
