import { allValues, firstValue, type Sql } from "#db/client.ts";
import type { Properties } from "#server/model/kernel/values.ts";
import type { ItemEntry } from "#server/model/request-log/entry.ts";
import type { CountedCode, Logged } from "./requests.ts";

/** An item of the tail. `at` is real time, `receivedAt` the environment's clock; epoch milliseconds. */
export interface TailItem extends Omit<ItemEntry, "environmentId" | "resets" | "part" | "playerId"> {
  /** Null if the key is gone. */
  keyName: string | null;
  keyHint: string | null;
  isWaiting: boolean;
  isQuarantined: boolean;
}

export interface ItemFilter {
  player: string | null;
  event: string | null;
  keyId: string | null;
  outcome: "Accepted" | "Refused" | "Quarantined" | null;
  code: string | null;
}

/** An item's position in the tail. */
export interface ItemCursor {
  requestId: string;
  position: number;
}

const LAST: ItemCursor = { requestId: "ffffffff-ffff-ffff-ffff-ffffffffffff", position: -1 };

/** A page of the tail after an item, the newest requests first and their items in the order sent. */
export const selectItems = (
  sql: Sql,
  { id }: Logged,
  { player, event, keyId, outcome, code }: ItemFilter,
  after: ItemCursor | null,
  limit: number,
): Promise<TailItem[]> =>
  sql<TailItem[]>`
    select t.request_id, t.position, t.at, t.received_at, t.trace_id, t.key_id, k.name as key_name,
      k.hint as key_hint, t.is_metric, t.player, t.event, t.event_id, t.code, t.errors, t.payload,
      t.event_id is not null and exists (
        select from queued_facts q where q.part = t.part and q.player_id = t.player_id and q.source_id = t.event_id) as is_waiting,
      t.event_id is not null and exists (
        select from quarantined_facts q where q.environment_id = ${id} and q.part = t.part and q.source_id = t.event_id) as is_quarantined
    from event_tail t left join api_keys k on k.id = t.key_id
    where t.environment_id = ${id}
      and t.request_id <= ${(after ?? LAST).requestId}::uuid
      and (t.request_id < ${(after ?? LAST).requestId}::uuid or t.position > ${(after ?? LAST).position}::int)
      ${player === null ? sql`` : sql`and t.player = ${player}`}
      ${event === null ? sql`` : sql`and t.event = ${event}`}
      ${keyId === null ? sql`` : sql`and t.key_id = ${keyId}::uuid`}
      ${code === null ? sql`` : sql`and t.code = ${code}`}
      and (${outcome === "Accepted"}::boolean is false or t.event_id is not null)
      and (${outcome === "Refused"}::boolean is false or t.event_id is null)
      and (${outcome === "Quarantined"}::boolean is false or t.event_id in (
        select source_id from quarantined_facts where environment_id = ${id}))
    order by t.request_id desc, t.position limit ${limit}::int`.execute();

/**
 * Whether an item repeated an event: the event was received at another instant, or an earlier item at the same instant had it, in this
 * request or, under a clock that stands still, in another.
 */
export const selectIsReplay = async (
  sql: Sql,
  { id }: Logged,
  { requestId, position }: ItemCursor,
  { eventId, receivedAt }: { eventId: string; receivedAt: number },
) =>
  (await firstValue(sql<{ isReplay: boolean }[]>`
    select t.received_at <> ${receivedAt} or exists (
      select from event_tail e where e.environment_id = t.environment_id and e.event_id = t.event_id and e.received_at = t.received_at
        and (e.request_id, e.position) < (t.request_id, t.position)) as is_replay
    from event_tail t where t.environment_id = ${id} and t.request_id = ${requestId}::uuid and t.position = ${position}::int
      and t.event_id = ${eventId}::uuid`)) ?? false;

