import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { MIGRATION_LOCK, migrateDatabase } from "./migrate.ts";
import { applyMigration, briefly } from "./apply-migration.ts";
import { openDatabase } from "./client.ts";
import { databaseUrl } from "./testing/database-url.ts";
import { startPooler } from "./testing/pooler.ts";

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

async function withDatabase(options: string, work: (url: string) => Promise<void>): Promise<void> {
  const server = inject("databases").url;
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  const name = `migrate_${process.pid}_${process.hrtime.bigint()}`;
  await admin.unsafe(`create database ${name} ${options}`);
  await work(databaseUrl(server, name));
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
}

test("several processes that start together on an empty database migrate it once, and all continue", () =>
  withDatabase("", async (url) => {
    await Promise.all([1, 2, 3].map(() => migrateDatabase(url)));
    const sql = postgres(url, { max: 1 });
    const applied = await sql`select hash from drizzle.__drizzle_migrations`;
    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied.map(({ hash }) => hash as string)).size).toBe(applied.length);
    await sql.end();
  }));

test("a process that waits for another one's migration says so; one that misses nothing does not wait", () =>
  withDatabase("", async (url) => {
    const sql = postgres(url, { max: 1 });
    let migrated: Promise<void> | undefined;
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      const said = new Promise<string>((onChange) => void (migrated = migrateDatabase(url, { onChange })));
      expect(await said).toMatch(/^Another process is migrating the database; this one waits for it\./);
    });
    await migrated;
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await migrateDatabase(url);
    });
    await sql.end();
  }));

const LESS = "create or replace function hold_players(in_environment_id integer) returns integer language sql as 'select 0'";
const source = async (sql: postgres.Sql): Promise<string> =>
  (await sql<{ prosrc: string }[]>`select prosrc from pg_proc where proname = 'hold_players'`)[0]!.prosrc;

test("functions are replaced after a migration and where their script has changed, once; those of newer code stay", () =>
  withDatabase("", async (url) => {
    await migrateDatabase(url);
    const sql = postgres(url, { max: 1 });
    const own = await source(sql);
    await sql.unsafe(LESS);
    await migrateDatabase(url);
    expect(await source(sql), "nothing has changed since").toBe("select 0");
    // Replaces the recorded hash of the script, then the recorded migration.
    for (const other of [" .*", ".* "]) {
      await sql.unsafe(LESS);
      await sql`update drizzle.functions set state = regexp_replace(state, ${other}, ' ')`;
      await migrateDatabase(url);
      expect(await source(sql)).toBe(own);
    }

    await sql.unsafe(LESS);
    await sql`delete from drizzle.functions`;
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of newer code', ${Date.now() * 2})`;
    await migrateDatabase(url);
    expect(await source(sql)).toBe("select 0");
    await sql.end();
  }));

/** An empty database with a table of `rows` rows, and the migrations that follow. */
const withTable = (rows: number, work: (sql: postgres.Sql, apply: (...statements: string[]) => Promise<void>) => Promise<void>) =>
  withDatabase("", async (url) => {
    const sql = postgres(url, { max: 4, onnotice: () => {} });
    await sql.unsafe(`
      create schema drizzle; create table drizzle.__drizzle_migrations (id serial, hash text, created_at bigint);
      create table things as select n, null::int as twice from generate_series(1, ${rows}) n`);
    await work(sql, (...statements) => applyMigration(sql, { statements, hash: "", createdAt: 1 }));
    await sql.end();
  });
const applied = async (sql: postgres.Sql): Promise<number> => (await sql`select from drizzle.__drizzle_migrations`).length;

test("a migration that waits for a table lets others go first after two seconds, and succeeds in the end", () =>
  withTable(1, async (sql, apply) => {
    const end = Promise.withResolvers<void>();
    const long = sql.begin(async (tx) => {
      await tx`select from things`;
      await end.promise;
    });
    let isThrough = false;
    const migrated = apply(`alter table things add column more text`).then(() => (isThrough = true));
    // This statement waits behind the migration, which waits for the long transaction.
    const waiting = () => sql`select from pg_locks where not granted and relation = 'things'::regclass`;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await sql`update things set twice = 2`;
    expect([isThrough, await applied(sql)]).toEqual([false, 0]);
    end.resolve();
    await Promise.all([long, migrated]);
    expect(await applied(sql)).toBe(1);
  }));

