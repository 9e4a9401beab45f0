import type { Sql } from "#db/client.ts";

export interface DatabaseRow {
  version: string;
  bytes: number;
  connections: number;
  activeConnections: number;
  mostConnections: number;
  longestTransactionSeconds: number | null;
}

export async function selectDatabase(sql: Sql): Promise<DatabaseRow> {
  const [row] = await sql<DatabaseRow[]>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, count(*)::int as connections,
      (count(*) filter (where state = 'active' and pid <> pg_backend_pid()))::int as "activeConnections",
      current_setting('max_connections')::int as "mostConnections",
      (extract(epoch from clock_timestamp() - min(xact_start) filter (where pid <> pg_backend_pid())))::float8 as "longestTransactionSeconds"
    from pg_stat_activity where datname = current_database()`;
  return row!;
}

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
      sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(pg_indexes_size(c.oid))::bigint as "indexBytes"
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
  const [row] = await sql<{ found: boolean }[]>`select exists (select from pg_extension where extname = 'pg_stat_statements') as found`;
  if (!row!.found) return null;
  try {
    return await sql.unsafe<StatementRow[]>(
      `select left(regexp_replace(query, '\\s+', ' ', 'g'), 500) as query, calls::float8 as calls, total_exec_time as "totalMs",
         mean_exec_time as "meanMs", rows::float8 as rows
       from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database()) and query ~* '^\\s*(select|insert|update|delete|with)\\y'
       order by total_exec_time desc limit $1`,
      [limit],
      { prepare: false },
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