/** Refused items of answered batches since an instant, by their first code. A refused metric event is a refused request. */
export const countItemCodes = (sql: Sql, { id }: Logged, since: number): Promise<CountedCode[]> =>
  sql<CountedCode[]>`
    select coalesce(code, '') as code, count(*) as count, max(at) as last_at, (max(request_id::text))::uuid as request_id
    from event_tail
    where environment_id = ${id} and code is not null and event_id is null and not is_metric
      and at >= ${since}
    group by code`.execute();

/** Accepted items of players who are in no mission. */
export interface Unentered {
  events: number;
  players: number;
  /** Some of these players. */
  sample: string[];
}

/**
 * The accepted items of some events since an instant whose players are in no mission and have completed none: without an entry, an event
 * counts for nothing. Players are looked up by their keys.
 */
export async function countUnentered(sql: Sql, { id }: Logged, events: readonly string[], since: number): Promise<Unentered> {
  const [row] = await sql<{ events: number; players: number; sample: string[] | null }[]>`
    with sender as materialized (
      select t.part, t.player_id, min(t.player) as player, count(distinct t.event_id) as events
      from event_tail t
      where t.environment_id = ${id} and t.event_id is not null and t.player_id is not null
        and t.event = any(${events as string[]}::text[]) and t.at >= ${since}
      group by t.part, t.player_id
    ), entered as materialized (
      select m.player_id from sender s join mission_states m on m.part = s.part and m.player_id = s.player_id
      union
      select c.player_id from sender s join mission_completions c on c.part = s.part and c.player_id = s.player_id
    )
    select coalesce(sum(s.events), 0)::bigint as events, count(*) as players, (array_agg(s.player order by s.player))[1:3] as sample
    from sender s where not exists (select from entered e where e.player_id = s.player_id)`;
  return { events: row?.events ?? 0, players: row?.players ?? 0, sample: row?.sample ?? [] };
}

/** `properties` is null if the event has none, or more than `maxBytes`. */
export interface RecentProperties {
  at: number;
  isLarge: boolean;
  properties: Properties | null;
}

/**
 * The properties of the tail's newest accepted events of a definition since an instant, the newest first. Read from the log, by its primary
 * key.
 */
export const selectRecentProperties = (
  sql: Sql,
  { id }: Logged,
  { key, definitionId, isMetric }: { key: string; definitionId: number; isMetric: boolean },
  since: number,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<RecentProperties[]> => {
  const isSmall = sql`pg_column_size(l.properties) <= ${maxBytes} and octet_length(l.properties::text) <= ${maxBytes}`;
  return sql<RecentProperties[]>`
    with tail as materialized (
      select t.request_id, t.at, t.part, t.player_id, t.event_id from event_tail t
      where t.environment_id = ${id} and t.event = ${key} and t.is_metric = ${isMetric}::boolean and t.event_id is not null and t.at >= ${since}
      order by t.request_id desc limit ${limit}::int
    )
    select t.at, l.properties is not null and not (${isSmall}) as is_large, case when ${isSmall} then l.properties end as properties
    from tail t join ${sql(isMetric ? "metric_events" : "events")} l
      on l.part = t.part and l.player_id = t.player_id and l.id = t.event_id and l.definition_id = ${definitionId}::int
    order by t.request_id desc`.execute();
};

/** When the oldest item of the tail arrived, epoch milliseconds; null without any. */
export const selectTailStart = (sql: Sql, { id }: Logged) =>
  firstValue(sql<{ at: number }[]>`select at from event_tail where environment_id = ${id} order by request_id limit 1`);

/** Deletes a player's items, and what their events changed; the caller's transaction erases the player. */
export async function deleteItemsOf(
  sql: Sql,
  environmentId: number,
  { part, playerId }: { part: number; playerId: string },
): Promise<string[]> {
  await sql`delete from event_effects where environment_id = ${environmentId} and part = ${part} and player_id = ${playerId}`;
  return allValues(sql<{ requestId: string }[]>`
    delete from event_tail where environment_id = ${environmentId} and part = ${part} and player_id = ${playerId}
    returning request_id`);
}