test("a process that freezes in a migration does not keep its tables", () =>
  withTable(1, async (sql) => {
    const frozen = briefly(sql, async (tx) => {
      await tx`lock table things`;
      await new Promise(() => {});
    });
    await expect(frozen).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await sql`update things set twice = 2`;
  }));

const SLICE = "-- in slices\nupdate things set twice = 2 * n where n in (select n from things where twice is null limit 300)";

test("rows are changed in slices, each a transaction; after an interruption the next start changes the rest", () =>
  withTable(1_000, async (sql, apply) => {
    await sql.unsafe(`alter table things add constraint small check (twice <= 1400)`);
    await expect(apply(SLICE)).rejects.toThrow("small");
    const left = (await sql`select from things where twice is null`).length;
    expect([left > 0 && left < 1_000, await applied(sql)]).toEqual([true, 0]);
    await sql.unsafe(`alter table things drop constraint small`);
    await apply(SLICE);
    expect([(await sql`select from things where twice = 2 * n`).length, await applied(sql)]).toEqual([1_000, 1]);
  }));

test("an interrupted index is built again, and a complete one stays", () =>
  withTable(2, async (sql, apply) => {
    const build = `create unique index concurrently "things_twice" on things (twice)`;
    await sql`update things set twice = 1`;
    await expect(apply(build)).rejects.toThrow("could not create unique index");
    await sql`update things set twice = n`;
    await apply(build);
    const index = async () => (await sql`select indexrelid, indisvalid from pg_index where indrelid = 'things'::regclass`)[0];
    const built = await index();
    expect(built).toMatchObject({ indisvalid: true });
    await apply(build);
    expect(await index()).toEqual(built);
    await expect(apply(build, "alter table things add column more text")).rejects.toThrow("a file of their own");
  }));

const STEPS = `create index concurrently players_seen on players (player_id);
--> statement-breakpoint
-- in slices
update players set player_id = player_id where false`;

test("an index is built concurrently while other processes wait for the migration, through a pooler too, whose sessions stay as they were", () =>
  withDatabase("", async (url) => {
    const folder = mkdtempSync(join(tmpdir(), "migrations-"));
    mkdirSync(join(folder, "meta"));
    cpSync(MIGRATIONS, folder, { recursive: true });
    const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as { entries: { when: number }[] };
    const entry = { ...journal.entries.at(-1)!, idx: journal.entries.length, tag: "9999_index", when: journal.entries.at(-1)!.when + 1 };
    writeFileSync(join(folder, "9999_index.sql"), STEPS);
    writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
    const pooler = await startPooler(url);
    const { sql, close } = openDatabase(pooler.url, { connections: 1 });
    const migrate = async (...addresses: string[]) => {
      await Promise.all(addresses.map((address) => migrateDatabase(address, { folder })));
      expect(await sql`select indisvalid from pg_index where indexrelid = 'players_seen'::regclass`).toEqual([{ indisvalid: true }]);
    };
    await migrate(pooler.url, pooler.url);
    // Each statement gets the session that has been free the longest.
    for (const sessions = new Set<unknown>(); ;) {
      const [session] = await sql`
        select pg_backend_pid() as id, array(select name from pg_settings where source = 'session') as changed,
          (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`;
      expect(session).toMatchObject({ changed: [], locks: 0 });
      if (sessions.has(session!["id"])) break;
      sessions.add(session!["id"]);
    }
    await sql`delete from drizzle.__drizzle_migrations where created_at = ${entry.when}`;
    await sql`drop index players_seen`;
    await migrate(url, url, url);
    expect(pooler.faults).toEqual([]);
    await close();
    pooler.close();
    rmSync(folder, { recursive: true });
  }));

test("a database that cannot store every script is refused with the remedy", () =>
  withDatabase("encoding 'SQL_ASCII' locale 'C' template template0", (url) =>
    expect(migrateDatabase(url)).rejects.toThrow("encoding 'UTF8'"),
  ));
