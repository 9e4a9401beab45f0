import type { Sql, Transaction } from "#db/client.ts";
import { PLAYERS_LOCK } from "../../engine/store.ts";
import { firstFacts } from "../../engine/store/queue.ts";
import { DEFAULT_LANES, FINE_LANES } from "../../model/kernel/lanes.ts";
import type { Pacing, Turn } from "./pacing.ts";

/**
 * The number of lanes, and the indexes of those with waiting facts. Steps from lane to lane in the index. Planned each time: a queue that
 * was empty when a plan was cached may have filled since.
 */
export async function waitingLanes(sql: Sql): Promise<{ count: number; waiting: number[] }> {
  const [row] = await sql.unsafe<{ count: number; waiting: number[] }[]>(
    `with recursive lanes(count, width) as (select n.count, $2::int / n.count from (select coalesce((select lanes from installation), $1::int) as count) n),
    waiting(lane) as (
      (select lane / width from queued_facts cross join lanes order by lane limit 1)
      union all
      select (select q.lane / l.width from queued_facts q where q.lane >= (w.lane + 1) * l.width order by q.lane limit 1)
      from waiting w cross join lanes l where w.lane is not null
    )
    select count, to_json(array(select lane from waiting where lane is not null)) as waiting from lanes`,
    [DEFAULT_LANES, FINE_LANES],
    { prepare: false },
  );
  return row!;
}

/** The most waiting environments, of organizations that are ahead, to skip. */
const MAX_PASSED = 64;

const NO_LEADS: ReturnType<Pacing["leads"]> = { organizations: [], seconds: [] };

/**
 * Of the environments with waiting facts in fine lanes, in round-robin after `previous`, the first whose organization is not ahead, or else
 * is least ahead; null if there are none. Locks its players until the transaction ends, unless they are being deleted (`hold_players` in
 * db/functions.sql). Stops at the first that is not ahead: mostly one step.
 */
export async function nextEnvironment(
  tx: Transaction,
  lanes: readonly number[],
  previous: number,
  leads = NO_LEADS,
): Promise<(Turn & { isHeld: boolean }) | null> {
  const following = (last: number) => tx`
    select e.id, p.organization_id, e.definitions_version, coalesce(l.seconds, 0) as lead
    from (
      select min(q.environment_id) as id from unnest(${lanes as number[]}::int[]) n(lane) cross join lateral (
        select environment_id from queued_facts
        where lane = n.lane and environment_id > t.id and environment_id <= ${last}::int order by environment_id limit 1) q
    ) f join environments e on e.id = f.id join projects p on p.id = e.project_id
    left join unnest(${leads.organizations}::uuid[], ${leads.seconds}::float8[]) l(organization_id, seconds) on l.organization_id = p.organization_id`;
  const [row] = await tx<(Turn & { isHeld: boolean })[]>`
    with recursive ahead(id, organization_id, definitions_version, lead, place) as (
      select ${previous}::int, null::uuid, null::bigint, 1::float8, 0
      union all
      select n.*, t.place + 1 from ahead t cross join lateral (${following(MAX_ID)}) n where t.lead > 0 and t.place < ${MAX_PASSED}::int
    ), around(id, organization_id, definitions_version, lead, place) as (
      select 0, null::uuid, null::bigint, 1::float8, ${MAX_PASSED}::int where not exists (select from ahead where lead = 0)
      union all
      select n.*, t.place + 1 from around t cross join lateral (${following(previous)}) n where t.lead > 0 and t.place < 2 * ${MAX_PASSED}::int
    ), next as materialized (
      select * from (select * from ahead union all select * from around) a where organization_id is not null order by lead, place limit 1
    )
    select id, organization_id as "organizationId", definitions_version as "definitionsVersion",
      pg_try_advisory_xact_lock_shared(${PLAYERS_LOCK}::int, id) as "isHeld" from next`;
  return row ?? null;
}

/** Above every environment id. */
const MAX_ID = 2 ** 31 - 1;

/** The request spans of the facts that `claimFacts` would take, with their players; only facts that have one. */
export const selectTraces = (
  tx: Transaction,
  lanes: readonly number[],
  environmentId: number,
  limit: number,
): Promise<{ externalId: string; traceparent: string }[]> =>
  tx<{ externalId: string; traceparent: string }[]>`
    select p.external_id as "externalId", coalesce(q.traceparent, '') as traceparent
    from (${firstFacts(tx, lanes, environmentId, limit)}) q join players p on p.part = q.part and p.player_id = q.player_id
    where q.traceparent is not null`.execute();
