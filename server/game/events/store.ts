import { LRUCache } from "lru-cache";
import { firstRow, onlyValue, type Sql, isDuplicate, isUnavailable } from "#db/client.ts";
import { askTogether } from "#db/together.ts";
import { type Bounded, MAX_LISTED_BYTES, withinBytes } from "#db/within-bytes.ts";
import { currentTraceScope } from "#db/trace-scope.ts";
import { arrayText, type Below } from "../../model/kernel/stored.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { FINE_LANE } from "../../model/kernel/lanes.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import { EVENT_COLUMNS, type LoggedEvent, type NewEvent } from "../../engine/store/applied.ts";
import { type AppendedTo, type Receipt, rowToAppend } from "../../engine/store/locks.ts";

export interface FirstSeenPlayer extends PlayerKey {
  externalId: string;
}

/** Events to append, a column each; `properties` has a line for each, as JSON holds no line break. */
export interface EventColumns {
  parts: number[];
  playerIds: string[];
  ids: string[];
  definitionIds: number[];
  occurredAt: number[];
  properties: string;
}

/** The columns of events for `appendEvents`. It yields after each event, since a batch may have a hundred thousand numbers. */
export function* eventColumns(events: readonly NewEvent[]): Generator<void, EventColumns> {
  const properties: string[] = [];
  for (const event of events) {
    properties.push(writeJson(event.properties));
    yield;
  }
  return {
    parts: events.map(({ part }) => part),
    playerIds: events.map(({ playerId }) => playerId),
    ids: events.map(({ id }) => id),
    definitionIds: events.map(({ definitionId }) => definitionId),
    occurredAt: events.map(({ occurredAt }) => occurredAt / 1000),
    properties: properties.join("\n"),
  };
}

export interface Append extends Receipt {
  environment: AppendedTo;
  events: EventColumns;
  /** Players that may be new. */
  newPlayers: readonly FirstSeenPlayer[];
  /** Sends no webhooks for the effects of the events. */
  isQuiet: boolean;
  /** The number of events, from the first on, whose effects the fold records. */
  recorded: number;
}

/** Appends of one environment, received alike. */
type Appends = readonly [Append, ...Append[]];

/** The instant of receipt, on the environment's clock; null if nothing was written. */
export type Appended = { receivedAt: number } | null;

/**
 * Appends events of an environment, all quiet or none, to the log and the queue, and creates players that may be new. It is one statement,
 * so a crash leaves everything or nothing. An id that is in the log is a replay and changes nothing. Positions in the order of facts follow
 * the order of the requests and of each batch; rows are inserted in the order of their key, so that overlapping retries do not deadlock.
 * Nothing is written, and the answers are null, during a reset and if the environment was reset since it was read, since its known players
 * are gone; also if a remembered key is not confirmed. The events of several requests are all recorded or all not. If they are given as new,
 * a replay among them is an `isDuplicate` error, and nothing is written.
 */
async function appendEvents(sql: Sql, as: "spread" | "new" | "mixed", appends: Appends): Promise<readonly Appended[]> {
  const [{ environment, isQuiet, remembered }] = appends;
  const { id: environmentId } = environment;
  const isSpread = as === "spread";
  const recorded = appends.reduce((sum, one) => sum + one.recorded, 0);
  const traceparent = currentTraceScope()?.traceparentOf(null) ?? null;
  const column = <T extends string | number>(of: (append: Append) => readonly T[]) =>
    arrayText(appends.length === 1 ? of(appends[0]) : appends.flatMap(of));
  const newPlayers = appends.flatMap(({ newPlayers: players }) =>
    players.map(({ part, playerId, externalId }) => ({ p: part, u: playerId, e: externalId })),
  );
  const [row] = await sql<{ receivedAt: number; realNow: number; isUseDue: boolean }[]>`
    with locked as materialized (${rowToAppend(sql, environment, appends[0])}
    ), item as materialized (
      select r.p, r.u, r.i, r.d, r.o, r.x::json as x, l.received_at as r, nextval('fact_seq') as seq
      from locked l, (
        select unnest(${column(({ events }) => events.parts)}::text::smallint[]) as p, unnest(${column(({ events }) => events.playerIds)}::text::uuid[]) as u,
          unnest(${column(({ events }) => events.ids)}::text::uuid[]) as i, unnest(${column(({ events }) => events.definitionIds)}::text::int[]) as d,
          unnest(${column(({ events }) => events.occurredAt)}::text::float8[]) as o,
          string_to_table(${appends.map(({ events }) => events.properties).join("\n")}::text, chr(10)) as x
      ) r
    ), ${newPlayers.length === 0 ? sql`` : created(sql, environmentId, newPlayers)} logged as (
      ${isSpread ? loggedThere(sql, environmentId) : logged(sql, environmentId, as === "mixed")}
    ), queued as (
      insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload
        ${traceparent === null ? sql`` : sql`, traceparent`})
      select ${sql.unsafe(FINE_LANE)}, environment_id, seq, part, player_id, case
          when ${isQuiet}::bool then 'quietEvent'
          when seq <= (select max(first.seq) from (select seq from item limit ${recorded}::int) first) then 'recordedEvent'
          else 'event' end, id, definition_id, occurred_at, received_at, properties
        ${traceparent === null ? sql`` : sql`, ${traceparent}::text`}
      from logged
    )
    select received_at, real_now, is_use_due from locked`;
  if (row === undefined) return appends.map(() => null);
  const { receivedAt, realNow, isUseDue } = row;
  remembered?.confirm(realNow, isUseDue);
  return appends.map(() => ({ receivedAt }));
}

