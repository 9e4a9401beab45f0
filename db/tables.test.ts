import { expect, test } from "vitest";
import { isDistributed } from "./scale/state.ts";
import { ON_WORKERS, TABLE_NAMES, type TableName, tablesWhere } from "./tables.ts";
import { testDatabase } from "./testing.ts";

const { sql } = await testDatabase();
const columns = await sql<{ table: TableName; name: string }[]>`
  select c.table_name as table, c.column_name as name
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`;
const having = (...names: string[]) =>
  TABLE_NAMES.filter((table) => names.every((name) => columns.some((column) => column.table === table && column.name === name)));

test("every table has a rule for finding a project's rows, and for a reset, an erasure and a distribution", () => {
  expect([...TABLE_NAMES].sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort());
  const erasure = (["deleted", "kept", "own"] as const).flatMap((does) => tablesWhere({ erasure: does }));
  expect(new Set(having("player_id"))).toEqual(new Set(erasure));
  expect(new Set(having("part"))).toEqual(new Set([...ON_WORKERS, ...tablesWhere({ part: "coordinator" })]));
});

test.each([
  ["player", ["part", "player_id"]],
  ["period", ["period_id"]],
  ["delivery", ["delivery_id"]],
  ["environment", ["environment_id"]],
  ["mailing", ["mailing"]],
  ["project", ["project_id"]],
] as const)("tables found by %s have its key columns", (by, names) => {
  expect(tablesWhere({ by }).filter((table) => !having(...names).includes(table))).toEqual([]);
});

test("keys of tables that are spread over machines have the part", async () => {
  const keys = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relname = any(${ON_WORKERS}::text[]) and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'part' and a.attnum = any(i.indkey::int2[]))`;
  expect([...keys]).toEqual([]);
  expect(await isDistributed(sql)).toBe(false);
});
