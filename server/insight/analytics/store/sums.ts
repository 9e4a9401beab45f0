import { allValues, type Sql } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/stored.ts";
import { KEPT_EPOCH, type CountedMeasure } from "#server/model/kernel/counts.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { BucketSum } from "#server/model/analytics/sums.ts";
import type { Text } from "#server/model/kernel/texts.ts";

/** The sums that a report needs, by measure, definition, detail and bucket. Buckets run from each bound to the next, the last to `end`. */
export interface SumsQuery {
  measures: readonly CountedMeasure[];
  bounds: readonly string[];
  /** The day after the last. */
  end: string;
  /** Whether sums are by detail; otherwise they are over all details. */
  withDetail?: boolean;
  /** For some definitions; for all if left out. */
  subjects?: readonly number[];
  /** For some details; for all if left out. */
  details?: readonly string[];
  /** Over all definitions together, as subject 0: otherwise ten thousand of them have a row for each bucket. */
  isSummed?: boolean;
}

/** The players of the sums: all of them, or the members that one count of a segment found. */
export interface Population {
  environmentId: number;
  /** The present epoch of all players' history. */
  epoch: number;
  timeZone: string;
  segment: { id: number; generation: number } | null;
}

type Parameter = string | number | null;

interface Source {
  rows: string;
  parameters: Parameter[];
}

/**
 * The rows of some measures between two days, as a table to select from, with its parameters. For all players, these are the sums of the
 * present epoch and of the one that is never recounted, compacted or not; for a segment they are computed from the tables.
 */
function sumsOf(
  { environmentId, epoch, timeZone, segment }: Population,
  measures: readonly CountedMeasure[],
  from: string,
  end: string,
): Source {
  const range = [arrayText(measures), from, end];
  if (segment !== null)
    return {
      rows: "analytics_of_members($1::int, $2::int, $3::text::text[], $4::text::date, $5::text::date, $6::text)",
      parameters: [segment.id, segment.generation, ...range, timeZone],
    };
  const of = (table: string) => `
    select measure, subject, detail, day, count, amount from ${table}
    where environment_id = $1 and epoch in ($2, $6::int) and measure = any($3::text::text[]) and day >= $4::text::date and day < $5::text::date`;
  return {
    rows: `(${of("analytics_daily")} union all ${of("analytics_deltas")})`,
    parameters: [environmentId, epoch, ...range, KEPT_EPOCH],
  };
}

/**
 * Sums by measure, definition, detail and bucket. The subselect parses the bounds once: as an expression they are parsed again for each
 * row, half a second for ninety days of fifty missions.
 */
export function selectSums(
  sql: Sql,
  population: Population,
  { measures, bounds, end, withDetail = false, subjects, details, isSummed = false }: SumsQuery,
): Promise<BucketSum[]> {
  const { rows, parameters: range } = sumsOf(population, measures, bounds[0]!, end);
  const parameters = [...range, arrayText(bounds)];
  const among = (column: string, type: "int" | "text", values: readonly (string | number)[] | undefined) =>
    values === undefined ? [] : [`${column} = any((select $${parameters.push(arrayText(values))}::text::${type}[])::${type}[])`];
  const conditions = [...among("subject", "int", subjects), ...among("detail", "text", details)];
  return sql.unsafe<BucketSum[]>(
    `select measure, ${isSummed ? "0" : "subject"} as subject, ${withDetail ? "detail" : "''"} as detail, width_bucket(day, (select $7::text::date[])) as bucket,
       sum(count)::bigint as count, sum(amount)::text::json as amount
     from ${rows} s where ${["true", ...conditions].join(" and ")} group by 1, 2, 3, 4`,
    parameters,
  );
}

/** The definitions with any of some measures. */
export async function selectSubjects(
  sql: Sql,
  population: Population,
  { measures, bounds, end }: Pick<SumsQuery, "measures" | "bounds" | "end">,
): Promise<number[]> {
  const { rows: sums, parameters } = sumsOf(population, measures, bounds[0]!, end);
  const rows = await sql.unsafe<{ subject: number }[]>(
    `select distinct subject from ${sums} s where subject <> 0 and (count <> 0 or amount <> 0)`,
    parameters,
  );
  return rows.map(({ subject }) => subject);
}

/** The sums of amounts before a day, by measure. */
export async function sumBefore(
  sql: Sql,
  population: Population,
  measures: readonly CountedMeasure[],
  day: string,
): Promise<Map<string, Numeric>> {
  const { rows: sums, parameters } = sumsOf(population, measures, "-infinity", day);
  const rows = await sql.unsafe<{ measure: string; amount: Numeric }[]>(
    `select measure, sum(amount)::text::json as amount from ${sums} s group by 1`,
    parameters,
  );
  return new Map(rows.map(({ measure, amount }) => [measure, amount]));
}

