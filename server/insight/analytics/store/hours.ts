import type { Sql } from "#db/client.ts";
import { KEPT_EPOCH } from "#server/model/kernel/counts.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

export interface HourSum {
  measure: string;
  day: string;
  hour: number;
  count: number;
  amount: number;
}

/** Sums by hour of some measures of all definitions (`hour.*`), from one day up to another. */
export const selectWholeHours = (
  sql: Sql,
  { environmentId, epoch }: { environmentId: number; epoch: number },
  measures: readonly string[],
  from: string,
  end: string,
): Promise<HourSum[]> =>
  sql<HourSum[]>`
    select measure, day::text as day, detail::int as hour, sum(count)::int8 as count, coalesce(sum(amount), 0)::float8 as amount
    from (
      select measure, detail, day, count, amount from analytics_daily
      where environment_id = ${environmentId} and epoch in (${epoch}::int, ${KEPT_EPOCH}::int) and measure = any(${arrayText(measures)}::text::text[])
        and day >= ${from}::text::date and day < ${end}::text::date
      union all
      select measure, detail, day, count, amount from analytics_deltas
      where environment_id = ${environmentId} and epoch in (${epoch}::int, ${KEPT_EPOCH}::int) and measure = any(${arrayText(measures)}::text::text[])
        and day >= ${from}::text::date and day < ${end}::text::date
    ) s group by 1, 2, 3`.execute();

/** The same for measures that are kept by hour for each definition: of one, or of all together where `subject` is null. */
export function selectHours(
  sql: Sql,
  environmentId: number,
  subject: number | null,
  measures: readonly string[],
  from: string,
  end: string,
): Promise<HourSum[]> {
  // Two statements, each with a plan of its own.
  const ofSubject = subject === null ? sql`` : sql`and subject = ${subject}::int`;
  return sql<HourSum[]>`
    select measure, day::text as day, hour::int as hour, sum(count)::int8 as count, coalesce(sum(amount), 0)::float8 as amount
    from (
      select measure, day, hour, count, amount from analytics_hourly
      where environment_id = ${environmentId} and measure = any(${arrayText(measures)}::text::text[]) ${ofSubject}
        and day >= ${from}::text::date and day < ${end}::text::date
      union all
      select measure, day, hour, count, amount from analytics_deltas
      where environment_id = ${environmentId} and hour is not null and measure = any(${arrayText(measures)}::text::text[]) ${ofSubject}
        and day >= ${from}::text::date and day < ${end}::text::date
    ) s group by 1, 2, 3`.execute();
}

/** Attempts of webhooks by hour of the environment's clock: two sums, `failed` and `delivered`. */
export const selectAttemptHours = (
  sql: Sql,
  { id, timeZone, clockOffsetMs }: { id: number; timeZone: string; clockOffsetMs: number },
  from: string,
  end: string,
): Promise<HourSum[]> =>
  sql<HourSum[]>`
    select m.measure, w.at::date::text as day, extract(hour from w.at)::int as hour, sum(m.count)::int8 as count, 0::float8 as amount
    from (
      select (quarter + ${clockOffsetMs}::float8 * interval '1 ms') at time zone ${timeZone} as at, attempts, delivered
      from analytics_webhooks where environment_id = ${id}
        and quarter >= ${from}::text::timestamp at time zone 'UTC' - interval '1 day' - ${clockOffsetMs}::float8 * interval '1 ms'
    ) w cross join lateral (values ('failed', w.attempts - w.delivered), ('delivered', w.delivered)) as m(measure, count)
    where w.at >= ${from}::text::timestamp and w.at < ${end}::text::timestamp group by 1, 2, 3`.execute();
