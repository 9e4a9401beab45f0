import type { Sql } from "postgres";
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
  /** As many as calls, where PostgreSQL takes a plan for the given values to be cheaper each time. */
  plans: number;
  us: number;
  walBytes: number;
}

/** The statement statistics of a server. */
export interface Statements {
  reset(): Promise<void>;
  /** Since the last reset. */
  read(): Promise<StatementUse[]>;
}

export async function openStatements(admin: Sql): Promise<Statements> {
  await admin`create extension if not exists pg_stat_statements`;
  return {
    reset: async () => void (await admin`select pg_stat_statements_reset()`),
    read: () => admin<StatementUse[]>`
      select query as text, not toplevel as "isNested", sum(calls)::float8 as calls, sum(plans)::float8 as plans,
        sum(total_plan_time + total_exec_time) * 1000 as us, sum(wal_bytes)::float8 as "walBytes"
      from pg_stat_statements group by 1, 2`,
  };
}

/** Adds up the statistics of several turns. */
export function addUses(turns: readonly (readonly StatementUse[])[]): StatementUse[] {
  const all = Map.groupBy(turns.flat(), ({ text, isNested }) => `${isNested} ${text}`);
  return [...all.values()].map((uses) => {
    const sum = (of: "calls" | "plans" | "us" | "walBytes") => uses.reduce((total, use) => total + use[of], 0);
    return { ...uses[0]!, calls: sum("calls"), plans: sum("plans"), us: sum("us"), walBytes: sum("walBytes") };
  });
}

const SHOWN = 15;
const TEXT_SHOWN = 110;

/** A line for each of the longest statements, with its time and WAL per operation; `done` is the number of operations. */
export function describeUses(uses: readonly StatementUse[], done: number, of: string): string[] {
  const longest = uses.toSorted((a, b) => b.us - a.us).slice(0, SHOWN);
  const rows = longest.map(({ text, isNested, calls, plans, us, walBytes }) => {
    const columns = [us / done, walBytes / done, calls / done, plans / done].map((value) => String(round(value)).padEnd(8));
    return `${columns.join(" ")} ${isNested ? "· " : ""}${text.replaceAll(/\s+/g, " ").trim().slice(0, TEXT_SHOWN)}`;
  });
  return [`PostgreSQL's statements for ${of} (· within a function):`, "µs       WAL      calls    plans", ...rows];
}
