import { execute, hasRow, onlyRow, type Sql } from "#db/client.ts";
import type { EnvironmentKind } from "../../model/kernel/environment.ts";
import { FINE_LANES } from "../../model/kernel/lanes.ts";

export interface DatabaseRow {
  version: string;
  bytes: number;
  connections: number;
  activeConnections: number;
  mostConnections: number;
  longestTransactionSeconds: number | null;
}

export const selectDatabase = (sql: Sql) =>
  onlyRow(sql<DatabaseRow[]>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, count(*)::int as connections,
      (count(*) filter (where state = 'active' and pid <> pg_backend_pid()))::int as active_connections,
      current_setting('max_connections')::int as most_connections,
      (extract(epoch from clock_timestamp() - min(xact_start) filter (where pid <> pg_backend_pid())))::float8 as longest_transaction_seconds
    from pg_stat_activity where datname = current_database()`);

export interface TableRow {
  name: string;
  rows: number;
  bytes: number;
  indexBytes: number;
}

/** The largest tables with their indexes and TOAST data; partitions are summed under their table's name. */
export const selectTables = (sql: Sql, limit: number): Promise<TableRow[]> =>
  sql<TableRow[]>`
    select coalesce(root.relname, c.relname)::text as name, sum(greatest(c.reltuples, 0))::float8 as rows,
      sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(pg_indexes_size(c.oid))::bigint as index_bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_class root on root.oid = pg_partition_root(c.oid)
    where n.nspname = current_schema() and c.relkind in ('r', 'm')
    group by 1 order by 3 desc, 1 limit ${limit}::int`.execute();

export interface StatementRow {
  query: string;
  calls: number;
  totalMs: number;
  meanMs: number;
  rows: number;
}

/**
 * The statements with the longest total time, with `$1` in place of values; null if the extension is missing or not loaded. Other kinds of
 * statements than these five keep their values, and are left out.
 */
export async function selectStatements(sql: Sql, limit: number): Promise<StatementRow[] | null> {
  if (!(await hasRow(sql`select from pg_extension where extname = 'pg_stat_statements'`))) return null;
  try {
    return await sql.unsafe<StatementRow[]>(
      `select left(regexp_replace(query, '\\s+', ' ', 'g'), 500) as query, calls::float8 as calls, total_exec_time as total_ms,
         mean_exec_time as mean_ms, rows::float8 as rows
       from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database()) and query ~* '^\\s*(select|insert|update|delete|with)\\y'
       order by total_exec_time desc limit $1`,
      [limit],
    );
  } catch {
    return null;
  }
}

export interface SampleRow {
  rows: number;
  bytes: number;
  frequent: number[];
  shares: number[];
  bounds: number[];
}

/** PostgreSQL's samples of when events were received, for both logs; empty before it has any. */
export const selectSamples = (sql: Sql): Promise<SampleRow[]> =>
  sql<SampleRow[]>`
    select greatest(c.reltuples, 0)::float8 as rows, pg_total_relation_size(c.oid)::bigint as bytes,
      to_json(array(select (extract(epoch from v) * 1000)::bigint from unnest(s.most_common_vals::text::timestamptz[]) v)) as frequent,
      to_json(coalesce(s.most_common_freqs, '{}')) as shares,
      to_json(array(select (extract(epoch from v) * 1000)::bigint from unnest(s.histogram_bounds::text::timestamptz[]) v)) as bounds
    from pg_stats s join pg_class c on c.relname = s.tablename and c.relnamespace = s.schemaname::regnamespace
    where s.schemaname = current_schema() and s.tablename in ('events', 'metric_events') and s.attname = 'received_at'`.execute();

/** A process's report on itself. */
export interface Instance {
  id: string;
  host: string;
  pid: number;
  version: string;
  node: string;
  isServing: boolean;
  isWorking: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** What a process reports with each beat; an older version reports only its memory. */
export interface InstanceState {
  memoryBytes: number;
  pools?: { name: string; size: number; inUse: number; waiting: number }[];
  errors?: { serverErrors: number; failedAttempts: number; quarantined: number };
}

/** Records a beat; processes silent for a day are deleted. A beat lost in a crash is replaced by the next. */
export async function upsertInstance(sql: Sql, instance: Instance, state: InstanceState): Promise<void> {
  const { id, host, pid, version, node, isServing, isWorking, startedAt } = instance;
  await sql`
    with forgotten as (
      delete from instances where id <> ${id}::uuid and beat_at < clock_timestamp() - interval '1 day'
    )
    insert into instances (id, host, pid, version, node, is_serving, is_working, started_at, beat_at, state)
    values (${id}::uuid, ${host}, ${pid}, ${version}, ${node}, ${isServing}, ${isWorking}, ${startedAt}::timestamptz,
      clock_timestamp(), ${JSON.stringify(state)}::text::json)
    on conflict (id) do update set beat_at = excluded.beat_at, state = excluded.state`;
}

export const deleteInstance = (sql: Sql, id: string) => execute(sql`delete from instances where id = ${id}::uuid`);

export interface InstanceRow extends Instance {
  beatAt: number;
  secondsSilent: number;
  state: InstanceState;
}

export const selectInstances = (sql: Sql, limit: number): Promise<InstanceRow[]> =>
  sql<InstanceRow[]>`
    select id, host, pid, version, node, is_serving, is_working, started_at, beat_at,
      extract(epoch from clock_timestamp() - beat_at)::float8 as seconds_silent, state
    from instances order by beat_at desc limit ${limit}::int`.execute();

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

/** The backlog of a project's environments, or of all projects': by the age of their oldest fact, then those with other work. */
export const selectWork = (sql: Sql, projectId: string | null): Promise<WorkRow[]> =>
  sql<WorkRow[]>`
    select p.slug as project, p.name as project_name, e.kind as environment,
      f.count as facts, extract(epoch from c.now - f.oldest)::float8 as oldest_fact_seconds,
      (select count(*)::int from (
        select from quarantined_facts q where q.environment_id = e.id limit ${MAX_COUNTED}::int) q) as quarantined,
      d.count as deliveries, extract(epoch from clock_timestamp() - d.oldest)::float8 as oldest_delivery_seconds,
      l.count as periods, extract(epoch from c.now - l.oldest)::float8 as oldest_period_seconds,
      (select count(*)::int from scheduled_changes s
        where s.environment_id = e.id and s.failed_at is null and s.due_at <= c.now) as scheduled_changes,
      (select count(*)::int from imports i where i.environment_id = e.id and i.status in ('Checking', 'Running')) as imports,
      r.event_days, r.purged_before, coalesce(r.after_part is not null, false) as is_purging
    from projects p join environments e on e.project_id = p.id
    left join retention r on r.environment_id = e.id
    cross join lateral (select clock_timestamp() + make_interval(secs => e.clock_offset_ms / 1000.0) as now) c
    cross join lateral (
      select
        (select count(*)::int from (
          select from generate_series(0, ${FINE_LANES - 1}::int) l(lane) cross join lateral (
            select from queued_facts q where q.lane = l.lane and q.environment_id = e.id and q.seq > (select floor from queue_floor)
            limit ${MAX_COUNTED}::int) q
          limit ${MAX_COUNTED}::int) counted) as count,
        (select min(q.received_at) from generate_series(0, ${FINE_LANES - 1}::int) l(lane) cross join lateral (
          select received_at from queued_facts q where q.lane = l.lane and q.environment_id = e.id and q.seq > (select floor from queue_floor)
          order by seq limit 1) q) as oldest
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
    order by f.oldest nulls last, quarantined desc, l.oldest nulls last, d.oldest nulls last, p.slug, e.kind limit ${MAX_ENVIRONMENTS}::int`.execute();