/** Writes the events to the log; those already in it are left out if there may be some, and otherwise make the statement fail. */
const logged = (sql: Sql, environmentId: number, mayHaveReplays: boolean) => sql`
  insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
  select p, u, i, ${environmentId}::int, d, seq, to_timestamp(o), r, x
  from item order by p, u, i, seq
  ${mayHaveReplays ? sql`on conflict do nothing` : sql``}
  returning *`;

/** The same in a distributed database, whose machines get the rows as JSON texts (`log_events` in db/scale/functions/events.sql). */
const loggedThere = (sql: Sql, environmentId: number) => sql`
  select ${asLogged(sql, environmentId)}
  from (
    select array_agg(p) as parts, array_agg(seq) as seqs, array_agg(json_build_object('p', p, 'u', u, 'i', i, 'd', d, 'o', o, 'r', date_part('epoch', r), 'x', x)::text) as rows
    from item
  ) a
  cross join log_events(${environmentId}::int, a.parts, a.seqs, a.rows, null) l join item i on i.seq = l.seq`;

const asLogged = (sql: Sql, environmentId: number) => sql`
  i.p as part, i.u as player_id, i.i as id, ${environmentId}::int as environment_id, i.d as definition_id, i.seq, to_timestamp(i.o) as occurred_at,
  i.r as received_at, i.x as properties`;

/** Creates players that may be new. */
const created = (sql: Sql, environmentId: number, players: readonly object[]) => sql`created as (
      insert into players (part, player_id, environment_id, external_id, created_at, analytics_epoch)
      select r.p, r.u, ${environmentId}::int, r.e, l.received_at,
        coalesce((select s.analytics_epoch from environments s where s.id = ${environmentId}::int), 0)
      from locked l, json_to_recordset(${writeJson(players)}::text::json) as r(p smallint, u uuid, e text)
      order by 1, 2
      on conflict do nothing
    ),`;

const selectIsSpread = (sql: Sql) => onlyValue(sql<{ isSpread: boolean }[]>`select is_spread() as is_spread`);

/** Environments that sent a replay within the last minute. */
const REPLAYING = { max: 10_000, ttl: 60_000 };

/**
 * `appendEvents` at the lowest cost. Looking for each event in the log takes a quarter of the statement, so events are appended as new ones;
 * if a replay is among them, they are appended again, and for a minute the environment's events are looked for. So an environment that
 * sends replays has one failed statement a minute.
 */
function appendCheaply(sql: Sql) {
  // Cached, since a database becomes distributed only while no process uses it.
  let known: Promise<boolean> | null = null;
  const isSpread = () => (known ??= selectIsSpread(sql).catch((error: unknown) => ((known = null), Promise.reject(error))));
  const replaying = new LRUCache<number, true>(REPLAYING);
  return async (appends: Appends): Promise<readonly Appended[]> => {
    if (await isSpread()) return appendEvents(sql, "spread", appends);
    const { id } = appends[0].environment;
    if (replaying.has(id)) return appendEvents(sql, "mixed", appends);
    try {
      return await appendEvents(sql, "new", appends);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      replaying.set(id, true);
      return appendEvents(sql, "mixed", appends);
    }
  };
}

