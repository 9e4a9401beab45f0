import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { OperatorError } from "../server/kernel/operator-error.ts";
import { driverAddress } from "./address.ts";

const FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));
const FUNCTIONS = fileURLToPath(new URL("./functions.sql", import.meta.url));
const OLDEST = 15;
/** Any number that nobody else locks. */
export const MIGRATION_LOCK = 7_160_322_055;

/**
 * Brings a database to the present schema. Any number of processes may try at once: one does it, the others wait and find it done.
 * Throws OperatorError where the server is too old, or the database would not take every script.
 */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const { url, options } = driverAddress(databaseUrl);
  const connection = { application_name: "engagement migration" };
  const sql = postgres(url, { ...options, max: 2, fetch_types: false, onnotice: () => {}, connection });
  try {
    await checkServer(sql);
    // A transaction holds the lock while another connection migrates: behind a pooler a session is nobody's own.
    await sql.begin(async (guard) => {
      await guard`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await migrate(drizzle(sql), { migrationsFolder: FOLDER });
      if (!(await isNewerThanThis(guard))) await guard.unsafe(readFileSync(FUNCTIONS, "utf8")).simple();
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Whether newer code has migrated the database. Its functions then stay: while versions change over, an older process may start again. */
async function isNewerThanThis(sql: postgres.TransactionSql): Promise<boolean> {
  const known = Math.max(...readMigrationFiles({ migrationsFolder: FOLDER }).map(({ folderMillis }) => folderMillis));
  const [applied] = await sql<{ newest: number }[]>`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`;
  return applied !== undefined && applied.newest > known;
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
