import { chmodSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { openDatabase, type Database } from "../../db/client.ts";
import { removeAbandoned, removeDatabase, serverPid } from "../../db/embedded/abandoned.ts";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { cpuUsOf } from "./proc.ts";
import { openStatements, type Statements } from "./statements.ts";

/** An embedded PostgreSQL with the service's durable settings, in a folder that is removed with it. */
export interface BenchDatabase {
  directory: string;
  /** A folder that the server can read, for files of COPY. */
  files: string;
  /** Makes a migrated database, and a pool for the bench. */
  create(name: string, options?: { connections?: number }): Promise<Database & { url: string }>;
  /** Opens another pool on a database, like that of a process of the service. */
  pool(url: string, connections: number): Database;
  /** The process id of the postmaster. */
  pid(): number;
  /** CPU of the server, including its ended processes, in microseconds; null if unknown. */
  cpuUs(): number | null;
  /** WAL written since the server was created, in bytes. */
  walBytes(): Promise<number>;
  /** Its statement statistics; null if it collects none. */
  statements: Statements | null;
  version(): Promise<string>;
  close(): Promise<void>;
}

const FOLDER = "engagement-bench-";
const TEMPLATE = "bench_template";
/** The environment variable with the folder of a server that smoke runs share: starting one for each would take longer than the figures. */
export const SHARED_VARIABLE = "BENCH_DATABASE";

/** Starts a server with the service's settings and these. */
export async function startDatabase(settings: Readonly<Record<string, string>> = {}): Promise<BenchDatabase> {
  removeAbandonedDatabases();
  const shared = process.env[SHARED_VARIABLE];
  const directory = shared ?? join(tmpdir(), FOLDER + process.pid);
  const files = join(directory, shared === undefined ? "files" : `files-${process.pid}`);
  mkdirSync(files, { recursive: true });
  // The server may run as another user; nothing here is secret.
  for (const folder of [directory, files]) chmodSync(folder, 0o755);
  if (shared === undefined) process.once("exit", () => removeDatabase(directory));
  const server = await useEmbeddedDatabase({ directory, settings });
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  if (shared === undefined) {
    await admin.unsafe(`create database ${TEMPLATE}`);
    await migrateDatabase(urlOf(server.nearUrl, TEMPLATE));
  }
  const pid = () => serverPid(directory);
  const statements =
    settings["shared_preload_libraries"] === undefined
      ? null
      : await openStatements(admin, (name) => openDatabase(urlOf(server.nearUrl, name), { connections: 1 }));
  return {
    directory,
    files,
    create: async (purpose, { connections = 4 } = {}) => {
      const name = `${purpose}_${process.pid}`;
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      // Takes a fifth of the CPU seconds of the default strategy, which logs every page.
      await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`);
      const url = urlOf(server.nearUrl, name);
      const database = openDatabase(url, { connections });
      return {
        ...database,
        url,
        close: async () => {
          await database.close();
          await admin.unsafe(`drop database if exists ${name} with (force)`);
        },
      };
    },
    pool: (url, connections) => openDatabase(url, { connections }),
    pid,
    cpuUs: () => cpuUsOf(pid()),
    walBytes: async () => {
      const [row] = await admin<{ bytes: string }[]>`select (pg_current_wal_insert_lsn() - '0/0')::text as bytes`;
      return Number(row!.bytes);
    },
    statements,
    version: async () => {
      const [row] = await admin<{ version: string }[]>`select current_setting('server_version') as version`;
      return row!.version;
    },
    close: async () => {
      await admin.end({ timeout: 5 });
      await server.leave();
      if (shared === undefined) removeDatabase(directory);
    },
  };
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Removes the databases of killed processes of the bench. */
export const removeAbandonedDatabases = (): void => removeAbandoned(FOLDER);
