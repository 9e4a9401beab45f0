import type { Sql } from "#db/client.ts";

/** The number of lanes that an operator has set; null before. */
export async function selectLanes(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ lanes: number }[]>`select lanes from installation`;
  return row?.lanes ?? null;
}

export async function upsertLanes(sql: Sql, lanes: number): Promise<void> {
  await sql`insert into installation (lanes) values (${lanes}) on conflict (is_only) do update set lanes = excluded.lanes`;
}
