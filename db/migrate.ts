import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { OperatorError } from "../server/model/kernel/operator-error.ts";
import { driverAddress } from "./connection.ts";
import { applyMigration, briefly, type Migration } from "./apply-migration.ts";
import { isDistributed, openChanges } from "./scale/state.ts";
import { readDistributedFunctions, readFunctions, replaceFunctions, runEach } from "./scripts.ts";

const FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));
const OLDEST = 15;
/** Any number that no other lock uses. */
export const MIGRATION_LOCK = 7_160_322_055;

const LOOK_MS = 100;
/** A process says that it waits after this many looks: some seconds. */
const LOOKS_IN_SILENCE = 50;
const WAITING =
  "Another process is migrating the database; this one waits for it. In pg_stat_activity its sessions are named engagement migration.";

interface Options {
  /** The folder of migrations; those of this code when left out. */
  folder?: string;
  /** Receives lines for the log. */
  onChange?: (message: string) => void;
}

/**
 * Migrates a database to the current schema, also while an older version serves on it (docs/upgrading.md). Any number of processes may call
 * it concurrently: one migrates, the others wait. After a crash the next call continues. Throws OperatorError if the server is too old or
 * the database's encoding is not UTF8.
 */
export async function migrateDatabase(databaseUrl: string, { folder = FOLDER, onChange = () => {} }: Options = {}): Promise<void> {
  const { url, options } = driverAddress(databaseUrl);
  const connection = { application_name: "engagement migration" };
  const sql = postgres(url, { ...options, max: 2, fetch_types: false, onnotice: () => {}, connection });
  const migrations = readMigrationFiles({ migrationsFolder: folder }).map(({ sql: statements, hash, folderMillis }) => ({
    statements,
    hash,
    createdAt: folderMillis,
  }));
  const own = Math.max(...migrations.map(({ createdAt }) => createdAt));
  try {
    await checkServer(sql);
    if (await isCurrent(sql, own)) return;
    // A transaction holds the lock while another connection migrates: behind a pooler, sessions are shared. Waiting processes poll: a
    // statement blocked on the lock would hold up every `create index concurrently`, which waits for older statements.
    const tryOnce = async (guard: postgres.TransactionSql): Promise<boolean> => {
      // It is idle while the other connection works, however long that takes.
      await guard.unsafe("set local idle_in_transaction_session_timeout = 0");
      // A statement with parameters would keep its snapshot until the next one, and such an index waits for snapshots too.
      const [row] = await guard.unsafe<{ isMine: boolean }[]>(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isMine"`);
      if (row!.isMine) await applyMissing(sql, migrations, own, onChange);
      return row!.isMine;
    };
    for (let look = 1; !(await sql.begin(tryOnce)); look++) {
      if (look === LOOKS_IN_SILENCE) onChange(WAITING);
      await delay(LOOK_MS);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Whether no migration and no function is missing, as in most starts: the lock and its second connection are not needed then. The functions
 * are recorded last.
 */
async function isCurrent(sql: postgres.Sql, own: number): Promise<boolean> {
  const [known] = await sql<{ isThere: boolean }[]>`select to_regclass('drizzle.functions') is not null as "isThere"`;
  if (!known!.isThere) return false;
  return (await newestOf(sql)) === own && (await recordedState(sql)) === (await functionsOf(sql, own)).state;
}

/** Applies the missing migrations. Functions of newer code stay: during an upgrade, an older process may restart. */
async function applyMissing(
  sql: postgres.Sql,
  migrations: readonly Migration[],
  own: number,
  onChange: (message: string) => void,
): Promise<void> {
  await sql.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    create table if not exists drizzle.functions (state text not null)`);
  const newest = await newestOf(sql);
  for (const migration of migrations.filter(({ createdAt }) => createdAt > newest)) await applyMigration(sql, migration, onChange);
  if (newest <= own) await refreshFunctions(sql, own, onChange);
}

/** The newest applied migration. */
async function newestOf(sql: postgres.Sql): Promise<number> {
  const [applied] = await sql<{ newest: number | null }[]>`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`;
  return applied?.newest ?? 0;
}

async function recordedState(sql: postgres.Sql): Promise<string | undefined> {
  const [last] = await sql<{ state: string }[]>`select state from drizzle.functions`;
  return last?.state;
}

/** The script of the functions, and what is recorded once it has run after that migration. */
async function functionsOf(sql: postgres.Sql, newest: number): Promise<{ script: string; isSpread: boolean; state: string }> {
  const script = readFunctions();
  const isSpread = await isDistributed(sql);
  const hash = createHash("sha256").update(isSpread ? script + readDistributedFunctions() : script);
  return { script, isSpread, state: `${newest} ${hash.digest("hex")}` };
}

/**
 * Recreates functions if their scripts have changed or a migration was applied, which may have changed their tables. The state commits with
 * them, so the next start continues after a crash.
 */
async function refreshFunctions(sql: postgres.Sql, newest: number, onChange: (message: string) => void): Promise<void> {
  const { script, isSpread, state } = await functionsOf(sql, newest);
  if ((await recordedState(sql)) === state) return;
  await briefly(
    sql,
    async (tx) => {
      await replaceAllFunctions(tx, script, isSpread);
      await tx`delete from drizzle.functions`;
      await tx`insert into drizzle.functions (state) values (${state})`;
    },
    onChange,
  );
}

/** In the script, conditions that only a distributed database needs (db/scale/parts.ts) are comments. */
async function replaceAllFunctions(tx: postgres.TransactionSql, script: string, isSpread: boolean): Promise<void> {
  if (!isSpread) return void (await tx.unsafe(script).simple());
  await openChanges(tx);
  await runEach(tx, script.replaceAll(/\/\* spread: (.*?) \*\//g, "$1"));
  await replaceFunctions(tx);
}

async function checkServer(sql: postgres.Sql): Promise<void> {
  const [server] = await sql<{ version: number; encoding: string }[]>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding`;
  if (!server) throw new Error("The database server did not say its version.");
  if (server.version < OLDEST)
    throw new OperatorError(`The database is PostgreSQL ${server.version}; PostgreSQL ${OLDEST} or newer is needed.`);
  if (server.encoding !== "UTF8") {
    throw new OperatorError(
      `The database is encoded in ${server.encoding}; create one with: create database engagement encoding 'UTF8' template template0`,
    );
  }
}
