import { execute, firstRow, firstValue, onlyRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { holdPlayers, PLAYERS_LOCK } from "../../engine/store/locks.ts";
import { type Bounded, MAX_LISTED_BYTES, withinBytes } from "#db/within-bytes.ts";
import { firstFacts, waitingFacts } from "../../engine/store/queue.ts";
import { DEFAULT_LANES, FINE_LANE, FINE_LANES } from "../../model/kernel/lanes.ts";
import type { Pacing, Turn } from "./pacing.ts";
import { KEPT_FACTS } from "../../engine/store/recent.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";

/** The number of lanes, the indexes of those with waiting facts, and whether fewer than `few` facts wait in all. */
export const waitingLanes = (sql: Sql, few: number) =>
  onlyRow(sql<{ count: number; waiting: number[]; areFew: boolean }[]>`
    select * from waiting_lanes(${DEFAULT_LANES}::int, ${FINE_LANES}::int, ${few}::int)`);

/** The environment of the next slice. `waiting` are the lanes in which facts of it may wait. */
export type Next = Turn & { isHeld: boolean; waiting: readonly number[] };

type Leads = ReturnType<Pacing["leads"]>;
const NO_LEADS: Leads = { organizations: [], seconds: [] };

/** Probing this many lanes takes as long as reading a few facts. */
const FEW_LANES = 16;

/**
 * Of the environments with waiting facts in fine lanes, in round-robin after `previous`, the first whose organization is not ahead, or else
 * is least ahead; null if there are none. Locks its players until the transaction ends, unless they are being deleted (`hold_players` in
 * db/functions/locks.sql).
 */
export const nextEnvironment = async (
  tx: Transaction,
  lanes: readonly number[],
  previous: number,
  leads = NO_LEADS,
): Promise<Next | null> =>
  (lanes.length > FEW_LANES ? await nextOfFew(tx, lanes, previous, leads) : null) ?? nextByProbes(tx, lanes, previous, leads);

const joinLeads = (tx: Transaction, { organizations, seconds }: Leads) => tx`
  left join unnest((select ${organizations}::uuid[]), (select ${seconds}::float8[])) l(organization_id, seconds) on l.organization_id = p.organization_id`;

const isHeld = (tx: Transaction) => tx`pg_try_advisory_xact_lock_shared(${PLAYERS_LOCK}::int, id) as is_held`;

/** Facts that one statement reads. */
const FEW = 128;

/**
 * Reads all waiting facts of the lanes; null if they are many, or none. For twenty facts in 64 lanes it takes a fifth of `nextByProbes`.
 */
function nextOfFew(tx: Transaction, lanes: readonly number[], previous: number, leads: Leads): Promise<Next | null> {
  return firstRow(tx<Next[]>`
    with beginning as materialized (
      select lane, environment_id from queued_facts
      where lane >= ${lanes[0]!} and lane <= ${lanes.at(-1)!} and seq > (select floor from queue_floor) order by lane, environment_id, seq limit ${FEW}::int
    ), own as materialized (
      select distinct lane, environment_id from beginning where lane = any(${lanes as number[]}::int[]) and (select count(*) from beginning) < ${FEW}::int
    ), next as materialized (
      select e.id, p.organization_id, e.definitions_version
      from (select distinct environment_id from own) f join environments e on e.id = f.environment_id join projects p on p.id = e.project_id
      ${joinLeads(tx, leads)}
      order by coalesce(l.seconds, 0), e.id <= ${previous}::int, e.id limit 1
    )
    select id, organization_id, definitions_version, ${isHeld(tx)}, to_json(array(select lane from own where environment_id = id order by lane)) as waiting
    from next`);
}

/** The most waiting environments, of organizations that are ahead, to skip. */
const MAX_PASSED = 64;

/**
 * Probes the lanes for each environment. Stops at the first that is not ahead: mostly one step. The arrays are selected, so that their
 * lengths are unknown to the planner: otherwise it plans the statement each time, for three times what it takes.
 */
async function nextByProbes(tx: Transaction, lanes: readonly number[], previous: number, leads: Leads): Promise<Next | null> {
  const following = (last: number) => tx`
    select e.id, p.organization_id, e.definitions_version, coalesce(l.seconds, 0) as lead
    from (
      select min(q.environment_id) as id from unnest((select ${lanes as number[]}::int[])) n(lane) cross join lateral (
        select environment_id from queued_facts q
        where lane = n.lane and environment_id > t.id and environment_id <= ${last}::int and q.seq > (select floor from queue_floor)
        order by environment_id limit 1) q
    ) f join environments e on e.id = f.id join projects p on p.id = e.project_id ${joinLeads(tx, leads)}`;
  const next = await firstRow(tx<(Turn & { isHeld: boolean })[]>`
    with recursive ahead(id, organization_id, definitions_version, lead, place) as (
      select ${previous}::int, null::uuid, null::bigint, 1::float8, 0
      union all
      select n.*, t.place + 1 from ahead t cross join lateral (${following(MAX_ID)}) n where t.lead > 0 and t.place < ${MAX_PASSED}::int
    ), around(id, organization_id, definitions_version, lead, place) as (
      select 0, null::uuid, null::bigint, 1::float8, ${MAX_PASSED}::int where not exists (select from ahead where lead = 0)
      union all
      select n.*, t.place + 1 from around t cross join lateral (${following(previous)}) n
      where t.lead > 0 and t.id < ${previous}::int and t.place < 2 * ${MAX_PASSED}::int
    ), next as materialized (
      select * from (select * from ahead union all select * from around) a where organization_id is not null order by lead, place limit 1
    )
    select id, organization_id, definitions_version, ${isHeld(tx)} from next`);
  return next && { ...next, waiting: lanes };
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
    select p.external_id, coalesce(q.traceparent, '') as traceparent
    from (${firstFacts(tx, lanes, environmentId, limit)}) q join players p on p.part = q.part and p.player_id = q.player_id
    where q.traceparent is not null`.execute();

/** A fact that could not be applied. Its instants are on the environment's clock, except `quarantinedAt`; epoch milliseconds. */
export interface QuarantinedFact {
  seq: number;
  externalId: string | null;
  definitionId: number;
  occurredAt: number;
  receivedAt: number;
  /** JSON text; null if it has none. */
  payload: string | null;
  value: string | null;
  error: string;
  quarantinedAt: number;
}

/** An environment's quarantined facts after a position, in order; at most `limit`, and fewer if they are large. */
export const selectQuarantined = (sql: Sql, environmentId: number, after: number, limit: number): Promise<(QuarantinedFact & Bounded)[]> =>
  sql<(QuarantinedFact & Bounded)[]>`
    with page as materialized (${withinBytes(
      sql,
      sql`
      select *, coalesce(octet_length(payload::text), 0) as bytes from quarantined_facts
      where environment_id = ${environmentId} and seq > ${after} order by seq limit ${limit}`,
      MAX_LISTED_BYTES,
    )}), named as materialized (
      select distinct p.part, p.player_id, p.external_id from page q join players p on p.part = q.part and p.player_id = q.player_id
    )
    select q.seq, p.external_id, q.definition_id, q.occurred_at, q.received_at,
      q.payload::text as payload, q.value::text as value, q.error, q.quarantined_at, q.is_full
    from page q left join named p on p.part = q.part and p.player_id = q.player_id
    order by q.seq`.execute();

/** Limits every statement of a transaction, and its waits for locks. */
export const boundRehearsal = (tx: Transaction, { statementMs, lockMs }: { statementMs: number; lockMs: number }) =>
  execute(tx`select set_config('statement_timeout', ${String(statementMs)}, true), set_config('lock_timeout', ${String(lockMs)}, true)`);

/** Lock class for rehearsals in an environment. */
const REHEARSAL_LOCK = 7;

/** Tries to lock the environment's rehearsals until this transaction ends. */
export const tryRehearsal = async (tx: Transaction, environmentId: number) =>
  (await firstValue(tx<{ isTaken: boolean }[]>`
    select pg_try_advisory_xact_lock(${REHEARSAL_LOCK}::int, ${environmentId}::int) as is_taken`)) === true;

export const countQuarantined = (sql: Sql, environmentId: number) =>
  onlyValue(sql<{ count: number }[]>`select count(*) as count from quarantined_facts where environment_id = ${environmentId}`);

/**
 * Moves quarantined facts back into the queue at their positions, all or these, and returns the number. Locks the environment's players: a
 * reset empties queue and quarantine either before or after.
 */
export async function requeueFacts(tx: Transaction, environmentId: number, seqs: readonly number[] | null): Promise<number> {
  await holdPlayers(tx, environmentId);
  const rows = await tx<{ seq: number }[]>`
    with back as (
      delete from quarantined_facts
      where environment_id = ${environmentId} ${seqs === null ? tx`` : tx`and seq = any(${seqs as number[]}::bigint[])`}
      returning environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value
    )
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value)
    select ${tx.unsafe(FINE_LANE)}, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value from back
    returning seq`;
  return rows.length;
}

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
        select * from queued_facts q where q.lane = lane.lane and q.environment_id = ${environmentId} and q.kind <> 'streakPeriod' and q.seq > (select floor from queue_floor)
          order by q.seq desc limit ${KEPT_FACTS}
      ) q
    ), counted as (
      select f.seq, f.part, f."playerId", f."definitionId", f."receivedAt", 'Counted'
      from recent_facts r cross join lateral jsonb_to_recordset(r.facts)
        as f("seq" bigint, "part" smallint, "playerId" uuid, "definitionId" int, "receivedAt" bigint)
      where r.environment_id = ${environmentId}
    ), quarantined as (
      select seq, part, player_id, definition_id, (extract(epoch from received_at) * 1000)::bigint, 'Quarantined'
      from quarantined_facts where environment_id = ${environmentId} and kind <> 'streakPeriod' order by seq desc limit ${KEPT_FACTS}
    )
    select p.external_id, f.definition_id, f.received_at, f.state
    from (select * from waiting union all select * from counted union all select * from quarantined) f
    join players p on p.part = f.part and p.player_id = f.player_id
    order by f.seq desc limit ${KEPT_FACTS}`.execute();

/** When the first known fact was received; null if none was. */
export const selectFirstReceived = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ at: number | null }[]>`
    select min(first_received_at) as at from recent_facts where environment_id = ${environmentId}`);

