import type { Transaction } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/array-text.ts";
import { KEPT } from "#server/model/kernel/counts.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import { columns, type OldEvent } from "./purge.ts";

interface Deleted extends PlayerKey {
  definitionId: number;
  /** As the database writes it: a `Date` would change years 1 to 99. */
  occurredAt: string;
  /** What it added to its metric's total; null for a plain event. */
  amount: string | null;
}

/**
 * Deletes events of locked players but keeps what depends on them: their part of the metrics' totals, the players' active days, and their
 * analytics sums, which move to the epoch that is never recounted. Returns the number of events.
 */
export async function deleteEvents(
  tx: Transaction,
  environmentId: number,
  epoch: number,
  timeZone: string,
  events: readonly OldEvent[],
): Promise<number> {
  const [plain, metrics] = [events.filter(({ isMetric }) => !isMetric), events.filter(({ isMetric }) => isMetric)];
  const deleted = (await Promise.all([deletePlain(tx, plain), deleteOfMetrics(tx, metrics)])).flat();
  const days = await moveSums(tx, environmentId, epoch, timeZone, deleted);
  await Promise.all([
    keepTotals(
      tx,
      deleted.filter(({ amount }) => amount !== null),
    ),
    keepDays(tx, days),
  ]);
  return deleted.length;
}

const keysOf = (tx: Transaction, events: readonly OldEvent[]) => {
  const [parts, players] = columns(events);
  return tx`(select unnest(${parts}::text::smallint[]) as part, unnest(${players}::text::uuid[]) as player_id,
    unnest(${arrayText(events.map(({ id }) => id))}::text::uuid[]) as id)`;
};

async function deletePlain(tx: Transaction, events: readonly OldEvent[]): Promise<Deleted[]> {
  if (events.length === 0) return [];
  return tx<Deleted[]>`
    delete from events e using ${keysOf(tx, events)} k where e.part = k.part and e.player_id = k.player_id and e.id = k.id
    returning e.part, e.player_id as "playerId", e.definition_id as "definitionId", e.occurred_at::text as "occurredAt", null::text as amount`;
}

async function deleteOfMetrics(tx: Transaction, events: readonly OldEvent[]): Promise<Deleted[]> {
  if (events.length === 0) return [];
  return tx<Deleted[]>`
    delete from metric_events e using ${keysOf(tx, events)} k where e.part = k.part and e.player_id = k.player_id and e.id = k.id
    returning e.part, e.player_id as "playerId", e.definition_id as "definitionId", e.occurred_at::text as "occurredAt",
      e.normalized_value::text as amount`;
}

type Day = PlayerKey & { day: string };

/** Moves the sums of deleted events to the epoch that is never recounted; returns their days. */
async function moveSums(
  tx: Transaction,
  environmentId: number,
  epoch: number,
  timeZone: string,
  deleted: readonly Deleted[],
): Promise<Day[]> {
  if (deleted.length === 0) return [];
  return tx<Day[]>`
    with facts as materialized (
      select part, "playerId" as player_id, "definitionId" as definition_id, amount,
        analytics_day("occurredAt", ${timeZone}::text) as day, analytics_hour("occurredAt", ${timeZone}::text) as hour
      from json_to_recordset(${writeJson(deleted)}::text::json)
        as r("part" smallint, "playerId" uuid, "definitionId" int, "occurredAt" timestamptz, "amount" numeric)
    ), sums as (
      insert into analytics_deltas (environment_id, epoch, measure, subject, detail, day, count, amount)
      select ${environmentId}::int, m.epoch, s.measure, s.subject, s.detail, s.day, m.sign * s.count, m.sign * s.amount
      from (
        select case when amount is null then 'event' else 'metric' end as measure, definition_id as subject, '' as detail, day, count(*) as count,
          coalesce(sum(amount), 0) as amount
        from facts group by amount is null, definition_id, day
        union all
        select 'hour.events', 0, hour, day, count(*), 0 from facts group by hour, day
      ) s cross join (values (${epoch}::int, -1), (${KEPT}::int, 1)) as m(epoch, sign)
    )
    select distinct part, player_id as "playerId", day::text as day from facts`;
}

async function keepTotals(tx: Transaction, deleted: readonly Deleted[]): Promise<void> {
  if (deleted.length === 0) return;
  const rows = deleted.map(({ part, playerId, definitionId, amount }) => ({ part, playerId, definitionId, amount }));
  await tx`
    update metric_totals t set purged = t.purged + s.amount
    from (
      select part, "playerId" as player_id, "definitionId" as definition_id, sum(amount) as amount
      from json_to_recordset(${writeJson(rows)}::text::json) as r("part" smallint, "playerId" uuid, "definitionId" int, "amount" numeric)
      group by 1, 2, 3
    ) s
    where t.part = s.part and t.player_id = s.player_id and t.definition_id = s.definition_id`;
}

async function keepDays(tx: Transaction, days: readonly Day[]): Promise<void> {
  if (days.length === 0) return;
  const [parts, players] = columns(days);
  await tx`
    update player_days d set is_kept = true
    from (select unnest(${parts}::text::smallint[]) as part, unnest(${players}::text::uuid[]) as player_id,
      unnest(${arrayText(days.map(({ day }) => day))}::text::date[]) as day) k
    where d.part = k.part and d.player_id = k.player_id and d.day = k.day and not d.is_kept`;
}
