import { currentTraceScope } from "#db/trace-scope.ts";
import { firstRow, type Sql } from "#db/client.ts";
import { type Bounded, MAX_LISTED_BYTES, withinBytes } from "#db/within-bytes.ts";
import type { Below } from "../../model/kernel/stored.ts";
import type { Numeric } from "../../model/kernel/decimal.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { FINE_LANE } from "../../model/kernel/lanes.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { MetricAmount } from "../../model/metrics/values.ts";
import { type LoggedMetricEvent, METRIC_EVENT_COLUMNS } from "../../engine/store/applied.ts";
import { type AppendedTo, type Receipt, rowToAppend } from "../../engine/store/locks.ts";

export interface NewMetricEvent extends PlayerKey, Omit<MetricAmount, "metric"> {
  externalId: string;
  id: string;
  definitionId: number;
  occurredAt: number;
  /** The zone of the player's days from now on; null leaves it unchanged. */
  timeZone: string | null;
  /** The live tail keeps the item and its effects. */
  isRecorded: boolean;
}

/** A logged metric event, with the current running total. */
export interface MetricEventRow extends Omit<MetricAmount, "metric" | "properties"> {
  id: string;
  occurredAt: number;
  receivedAt: number;
  total: Numeric;
}

/**
 * Appends a metric event to the log and to the queue, adds it to the player's running total and creates the player, all in one statement;
 * returns the new total. A known player is locked only to change the time zone, since folds lock players for a while. Null for a replay,
 * whose id is in the log: nothing changes. Undefined where `appendEvents` would return null: nothing is written.
 */
export async function appendMetricEvent(
  sql: Sql,
  environment: AppendedTo,
  event: NewMetricEvent,
  receipt: Receipt,
): Promise<{ total: Numeric | null; receivedAt: number } | undefined> {
  const { id: environmentId } = environment;
  const { part, playerId, externalId, timeZone, isRecorded, ...rest } = event;
  const text = writeJson(rest);
  const traceparent = currentTraceScope()?.traceparentOf(null) ?? null;
  const [row] = await sql<{ receivedAt: number; realNow: number; isUseDue: boolean; total: Numeric | null }[]>`
    with locked as materialized (${rowToAppend(sql, environment, receipt)}
    ), item as materialized (
      select r.*, l.received_at, nextval('fact_seq') as seq
      from locked l, json_to_record(${text}::text::json) as r("id" uuid, "definitionId" int, "occurredAt" float8, "value" numeric, "currencyCode" text,
        "exchangeRate" numeric, "normalizedValue" numeric, "properties" json)
    ), logged as (
      insert into metric_events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, value, currency_code,
        exchange_rate, normalized_value, properties)
      select ${part}::smallint, ${playerId}::uuid, id, ${environmentId}::int, "definitionId", seq, to_timestamp("occurredAt" / 1000),
        received_at, value, "currencyCode", "exchangeRate", "normalizedValue", properties
      from item
      on conflict do nothing
      returning *
    ), created as (
      insert into players (part, player_id, environment_id, external_id, time_zone, created_at, analytics_epoch)
      select part, player_id, environment_id, ${externalId}::text, ${timeZone}::text, received_at,
        coalesce((select s.analytics_epoch from environments s where s.id = ${environmentId}::int), 0)
      from logged
      where not exists (select 1 from players p where p.part = ${part}::smallint and p.player_id = ${playerId}::uuid
        and (${timeZone}::text is null or p.time_zone is not distinct from ${timeZone}::text))
      on conflict (part, player_id) do update set time_zone = excluded.time_zone where excluded.time_zone is not null
    ), added as (
      insert into metric_totals (part, player_id, definition_id, total)
      select part, player_id, definition_id, normalized_value from logged
      on conflict (part, player_id, definition_id) do update set total = metric_totals.total + excluded.total
      returning total
    ), queued as (
      insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value
        ${traceparent === null ? sql`` : sql`, traceparent`})
      select ${sql.unsafe(FINE_LANE)}, environment_id, seq, part, player_id, ${isRecorded ? "recordedMetric" : "metric"}::text, id, definition_id, occurred_at, received_at, properties,
        normalized_value::text::json ${traceparent === null ? sql`` : sql`, ${traceparent}::text`}
      from logged
    )
    select received_at, real_now, is_use_due, (select total::text::json from added) as total from locked`;
  if (row === undefined) return undefined;
  const { total, receivedAt, realNow, isUseDue } = row;
  receipt.remembered?.confirm(realNow, isUseDue);
  return { total, receivedAt };
}