/** Beyond this the exact count does not matter: a poll must not count a million rows, five times a second. */
const MAX_COUNTED = 10_000;

/** An environment's outstanding work; each count stops at ten thousand. Facts claimed by a worker count until it has committed. */
export interface Waiting {
  /** Accepted but unapplied facts, up to a position in their order. */
  facts: number;
  /** Boards still to be filled with players' present values; in `untilSettled` also leagues with seats to give. */
  fills: number;
  /** Failed facts in quarantine. */
  quarantined: number;
}

/** An environment's outstanding work; facts up to `seq`, of one player if given. They are counted up to `mostFacts`. */
export async function selectWaiting(
  sql: Sql,
  environmentId: number,
  seq: number,
  player: PlayerKey | null,
  mostFacts = MAX_COUNTED,
): Promise<Waiting> {
  const facts =
    player === null
      ? waitingFacts(sql, environmentId, seq, mostFacts)
      : sql`
          select from queued_facts q
          where q.part = ${player.part} and q.player_id = ${player.playerId} and q.environment_id = ${environmentId} and q.seq <= ${seq}::bigint
          limit ${mostFacts}::int`;
  return onlyRow(sql<Waiting[]>`
    select (select count(*) from (${facts}) counted)::int as facts,
      (select count(*)::int from leaderboard_fills where environment_id = ${environmentId} and not is_through) as fills,
      (select count(*)::int from (
        select from quarantined_facts where environment_id = ${environmentId} limit ${MAX_COUNTED}::int) counted) as quarantined`);
}

/**
 * Up to ten thousand deliveries to enabled endpoints, written up to `until` (epoch milliseconds, the database's clock), whose next attempt
 * is due.
 */
export const countDueDeliveries = (sql: Sql, environmentId: number, until: number) =>
  onlyValue(sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
      where e.environment_id = ${environmentId} and e.disabled_at is null and d.status = 'Pending' and d.due_at <= now()
        and d.created_at <= ${until}
      limit ${MAX_COUNTED}::int) counted`);
