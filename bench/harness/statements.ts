import type { Sql } from "postgres";
import type { Database } from "../../db/client.ts";
import { round } from "./statistics.ts";

/** The settings of a server that collects statement statistics, including statements within functions. */
export const STATEMENTS_KEPT = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
  "pg_stat_statements.track_planning": "on",
  "pg_stat_statements.max": "5000",
};

/** A statement's totals, including planning. Times are elapsed microseconds, not CPU. */
export interface StatementUse {
  text: string;
  /** Whether a function ran it: its time is then also in the calling statement's. */
  isNested: boolean;
  calls: number;
  /** Equals `calls` where PostgreSQL plans each call for its values, instead of using a generic plan. */
  plans: number;
  us: number;
  walBytes: number;
}

/** The WAL of one kind of record for one table or index. */
export interface WalUse {
  relation: string;
  record: string;
  records: number;
  bytes: number;
}

/** The statement statistics of a server. */
export interface Statements {
  reset(): Promise<void>;
  read(): Promise<StatementUse[]>;
  /** The largest parts of the WAL since the last reset; takes some seconds for a hundred megabytes. */
  readWal(): Promise<WalUse[]>;
}

/** `open` connects to another database of the server, where the names of its tables are. */
export async function openStatements(admin: Sql, open: (database: string) => Database): Promise<Statements> {
  await admin`create extension if not exists pg_stat_statements`;
  await admin`create extension if not exists pg_walinspect`;
  let from = "0/0";
  return {
    reset: async () => {
      const [row] = await admin<{ lsn: string }[]>`select pg_stat_statements_reset(), pg_current_wal_flush_lsn()::text as lsn`;
      from = row!.lsn;
    },
    readWal: async () => {
      const rows = await admin<{ database: string; file: number; record: string; records: number; bytes: number }[]>`
        select d.datname as database, block[2]::int as file, resource_manager || ' ' || record_type as record, count(*)::float8 as records,
          sum(record_length)::float8 as bytes
        from pg_get_wal_records_info(${from}::pg_lsn, pg_current_wal_flush_lsn())
        cross join regexp_match(block_ref, 'rel \\d+/(\\d+)/(\\d+)') block join pg_database d on d.oid = block[1]::oid
        group by 1, 2, 3 order by bytes desc limit ${SHOWN}`;
      const names = new Map<string, string>();
      for (const database of new Set(rows.map((row) => row.database))) {
        const { sql, close } = open(database);
        const relations = await sql<{ file: number; name: string }[]>`select relfilenode::int as file, relname as name from pg_class`;
        for (const { file, name } of relations) names.set(`${database} ${file}`, name);
        await close();
      }
      return rows.map(({ database, file, ...use }) => ({ ...use, relation: names.get(`${database} ${file}`) ?? String(file) }));
    },
    read: () => admin<StatementUse[]>`
      select query as text, not toplevel as "isNested", sum(calls)::float8 as calls, sum(plans)::float8 as plans,
        sum(total_plan_time + total_exec_time) * 1000 as us, sum(wal_bytes)::float8 as "walBytes"
      from pg_stat_statements group by 1, 2`,
  };
}

/** How many of the longest statements, and of the largest parts of the WAL, are shown. */
const SHOWN = 15;
const TEXT_SHOWN = 110;

/** Adds up the statistics of several turns. */
export function addUses(turns: readonly (readonly StatementUse[])[]): StatementUse[] {
  const all = Map.groupBy(turns.flat(), ({ text, isNested }) => `${isNested} ${text}`);
  return [...all.values()].map((uses) => {
    const sum = (of: "calls" | "plans" | "us" | "walBytes") => uses.reduce((total, use) => total + use[of], 0);
    return { ...uses[0]!, calls: sum("calls"), plans: sum("plans"), us: sum("us"), walBytes: sum("walBytes") };
  });
}

/** A line for each of the longest statements, with its time and WAL per operation; `done` is the number of operations. */
export function describeUses(uses: readonly StatementUse[], done: number, of: string): string[] {
  const longest = uses.toSorted((a, b) => b.us - a.us).slice(0, SHOWN);
  const rows = longest.map(({ text, isNested, calls, plans, us, walBytes }) => {
    const columns = [us / done, walBytes / done, calls / done, plans / done].map((value) => String(round(value)).padEnd(8));
    return `${columns.join(" ")} ${isNested ? "· " : ""}${text.replaceAll(/\s+/g, " ").trim().slice(0, TEXT_SHOWN)}`;
  });
  return [`PostgreSQL's statements for ${of} (· within a function):`, "µs       WAL      calls    plans", ...rows];
}

/** A line for each of the largest parts of the WAL, per operation. */
export const describeWal = (uses: readonly WalUse[], done: number, of: string): string[] => [
  `WAL for ${of} by table or index:`,
  "bytes    records",
  ...uses.map(({ relation, record, records, bytes }) =>
    [...[bytes / done, records / done].map((value) => String(round(value)).padEnd(8)), relation, record].join(" "),
  ),
];
