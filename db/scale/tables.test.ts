import { expect, test } from "vitest";
import { testDatabase } from "../testing.ts";
import { isDistributed } from "./state.ts";
import { BY_PART, ON_COORDINATOR } from "./tables.ts";

test("every table with a part is on the workers or said to be on the coordinator, and keys on the workers have the part", async () => {
  const { sql } = await testDatabase();
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'part' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`;
  expect(new Set(tables.map(({ name }) => name))).toEqual(new Set([...BY_PART, ...ON_COORDINATOR]));
  const without = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relname = any(${[...BY_PART]}::text[]) and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'part' and a.attnum = any(i.indkey::int2[]))`;
  expect([...without]).toEqual([]);
  expect(await isDistributed(sql)).toBe(false);
});