/** Requests in one statement. */
const MAX_TOGETHER = 64;
/** Larger requests do not share a statement: they gain little, and others would wait for them. */
export const MAX_SHARED_EVENTS = 10;
const MAX_SHARED_CHARACTERS = 20_000;

/**
 * Appends the accepted events of requests (`appendEvents`). Small requests of an environment that arrive while another one is being written
 * share the next statement and its commit, since most backends send one event per request. A lone request does not wait. If the database
 * rejects a shared statement, each request is written separately, so that none fails because of another. If it is unreachable, all fail.
 */
export function appender(sql: Sql): (append: Append) => Promise<Appended> {
  const appendAll = appendCheaply(sql);
  const alone = async (append: Append) => (await appendAll([append]))[0]!;
  const together = askTogether<Append, Appended>({
    groupOf: ({ environment, isQuiet, recorded, remembered, receivedAt }) =>
      `${environment.id} ${environment.resets} ${isQuiet} ${recorded > 0} ${remembered?.name ?? ""} ${receivedAt ?? ""}`,
    most: MAX_TOGETHER,
    async ask(appends) {
      try {
        return await appendAll(appends as [Append, ...Append[]]);
      } catch (error) {
        if (appends.length === 1 || isUnavailable(error)) throw error;
        return appends.map(alone);
      }
    },
  });
  return (append) => {
    const { ids, properties } = append.events;
    const isOfOneKind = append.recorded === 0 || append.recorded === ids.length;
    // A traced request has its own statement, whose events carry its trace.
    const isSmall = ids.length <= MAX_SHARED_EVENTS && properties.length <= MAX_SHARED_CHARACTERS;
    const mayShare = isOfOneKind && isSmall && currentTraceScope() === undefined;
    return mayShare ? together(append) : alone(append);
  };
}

/** The ids among these that are in the log. Planned on each call, since a cached plan would be one for a small log. */
export async function loggedIds(sql: Sql, ids: readonly (PlayerKey & { id: string })[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.unsafe<{ id: string }[]>(
    `select e.id from json_to_recordset($1::text::json) as r("part" smallint, "playerId" uuid, "id" uuid)
     join events e on e.part = r.part and e.player_id = r."playerId" and e.id = r.id`,
    [writeJson(ids)],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * A player's latest events of some definitions before a position, applied or not, in the order of facts; fewer if they are large, and then
 * the first one is full.
 */
export async function recentEventsOf(
  sql: Sql,
  { part, playerId }: PlayerKey,
  definitionIds: readonly number[],
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<(LoggedEvent & Bounded)[]> {
  const latest = sql`
    select *, coalesce(octet_length(properties::text), 0) as bytes from events
    where part = ${part} and player_id = ${playerId} and definition_id = any(${definitionIds as number[]}::int[]) and seq < ${before}::bigint
    order by seq desc limit ${limit}::int`;
  return sql<(LoggedEvent & Bounded)[]>`
    select ${sql.unsafe(EVENT_COLUMNS)}, is_full from (${withinBytes(sql, latest, MAX_LISTED_BYTES)}) e order by seq`.execute();
}

/** One event of the log; null if it has none of this id. */
export const loadEvent = (sql: Sql, { part, playerId }: PlayerKey, id: string) =>
  firstRow(sql<LoggedEvent[]>`
    select ${sql.unsafe(EVENT_COLUMNS)}
    from events e where e.part = ${part} and e.player_id = ${playerId} and e.id = ${id}`);

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
 * A player's events below a cursor, last received first, applied or not. An index by time would slow ingestion, so all events of the player
 * are read by key and sorted: 100 ms for 100,000. Only the page is expanded into columns. Fewer if they are large, and then the last one
 * is full.
 */
export function eventsBelow(sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below<number>, limit: number) {
  const page = sql`
    select * from (
      select *, coalesce(octet_length(properties::text), 0) as bytes from events where part = ${part} and player_id = ${playerId}
        and (received_at, seq) < (${at}, ${id}::bigint)
      order by received_at desc, seq desc limit ${limit}::int
    ) e`;
  return sql<(LoggedEvent & Bounded)[]>`
    select ${sql.unsafe(EVENT_COLUMNS)}, is_full from (${withinBytes(sql, page, MAX_LISTED_BYTES)}) e order by received_at desc, seq desc`.execute();
}
