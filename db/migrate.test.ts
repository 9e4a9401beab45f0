import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";
import { databaseUrl } from "./testing/database-url.ts";

async function withDatabase(options: string, work: (url: string) => Promise<void>): Promise<void> {
  const server = inject("databases").url;
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  const name = `migrate_${process.pid}_${process.hrtime.bigint()}`;
  await admin.unsafe(`create database ${name} ${options}`);
  await work(databaseUrl(server, name));
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
}

test("several processes that start at once on an empty database migrate it once, and all go on", () =>
  withDatabase("", async (url) => {
    await Promise.all([1, 2, 3].map(() => migrateDatabase(url)));
    const sql = postgres(url, { max: 1 });
    const applied = await sql`select hash from drizzle.__drizzle_migrations`;
    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied.map(({ hash }) => hash as string)).size).toBe(applied.length);
    await sql.end();
  }));

const LESS = "create or replace function hold_players(in_environment_id integer) returns integer language sql as 'select 0'";
const source = async (sql: postgres.Sql): Promise<string> =>
  (await sql<{ prosrc: string }[]>`select prosrc from pg_proc where proname = 'hold_players'`)[0]!.prosrc;

test("a migration brings the functions to what this code has, and leaves those of newer code alone", () =>
  withDatabase("", async (url) => {
    await migrateDatabase(url);
    const sql = postgres(url, { max: 1 });
    const own = await source(sql);
    await sql.unsafe(LESS);
    await migrateDatabase(url);
    expect(await source(sql)).toBe(own);

    await sql.unsafe(LESS);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of newer code', ${Date.now() * 2})`;
    await migrateDatabase(url);
    expect(await source(sql)).toBe("select 0");
    await sql.end();
  }));

test("a database that cannot hold every script is refused with the way out", () =>
  withDatabase("encoding 'SQL_ASCII' locale 'C' template template0", (url) =>
    expect(migrateDatabase(url)).rejects.toThrow("encoding 'UTF8'"),
  ));