/** The first day with any of some measures, of all definitions or of one; null if none. */
export async function firstDayOf(
  sql: Sql,
  population: Population,
  measures: readonly CountedMeasure[],
  subject: number | null = null,
): Promise<string | null> {
  const { rows: sums, parameters } = sumsOf(population, measures, "-infinity", "infinity");
  const [row] = await sql.unsafe<{ day: string | null }[]>(
    `select min(day)::text as day from ${sums} s where $7::int is null or subject = $7::int`,
    [...parameters, subject],
  );
  return row?.day ?? null;
}

/** Players whose history is in the present epoch, out of all; 0 of 0 if all are. */
export async function selectProgress(sql: Sql, environmentId: number, epoch: number): Promise<{ done: number; total: number }> {
  const [row] = await sql.unsafe<{ done: number; total: number }[]>(
    `select count(*) filter (where analytics_epoch >= $2) as done, count(*) as total from players
     where environment_id = $1 and exists (select 1 from players p where p.environment_id = $1 and p.analytics_epoch < $2)`,
    [environmentId, epoch],
  );
  return row ?? { done: 0, total: 0 };
}

/** How a report names a definition. */
export interface NamedDefinition {
  id: number;
  kind: string;
  key: string;
  active: boolean;
  name: Text | null;
}

export async function selectNames(sql: Sql, environmentId: number, kinds: readonly string[]): Promise<Map<number, NamedDefinition>> {
  const rows = await sql<NamedDefinition[]>`
    select id, kind, key, active, body -> 'name' as name from definitions
    where environment_id = ${environmentId} and kind = any(${kinds as string[]}::text[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

export type UnchangedRow = Omit<NamedDefinition, "active">;

/** The missions, listings and events that are on and were last changed before an instant of the environment's clock; oldest first. */
export const selectUnchanged = (sql: Sql, environmentId: number, before: number): Promise<UnchangedRow[]> =>
  sql<UnchangedRow[]>`
    select id, kind, key, body -> 'name' as name from definitions
    where environment_id = ${environmentId} and kind in ('missions', 'marketplaceItems', 'events') and active
      and updated_at < ${before}::timestamptz
    order by updated_at, id`.execute();

/** The listings that have sold a unit, by id. */
export const selectBought = (sql: Sql, environmentId: number) =>
  allValues(sql<{ id: number }[]>`
    select d.id from definitions d
    where d.environment_id = ${environmentId} and d.kind = 'marketplaceItems'
      and exists (select from marketplace_rounds r where r.listing_id = d.id)`);

export interface Valuation {
  points: number;
  /** Exact decimal text. */
  amount: string;
  currency: string;
  /** RFC 3339. */
  effectiveFrom: string;
}

/** The value of points, with the instants from which each valuation holds. */
export const selectValuations = (sql: Sql, environmentId: number): Promise<Valuation[]> =>
  sql<Valuation[]>`
    select coalesce((body ->> 'points')::bigint, 0) as points, coalesce(body ->> 'amount', '') as amount, coalesce(body ->> 'currency', '') as currency,
      coalesce(body ->> 'effectiveFrom', key) as effective_from
    from definitions where environment_id = ${environmentId} and kind = 'pointsValuations' and active`.execute();

/** A sum of one definition over some days; its terms are added or subtracted. */
export interface WantedSum {
  subject: number;
  terms: readonly { measure: CountedMeasure; field: "count" | "amount"; sign: 1 | -1 }[];
  from: string;
  /** The day after the last. */
  end: string;
}

/** The wanted sums, in their order, by one statement: whole numbers, without a begun item, from 0 to 2^53 − 1. */
export async function selectWanted(sql: Sql, environmentId: number, epoch: number, wanted: readonly WantedSum[]): Promise<number[]> {
  const terms = wanted.flatMap(({ terms: own, ...rest }, at) => own.map((term) => ({ ...term, ...rest, at })));
  const column = (name: keyof (typeof terms)[number]) => arrayText(terms.map((term) => term[name]));
  const rows = await sql<{ at: number; value: number }[]>`
    with w as materialized (
      select * from unnest(${column("at")}::text::int[], ${column("measure")}::text::text[], ${column("field")}::text::text[],
        ${column("sign")}::text::int[], ${column("subject")}::text::int[], ${column("from")}::text::date[], ${column("end")}::text::date[])
        as w(at, measure, field, sign, subject, first, after)
    )
    select at, floor(greatest(least(sum(value), ${Number.MAX_SAFE_INTEGER}::int8), 0))::int8 as value from (
      select w.at, w.sign * case w.field when 'count' then d.count else d.amount end as value
      from w join analytics_daily d on d.environment_id = ${environmentId}::int and d.epoch in (${epoch}::int, ${KEPT_EPOCH}::int)
        and d.measure = w.measure and d.subject = w.subject and d.day >= w.first and d.day < w.after
      union all
      select w.at, w.sign * case w.field when 'count' then d.count else d.amount end
      from w join analytics_deltas d on d.environment_id = ${environmentId}::int and d.epoch in (${epoch}::int, ${KEPT_EPOCH}::int)
        and d.measure = w.measure and d.subject = w.subject and d.day >= w.first and d.day < w.after
    ) s group by at`;
  const sums = wanted.map(() => 0);
  for (const { at, value } of rows) sums[at] = value;
  return sums;
}