/** A metric event of the log; null if there is none of this id. */
export const loadMetricEvent = (sql: Sql, { part, playerId }: PlayerKey, id: string) =>
  firstRow(sql<MetricEventRow[]>`
    select e.id, e.value::text::json as value, e.currency_code, e.exchange_rate::text::json as exchange_rate,
      e.normalized_value::text::json as normalized_value, e.occurred_at, e.received_at, t.total::text::json as total
    from metric_events e join metric_totals t on t.part = e.part and t.player_id = e.player_id and t.definition_id = e.definition_id
    where e.part = ${part} and e.player_id = ${playerId} and e.id = ${id}`);

/** The running totals of a player by metric id; metrics without events are left out. */
export async function totalsOf(sql: Sql, { part, playerId }: PlayerKey): Promise<Map<number, Numeric>> {
  const rows = await sql<{ definitionId: number; total: Numeric }[]>`
    select definition_id, total::text::json as total from metric_totals where part = ${part} and player_id = ${playerId}`;
  return new Map(rows.map(({ definitionId, total }) => [definitionId, total]));
}

/** As `recentEventsOf` of the event log, for metrics. */
export async function recentMetricEventsOf(
  sql: Sql,
  { part, playerId }: PlayerKey,
  definitionIds: readonly number[],
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<(LoggedMetricEvent & Bounded)[]> {
  const latest = sql`
    select *, coalesce(octet_length(properties::text), 0) as bytes from metric_events
    where part = ${part} and player_id = ${playerId} and definition_id = any(${definitionIds as number[]}::int[]) and seq < ${before}::bigint
    order by seq desc limit ${limit}::int`;
  return sql<(LoggedMetricEvent & Bounded)[]>`
    select ${sql.unsafe(METRIC_EVENT_COLUMNS)}, is_full from (${withinBytes(sql, latest, MAX_LISTED_BYTES)}) e order by seq`.execute();
}

/** One metric event of the log, with its position; null if there is none of this id. */
export const loadLoggedMetricEvent = (sql: Sql, { part, playerId }: PlayerKey, id: string) =>
  firstRow(sql<LoggedMetricEvent[]>`
    select ${sql.unsafe(METRIC_EVENT_COLUMNS)}
    from metric_events e where e.part = ${part} and e.player_id = ${playerId} and e.id = ${id}`);

interface WrongTotal {
  externalId: string;
  metric: string;
  total: Numeric;
  sum: Numeric;
}

/** Totals that differ from the sum of their events, purged ones included; for `audit`. */
export async function wrongTotals(sql: Sql, environmentId: number): Promise<WrongTotal[]> {
  return sql<WrongTotal[]>`
    select p.external_id, d.key as metric, coalesce(t.total, 0)::text::json as total, (coalesce(t.purged, 0) + coalesce(e.sum, 0))::text::json as sum
    from (select part, player_id, definition_id, sum(normalized_value) as sum from metric_events where environment_id = ${environmentId}
      group by part, player_id, definition_id) e
    full join metric_totals t using (part, player_id, definition_id)
    join players p using (part, player_id)
    join definitions d on d.id = definition_id
    where p.environment_id = ${environmentId} and coalesce(t.total, 0) <> coalesce(t.purged, 0) + coalesce(e.sum, 0)
    order by 1, 2`;
}

/** As `eventsBelow` of the event log. */
export function metricEventsBelow(sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below<number>, limit: number) {
  const page = sql`
    select * from (
      select *, coalesce(octet_length(properties::text), 0) as bytes from metric_events where part = ${part} and player_id = ${playerId}
        and (received_at, seq) < (${at}, ${id}::bigint)
      order by received_at desc, seq desc limit ${limit}::int
    ) e`;
  return sql<(LoggedMetricEvent & Bounded)[]>`
    select ${sql.unsafe(METRIC_EVENT_COLUMNS)}, is_full from (${withinBytes(sql, page, MAX_LISTED_BYTES)}) e order by received_at desc, seq desc`.execute();
}
