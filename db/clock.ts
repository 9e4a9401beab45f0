import type { Sql } from "./client.ts";

/** The database's clock, epoch milliseconds. */
export async function selectNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
  return row?.now ?? 0;
}
