import type { Transaction } from "#db/client.ts";
import { addNumbers, compareNumbers, type Numeric } from "../../model/kernel/decimal.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { countedPlayersAfter, epochOf, keptSums, recount, type Sum, wrongDays } from "../../insight/analytics/store/counting.ts";

const PAGE = 500;

interface Difference {
  sum: Omit<Sum, "count" | "amount">;
  kept: { count: number; amount: Numeric };
  recounted: { count: number; amount: Numeric };
}

/**
 * Every analytics sum equals that of the tables for counted players, and their days equal the log's. Not compared: sums that no table can
 * reproduce (offers, refusals, lengths of streaks); funnels only as far as they are known.
 */
export async function checkAnalytics(tx: Transaction, { id, timeZone }: Environment): Promise<string[]> {
  const epoch = await epochOf(tx, id);
  const found: string[] = [];
  const differences = new Map<string, Difference>();
  for (const sum of await keptSums(tx, id, epoch)) add(differences, sum, "kept");
  for (let page = await countedPlayersAfter(tx, id, epoch, null, PAGE); page.length > 0;) {
    const counted = page.filter(({ isCounted }) => isCounted);
    const nameOf = new Map(counted.map(({ playerId, externalId }) => [playerId, externalId]));
    for (const { playerId, day, isKept } of await wrongDays(tx, id, timeZone, counted)) {
      const [says, other] = isKept ? ["kept", "the log has no event"] : ["not kept", "the log has events"];
      found.push(`analytics, player "${nameOf.get(playerId)}": the day ${day} is ${says} as active, but ${other} on it`);
    }
    for (const sum of await recount(tx, id, timeZone, counted)) add(differences, sum, "recounted");
    page = await countedPlayersAfter(tx, id, epoch, page.at(-1)!.externalId, PAGE);
  }
  const wrong = [...differences.values()].filter(
    ({ kept, recounted }) => kept.count !== recounted.count || compareNumbers(kept.amount, recounted.amount) !== 0,
  );
  return [...found, ...wrong.map(inWords), ...(await wrongFunnels(tx, id, timeZone)), ...(await wrongAttempts(tx, id))];
}

/** The quarter-hours in which an endpoint's stored attempts differ from those of its deliveries. */
async function wrongAttempts(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ endpointId: string; quarter: string; kept: string | null; recounted: string | null }[]>`
    select coalesce(k.endpoint_id, r.endpoint_id) as endpoint_id, coalesce(k.quarter, r.quarter)::text as quarter, k.figures as kept, r.figures as recounted
    from (
      select endpoint_id, quarter, attempts, delivered, retries, concat_ws('/', attempts, delivered, retries) as figures
      from analytics_webhooks where environment_id = ${environmentId}
    ) k full join (
      select g.*, concat_ws('/', attempts, delivered, retries) as figures from (
        select d.endpoint_id, date_bin('15 minutes', a.started_at, 'epoch') as quarter, count(*) as attempts,
          count(*) filter (where a.response_status between 200 and 299) as delivered, count(*) filter (where a.number > 1) as retries
        from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id where d.environment_id = ${environmentId} group by 1, 2
      ) g
    ) r on r.endpoint_id = k.endpoint_id and r.quarter = k.quarter
    where k.figures is distinct from r.figures
      -- Erasing a player deletes their deliveries, but not the sums that include them.
      and not (exists (select from erasures where environment_id = ${environmentId}) and k.attempts >= coalesce(r.attempts, 0)
        and k.delivered >= coalesce(r.delivered, 0) and k.retries >= coalesce(r.retries, 0))
    order by 1, 2`;
  return rows.map(
    ({ endpointId, quarter, kept, recounted }) =>
      `analytics, attempts (delivered, retries) of endpoint ${endpointId} from ${quarter} on: ${kept ?? "none"} kept, but the deliveries have ${recounted ?? "none"}`,
  );
}

