import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { findBinaries, type Binaries } from "./binaries.ts";
import { openCluster, SUPERUSER, type Cluster } from "./cluster.ts";
import { ensureDataDirectory } from "./directory.ts";
import { withFileLock } from "./file-lock.ts";
import { chooseLaunch, type Launch } from "./launch.ts";
import { ensureServer, PATIENCE_MS, stopServer, type Running, type ServerSettings } from "./server.ts";

/** The default database: a PostgreSQL of our own in a folder, shared by every process that names the same folder. */
export interface EmbeddedDatabase {
  /** Its address for any program. */
  url: string;
  /** Its address for `openDatabase` and `migrateDatabase`: over the Unix socket, if it has one. */
  nearUrl: string;
  /** Unregisters this process; the last one stops the server. */
  leave(): Promise<void>;
}

interface Options {
  /** The folder (`DATA_DIR`): created if missing, with contents that only the owner can read. */
  directory: string;
  /** PostgreSQL settings that override our own. Tests give up durability with them. */
  settings?: ServerSettings;
  /** Receives lines for the log: that the server has gone, and why a restart failed. */
  onChange?: (message: string) => void;
}

const DATABASE = "engagement";
/**
 * Advisory locks in the maintenance database: every user of the server holds the first one shared; a process that leaves takes the second.
 */
const USERS = 1;
const LEAVING = 2;

/**
 * Finds the running server of the folder or starts it, and keeps it running: when it is killed, the first process to notice restarts it, on
 * the same port. No process owns it, so any of them may be killed at any moment; a server that outlives all of them is reused by the next.
 * Throws OperatorError.
 */
export async function useEmbeddedDatabase({ directory, settings = {}, onChange = () => {} }: Options): Promise<EmbeddedDatabase> {
  const home = ensureDataDirectory(directory);
  const binaries = findBinaries();
  const launch = chooseLaunch(binaries.postgres);
  const start = () => withFileLock(join(home, "lock"), () => startOrJoin(home, binaries, launch, settings));
  return keep(await start(), start, onChange);
}

/** This process's registration with a server. Its connection breaks when the server goes. */
interface Registration {
  cluster: Cluster;
  server: Running;
  guard: postgres.Sql;
  lost: Promise<void>;
}

async function startOrJoin(home: string, binaries: Binaries, launch: Launch, settings: ServerSettings): Promise<Registration> {
  const cluster = await openCluster(join(home, "postgres"), binaries, launch, settings["fsync"] !== "off");
  let deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const server = await ensureServer(cluster, binaries, launch, settings);
    try {
      return await register(cluster, server);
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? "");
      // Class 57: it is shutting down, or recovering from a crash, which has no time limit.
      if (code.startsWith("57P")) deadline = performance.now() + PATIENCE_MS;
      else if (!/^(CONNECTION|ECONN|EPIPE)/.test(code) || performance.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

async function register(cluster: Cluster, server: Running): Promise<Registration> {
  const lost = Promise.withResolvers<void>();
  const guard = postgres(urlOf(cluster, server, "postgres"), {
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => lost.resolve(),
    connection: { application_name: "engagement guard" },
  });
  try {
    await guard`select pg_advisory_lock_shared(${USERS})`;
    const [found] = await guard`select 1 from pg_database where datname = ${DATABASE}`;
    if (!found) await guard.unsafe(`create database ${DATABASE}`);
    return { cluster, server, guard, lost: lost.promise };
  } catch (error) {
    await guard.end({ timeout: 1 });
    throw error;
  }
}

function keep(first: Registration, start: () => Promise<Registration>, onChange: (message: string) => void): EmbeddedDatabase {
  let registration: Registration | null = first;
  let leaving = false;
  const watch = async () => {
    while (registration) {
      await registration.lost;
      await registration.guard.end({ timeout: 0 });
      registration = null;
      while (!registration && !leaving) {
        onChange("The database server went away; starting it again.");
        registration = await start().catch((error: Error) => {
          onChange(error.message);
          return sleep(1000, null);
        });
      }
      if (leaving && registration) await leave(registration);
    }
  };
  const watching = watch();
  const url = urlOf(first.cluster, first.server, DATABASE);
  return {
    url,
    nearUrl: first.server.socket === "" ? url : `${url}?host=${first.server.socket}`,
    leave: async () => {
      leaving = true;
      if (registration) await leave(registration);
      await watching;
    },
  };
}

/** Exits are serialized, so the last process knows that it is the last. */
async function leave({ cluster, server, guard }: Registration): Promise<void> {
  try {
    await guard`select pg_advisory_lock(${LEAVING})`;
    const [{ alone } = { alone: false }] = await guard<{ alone: boolean }[]>`select pg_try_advisory_lock(${USERS}) as alone`;
    if (alone) await stopServer(cluster, server.pid);
    else await guard`select pg_advisory_unlock_shared(${USERS})`;
  } catch {
    // The server is already gone.
  } finally {
    await guard.end({ timeout: 1 });
  }
}

const urlOf = ({ password }: Cluster, { port }: Running, database: string) =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
