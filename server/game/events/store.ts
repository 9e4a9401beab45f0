import type { Sql } from "#db/client.ts";
import { currentTraceScope } from "#db/trace-scope.ts";
import type { Below } from "../../model/kernel/cursor.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { LoggedEvent, NewEvent } from "../../engine/store/applied.ts";

export interface NewPlayer extends PlayerKey {
  externalId: string;
}

/** Events as `appendEvents` takes them: JSON text, made an event at a time, as a batch may hold a hundred thousand numbers. */
export function* eventRows(events: readonly NewEvent[]): Generator<void, string> {
  const rows: string[] = [];
  for (const { part, playerId, id, definitionId, occurredAt, properties } of events) {
    rows.push(writeJson({ p: part, u: playerId, i: id, d: definitionId, o: occurredAt / 1000, x: properties }));
    yield;
  }
  return `[${rows.join()}]`;
}

/**
 * Appends events to the log and to the queue, creating players that may be new, all in one statement: a crash leaves
 * everything or nothing. An id that the log has already is a replay and changes nothing. Positions in the order of facts
 * are given in the order of the batch; rows are inserted in that of the key, so that overlapping retries do not deadlock.
 * False, with nothing written, during a reset and if the environment was reset since it was read, since its known players are gone. Quiet
 * events send no webhooks. The effects of the first `recorded` events are recorded.
 */
export async function appendEvents(
  sql: Sql,
  { id: environmentId, resets }: Pick<Environment, "id" | "resets">,
  receivedAt: number,
  rows: string,
  newPlayers: readonly NewPlayer[],
  { isQuiet = false, recorded = 0 } = {},
): Promise<boolean> {
  const received = receivedAt / 1000;
  const traceparent = currentTraceScope()?.traceparentOf(null) ?? null;
  const players = writeJson(newPlayers.map(({ part, playerId, externalId }) => ({ p: part, u: playerId, e: externalId })));
  const [row] = await sql<{ isOpen: boolean }[]>`
    with locked as materialized (
      select hold_known_players(${environmentId}::int, ${resets}::int) as is_open
    ), item as materialized (
      select r.*, nextval('fact_seq') as seq
      from json_to_recordset(${rows}::text::json) as r(p smallint, u uuid, i uuid, d int, o float8, x json)
      where (select is_open from locked)
    ), created as (
      insert into players (part, player_id, environment_id, external_id, created_at, analytics_epoch)
      select p, u, ${environmentId}::int, e, to_timestamp(${received}::float8),
        coalesce((select s.analytics_epoch from environments s where s.id = ${environmentId}::int), 0)
      from json_to_recordset(${players}::text::json) as r(p smallint, u uuid, e text)
      where (select is_open from locked)
      order by p, u
      on conflict do nothing
    ), logged as (
      insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
      select p, u, i, ${environmentId}::int, d, seq, to_timestamp(o), to_timestamp(${received}::float8), x
      from item order by p, u, i
      on conflict do nothing
      returning *
    ), queued as (
      insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload
        ${traceparent === null ? sql`` : sql`, traceparent`})
      select part >> 4, environment_id, seq, part, player_id, case
          when ${isQuiet}::bool then 'quietEvent'
          when seq <= (select max(first.seq) from (select seq from item limit ${recorded}::int) first) then 'recordedEvent'
          else 'event' end, id, definition_id, occurred_at, received_at, properties
        ${traceparent === null ? sql`` : sql`, ${traceparent}::text`}
      from logged
    )
    select is_open as "isOpen" from locked`;
  return row?.isOpen === true;
}

/** The ids among these that the log has. Planned on each call: a kept plan would be for a small log. */
export async function loggedIds(sql: Sql, ids: readonly (PlayerKey & { id: string })[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.unsafe<{ id: string }[]>(
    `select e.id from json_to_recordset($1::text::json) as r("part" smallint, "playerId" uuid, "id" uuid)
     join events e on e.part = r.part and e.player_id = r."playerId" and e.id = r.id`,
    [writeJson(ids)],
    { prepare: false },
  );
  return new Set(rows.map(({ id }) => id));
}

/** The latest events of one player and some definitions, applied or not, in the order of facts; `before` is a position in it. */
export async function recentEventsOf(
  sql: Sql,
  { part, playerId }: PlayerKey,
  definitionIds: readonly number[],
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<LoggedEvent[]> {
  const rows = await sql<LoggedEvent[]>`
    select e.part, e.player_id as "playerId", e.id, e.definition_id as "definitionId", e.seq,
      (extract(epoch from e.occurred_at) * 1000)::bigint as "occurredAt", (extract(epoch from e.received_at) * 1000)::bigint as "receivedAt",
      coalesce(e.properties, '{}') as properties
    from events e
    where e.part = ${part} and e.player_id = ${playerId} and e.definition_id = any(${definitionIds as number[]}::int[])
      and e.seq < ${before}::bigint
    order by e.seq desc limit ${limit}::int`;
  return rows.toReversed();
}

/** One event of the log; null without one. */
export async function loadEvent(sql: Sql, { part, playerId }: PlayerKey, id: string): Promise<LoggedEvent | null> {
  const [row] = await sql<LoggedEvent[]>`
    select e.part, e.player_id as "playerId", e.id, e.definition_id as "definitionId", e.seq,
      (extract(epoch from e.occurred_at) * 1000)::bigint as "occurredAt", (extract(epoch from e.received_at) * 1000)::bigint as "receivedAt",
      coalesce(e.properties, '{}') as properties
    from events e where e.part = ${part} and e.player_id = ${playerId} and e.id = ${id}`;
  return row ?? null;
}

/** A player's unapplied facts: the positions of queued ones, and the errors of those in quarantine. */
export async function unappliedOf(
  sql: Sql,
  { part, playerId }: PlayerKey,
): Promise<{ waiting: ReadonlySet<number>; quarantined: ReadonlyMap<number, string> }> {
  const rows = await sql<{ seq: number; error: string | null }[]>`
    select seq, null::text as error from queued_facts where part = ${part} and player_id = ${playerId}
    union all select seq, error from quarantined_facts where part = ${part} and player_id = ${playerId}`;
  return {
    waiting: new Set(rows.flatMap(({ seq, error }) => (error === null ? [seq] : []))),
    quarantined: new Map(rows.flatMap(({ seq, error }) => (error === null ? [] : [[seq, error]]))),
  };
}

/**
 * The events of a player received below a cursor, newest first, applied or not. There is no index by time, which would slow the ingest: all
 * the player's events are read by key and the newest kept, 100 ms for 100,000. Only those are expanded into columns.
 */
export const eventsBelow = (sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below<number>, limit: number): Promise<LoggedEvent[]> =>
  sql<LoggedEvent[]>`
    select part, player_id as "playerId", id, definition_id as "definitionId", seq, (extract(epoch from occurred_at) * 1000)::bigint as "occurredAt",
      (extract(epoch from received_at) * 1000)::bigint as "receivedAt", coalesce(properties, '{}') as properties
    from (
      select * from events where part = ${part} and player_id = ${playerId}
        and (received_at, seq) < (to_timestamp(${at / 1000}::float8)::timestamptz(3), ${id}::bigint)
      order by received_at desc, seq desc limit ${limit}::int
    ) e order by received_at desc, seq desc`.execute();