function add(differences: Map<string, Difference>, { count, amount, ...sum }: Sum, side: "kept" | "recounted"): void {
  const name = `${sum.measure} ${sum.subject} ${sum.day} ${sum.detail}`;
  const difference = differences.get(name) ?? { sum, kept: { count: 0, amount: 0 }, recounted: { count: 0, amount: 0 } };
  differences.set(name, difference);
  const before = difference[side];
  difference[side] = { count: before.count + count, amount: addNumbers(before.amount, amount) };
}

function inWords({ sum: { measure, subject, detail, day }, kept, recounted }: Difference): string {
  const name = `${measure}${subject === 0 ? "" : ` of definition ${subject}`}${detail === "" ? "" : ` (${detail})`} on ${day}`;
  const figures = ({ count, amount }: Difference["kept"]) =>
    compareNumbers(amount, 0) === 0 ? `${count}` : `${count} with ${String(amount)}`;
  return `analytics, ${name}: ${figures(kept)} kept, but the tables give ${figures(recounted)}`;
}

/**
 * A cohort of a mission never has more occurrences at a step than at the one before, and its completions equal the tables', by the day of
 * entry in the zone that the project had then. Rows of erased players stay anonymously, and count too.
 */
async function wrongFunnels(tx: Transaction, environmentId: number, timeZone: string): Promise<string[]> {
  const rows = await tx<{ missionId: number; day: string; stages: number[]; completed: number }[]>`
    with kept as (
      select subject as mission_id, day, measure, sum(count)::bigint as count from (
        select subject, day, measure, count from analytics_daily
        where environment_id = ${environmentId}::int and epoch = 0 and measure in ('funnel.entered', 'funnel.accepted', 'funnel.progressed', 'funnel.completed')
        union all
        select subject, day, measure, count from analytics_deltas
        where environment_id = ${environmentId}::int and epoch = 0 and measure in ('funnel.entered', 'funnel.accepted', 'funnel.progressed', 'funnel.completed')
      ) s group by 1, 2, 3
    ), funnels as (
      select mission_id, day,
        coalesce(sum(count) filter (where measure = 'funnel.entered'), 0)::bigint as entered,
        coalesce(sum(count) filter (where measure = 'funnel.accepted'), 0)::bigint as accepted,
        coalesce(sum(count) filter (where measure = 'funnel.progressed'), 0)::bigint as progressed,
        coalesce(sum(count) filter (where measure = 'funnel.completed'), 0)::bigint as completed
      from kept group by 1, 2
    ), completions as (
      select c.mission_id, analytics_day(c.started_at, coalesce((
          select z.zone from leaderboard_zones z where z.environment_id = c.environment_id and z.at > c.started_at order by z.seq limit 1
        ), ${timeZone}::text)) as day, count(*) as completed
      from mission_completions c join environments e on e.id = c.environment_id
      where c.environment_id = ${environmentId}::int and (e.funnels_since is null or c.started_at >= e.funnels_since)
      group by 1, 2
    )
    select coalesce(f.mission_id, t.mission_id) as mission_id, coalesce(f.day, t.day)::text as day,
      to_json(array[coalesce(f.entered, 0), coalesce(f.accepted, 0), coalesce(f.progressed, 0), coalesce(f.completed, 0)]) as stages,
      coalesce(t.completed, 0) as completed
    from funnels f full join completions t on t.mission_id = f.mission_id and t.day = f.day
    where coalesce(f.completed, 0) <> coalesce(t.completed, 0)
      or not (f.entered >= f.accepted and f.accepted >= f.progressed and f.progressed >= f.completed and f.completed >= 0)
    order by 1, 2`;
  return rows.map(
    ({ missionId, day, stages, completed }) =>
      `analytics, funnel of mission ${missionId} entered on ${day}: ${stages.join(", ")} kept (entered, accepted, progressed, completed), but the tables have ${completed} completed`,
  );
}
