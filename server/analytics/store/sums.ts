import type { Sql } from "../../../db/client.ts";
import { arrayText } from "../../kernel/array-text.ts";
import { KEPT, type Measure } from "../../kernel/counts.ts";
import type { Numeric } from "../../kernel/decimal.ts";
import type { BucketSum } from "../sums.ts";

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

/** The rows of an environment's sums in the present count, and those that are never counted anew, compacted or not. */
const CURRENT = `(
    select measure, subject, detail, day, count, amount from analytics_daily
    where environment_id = $1 and epoch in ($2, ${KEPT}) and measure = any($3::text::text[]) and day >= $4::text::date and day < $5::text::date
    union all
    select measure, subject, detail, day, count, amount from analytics_deltas
    where environment_id = $1 and epoch in ($2, ${KEPT}) and measure = any($3::text::text[]) and day >= $4::text::date and day < $5::text::date
  )`;

export function selectSums(
  sql: Sql,
  environmentId: number,
  epoch: number,
  { measures, bounds, end, withDetail = false, subject }: SumsQuery,
): Promise<BucketSum[]> {
  return sql.unsafe<BucketSum[]>(
    `select measure, subject, ${withDetail ? "detail" : "''"} as detail, width_bucket(day, $6::text::date[]) as bucket,
       sum(count)::bigint as count, sum(amount)::text::json as amount
     from ${CURRENT} s where $7::int is null or subject = $7 group by 1, 2, 3, 4`,
    [environmentId, epoch, arrayText(measures), bounds[0]!, end, arrayText(bounds), subject ?? null],
    { prepare: false },
  );
}

/** The sum of the amounts of some measures before a day. */
export async function sumBefore(
  sql: Sql,
  environmentId: number,
  epoch: number,
  measures: readonly Measure[],
  day: string,
): Promise<Map<string, Numeric>> {
  const rows = await sql.unsafe<{ measure: string; amount: Numeric }[]>(
    `select measure, sum(amount)::text::json as amount from ${CURRENT} s group by 1`,
    [environmentId, epoch, arrayText(measures), "-infinity", day],
    { prepare: false },
  );
  return new Map(rows.map(({ measure, amount }) => [measure, amount]));
}

/** The first day with anything of some measures; null without any. */
export async function firstDayOf(sql: Sql, environmentId: number, epoch: number, measures: readonly Measure[]): Promise<string | null> {
  const [row] = await sql.unsafe<{ day: string | null }[]>(
    `select min(day)::text as day from ${CURRENT} s`,
    [environmentId, epoch, arrayText(measures), "-infinity", "infinity"],
    { prepare: false },
  );
  return row?.day ?? null;
}

/** Players whose history is in the present count, of all; 0 of 0 where it is that of everybody. */
export async function selectProgress(sql: Sql, environmentId: number, epoch: number): Promise<{ done: number; total: number }> {
  const [row] = await sql.unsafe<{ done: number; total: number }[]>(
    `select count(*) filter (where analytics_epoch >= $2) as done, count(*) as total from players
     where environment_id = $1 and exists (select from players p where p.environment_id = $1 and p.analytics_epoch < $2)`,
    [environmentId, epoch],
    { prepare: false },
  );
  return row ?? { done: 0, total: 0 };
}
