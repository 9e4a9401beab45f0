import type { Sql } from "#db/client.ts";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import { FINE_LANES } from "#server/model/kernel/lanes.ts";

/** Beyond this the exact count does not matter, and the page is read again every few seconds. */
const MAX_COUNTED = 10_000;
/** Environments per page. */
const MAX_ENVIRONMENTS = 100;

export interface WorkRow {
  project: string;
  projectName: string;
  environment: EnvironmentKind;
  facts: number;
  oldestFactSeconds: number | null;
  quarantined: number;
  deliveries: number;
  oldestDeliverySeconds: number | null;
  periods: number;
  oldestPeriodSeconds: number | null;
  scheduledChanges: number;
  imports: number;
  eventDays: number | null;
  /** Epoch milliseconds on the environment's clock. */
  purgedBefore: number | null;
  isPurging: boolean;
}

/** The backlog of a project's environments, or of all projects', those by the age of their oldest fact. */
export const selectWork = (sql: Sql, projectId: string | null): Promise<WorkRow[]> =>
  sql<WorkRow[]>`
    select p.slug as project, p.name as "projectName", e.kind as environment,
      f.count as facts, extract(epoch from c.now - f.oldest)::float8 as "oldestFactSeconds",
      (select count(*)::int from (
        select from quarantined_facts q where q.environment_id = e.id limit ${MAX_COUNTED}::int) q) as quarantined,
      d.count as deliveries, extract(epoch from clock_timestamp() - d.oldest)::float8 as "oldestDeliverySeconds",
      l.count as periods, extract(epoch from c.now - l.oldest)::float8 as "oldestPeriodSeconds",
      (select count(*)::int from scheduled_changes s
        where s.environment_id = e.id and s.failed_at is null and s.due_at <= c.now) as "scheduledChanges",
      (select count(*)::int from imports i where i.environment_id = e.id and i.status in ('Checking', 'Running')) as imports,
      r.event_days as "eventDays", (extract(epoch from r.purged_before) * 1000)::bigint as "purgedBefore",
      coalesce(r.after_part is not null, false) as "isPurging"
    from projects p join environments e on e.project_id = p.id
    left join retention r on r.environment_id = e.id
    cross join lateral (select clock_timestamp() + make_interval(secs => e.clock_offset_ms / 1000.0) as now) c
    cross join lateral (
      select
        (select count(*)::int from (
          select from generate_series(0, ${FINE_LANES - 1}::int) l(lane) cross join lateral (
            select from queued_facts q where q.lane = l.lane and q.environment_id = e.id limit ${MAX_COUNTED}::int) q
          limit ${MAX_COUNTED}::int) counted) as count,
        (select min(q.received_at) from generate_series(0, ${FINE_LANES - 1}::int) l(lane) cross join lateral (
          select received_at from queued_facts q where q.lane = l.lane and q.environment_id = e.id order by seq limit 1) q) as oldest
    ) f
    cross join lateral (
      select count(*)::int as count, min(w.due_at) as oldest from (
        select d.due_at from webhook_endpoints h join webhook_deliveries d on d.endpoint_id = h.id
        where h.environment_id = e.id and h.disabled_at is null and d.status = 'Pending' and d.due_at <= clock_timestamp()
        limit ${MAX_COUNTED}::int
      ) w
    ) d
    cross join lateral (
      select count(*)::int as count, min(l.due_at) as oldest from leaderboard_periods l where l.environment_id = e.id and l.due_at <= c.now
    ) l
    where p.archived_at is null and p.test_of is null and (${projectId}::uuid is null or p.id = ${projectId}::uuid)
    order by f.oldest nulls last, p.slug, e.kind limit ${MAX_ENVIRONMENTS}::int`.execute();
