import type { Sql } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/array-text.ts";
import { KEPT, type Measure } from "#server/model/kernel/counts.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { BucketSum } from "#server/model/analytics/sums.ts";

/** The sums that a report asks for, by measure, definition, detail and bucket: from each bound up to the next, the last up to `end`. */
export interface SumsQuery {
  measures: readonly Measure[];
  bounds: readonly string[];
  /** The day after the last. */
  end: string;
  /** Without it the sums are over all details. */
  withDetail?: boolean;
  /** Of one definition; of all where it is left out. */
  subject?: number;
}

/** Whose sums are read: those of all players, or of the members that one count of a segment found. */
export interface Population {
  environmentId: number;
  /** The present count of the history of all players. */
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
 * The rows of some measures from a day up to another, as a table to select from, with its parameters. Of all players they are the sums of the
 * present count and those that are never counted anew, compacted or not; of a segment the tables tell them.
 */
function sumsOf({ environmentId, epoch, timeZone, segment }: Population, measures: readonly Measure[], from: string, end: string): Source {
  const range = [arrayText(measures), from, end];
  if (segment !== null)
    return {
      rows: "analytics_of_members($1::int, $2::int, $3::text::text[], $4::text::date, $5::text::date, $6::text)",
      parameters: [segment.id, segment.generation, ...range, timeZone],
    };
  const of = (table: string) => `
    select measure, subject, detail, day, count, amount from ${table}
    where environment_id = $1 and epoch in ($2, $6::int) and measure = any($3::text::text[]) and day >= $4::text::date and day < $5::text::date`;
  return { rows: `(${of("analytics_daily")} union all ${of("analytics_deltas")})`, parameters: [environmentId, epoch, ...range, KEPT] };
}

/** The subselect reads the bounds once: as an expression their text is read again for each row, half a second for ninety days of fifty missions. */
export function selectSums(
  sql: Sql,
  population: Population,
  { measures, bounds, end, withDetail = false, subject }: SumsQuery,
): Promise<BucketSum[]> {
  const { rows, parameters } = sumsOf(population, measures, bounds[0]!, end);
  return sql.unsafe<BucketSum[]>(
    `select measure, subject, ${withDetail ? "detail" : "''"} as detail, width_bucket(day, (select $7::text::date[])) as bucket,
       sum(count)::bigint as count, sum(amount)::text::json as amount
     from ${rows} s where $8::int is null or subject = $8 group by 1, 2, 3, 4`,
    [...parameters, arrayText(bounds), subject ?? null],
    { prepare: false },
  );
}

/** The sum of the amounts of some measures before a day. */
export async function sumBefore(
  sql: Sql,
  population: Population,
  measures: readonly Measure[],
  day: string,
): Promise<Map<string, Numeric>> {
  const { rows: sums, parameters } = sumsOf(population, measures, "-infinity", day);
  const rows = await sql.unsafe<{ measure: string; amount: Numeric }[]>(
    `select measure, sum(amount)::text::json as amount from ${sums} s group by 1`,
    parameters,
    { prepare: false },
  );
  return new Map(rows.map(({ measure, amount }) => [measure, amount]));
}

/** The first day with anything of some measures; null without any. */
export async function firstDayOf(sql: Sql, population: Population, measures: readonly Measure[]): Promise<string | null> {
  const { rows: sums, parameters } = sumsOf(population, measures, "-infinity", "infinity");
  const [row] = await sql.unsafe<{ day: string | null }[]>(`select min(day)::text as day from ${sums} s`, parameters, { prepare: false });
  return row?.day ?? null;
}

/** Players whose history is in the present count, of all; 0 of 0 where it is that of everybody. */
export async function selectProgress(sql: Sql, environmentId: number, epoch: number): Promise<{ done: number; total: number }> {
  const [row] = await sql.unsafe<{ done: number; total: number }[]>(
    `select count(*) filter (where analytics_epoch >= $2) as done, count(*) as total from players
     where environment_id = $1 and exists (select 1 from players p where p.environment_id = $1 and p.analytics_epoch < $2)`,
    [environmentId, epoch],
    { prepare: false },
  );
  return row ?? { done: 0, total: 0 };
}
