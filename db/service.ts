import { setTimeout as sleep } from "node:timers/promises";
import { Refused } from "../server/kernel/refused.ts";
import { openDatabase, type Database } from "./client.ts";
import { useEmbeddedDatabase, type EmbeddedDatabase } from "./embedded.ts";
import { isStarting, isUnavailable } from "./errors.ts";
import { migrateDatabase } from "./migrate.ts";

interface Options {
  /** A PostgreSQL of one's own; without it the embedded one in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  connections?: number;
  /** Told what is worth a line in the log. */
  onChange?: (message: string) => void;
}

/** How long a database of one's own may take to come up, as when both start with the machine. */
const PATIENCE_MS = 15_000;

/**
 * The service's database, ready for use: found or started, and migrated. What every process of the service begins with.
 * `close` ends the pool and leaves the embedded server. Throws Refused.
 */
export async function openServiceDatabase({ databaseUrl, dataDir, connections, onChange = () => {} }: Options): Promise<Database> {
  const embedded = databaseUrl === undefined ? await useEmbeddedDatabase({ directory: dataDir, onChange }) : null;
  const url = embedded?.url ?? (databaseUrl as string);
  try {
    await onceReachable(() => migrateDatabase(url), onChange);
    return withEmbedded(openDatabase(url, { connections }), embedded);
  } catch (error) {
    await embedded?.leave();
    throw error;
  }
}

/**
 * Does what a start needs of the database, again for a while where that is out of reach: both may start with the machine. A server that
 * recovers from a crash is waited for as long as it takes. Throws Refused.
 */
export async function onceReachable<T>(work: () => Promise<T>, onChange: (message: string) => void): Promise<T> {
  let deadline = Date.now() + PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw plainly(error);
      if (isStarting(error)) deadline = Date.now() + PATIENCE_MS;
      if (Date.now() > deadline) throw new Refused(`The database is out of reach: ${(error as Error).message}. Check DATABASE_URL.`);
      if (attempt === 0) onChange("The database is out of reach; trying again for a while.");
      await sleep(500);
    }
  }
}

/** A wrong password, a database that is not there: nothing that a stack trace explains. */
function plainly(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? "");
  return /^(28|3D)/.test(code)
    ? new Refused(`The database refuses the connection: ${(error as Error).message}. Check DATABASE_URL.`)
    : error;
}

function withEmbedded(database: Database, embedded: EmbeddedDatabase | null): Database {
  if (!embedded) return database;
  return {
    ...database,
    close: async () => {
      await database.close();
      await embedded.leave();
    },
  };
}
