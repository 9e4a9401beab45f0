import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../server/model/kernel/operator-error.ts";
import { openDatabase, type Database, isRefused, isStarting, isUnavailable } from "./client.ts";
import { useEmbeddedDatabase, type EmbeddedDatabase } from "./embedded/database.ts";
import type { ServerSettings } from "./embedded/server.ts";
import { migrateDatabase } from "./migrate.ts";
import { openPools, type Pools, type PoolSizes } from "./pools.ts";

interface Options {
  /** An external PostgreSQL; without it, the embedded one in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Overrides settings of the embedded PostgreSQL. */
  embedded?: ServerSettings | undefined;
  /** Receives lines for the log. */
  onChange?: (message: string) => void;
}

/** How long an external database may take to start: both may start with the machine. */
const PATIENCE_MS = 15_000;

/** This process's share of the embedded PostgreSQL's 200 connections; the rest is for other processes, the command line and migrations. */
const MAX_EMBEDDED = 150;

/**
 * The service's database, ready for use: found or started, and migrated. Every command of the service begins with it. `close` ends the pool
 * and unregisters from the embedded server. Throws OperatorError.
 */
export const openServiceDatabase = (options: Options & { connections?: number }): Promise<Database> =>
  openReady(options, (url) => openDatabase(url, { connections: options.connections }));

/** As `openServiceDatabase`, for a process that serves or works: each kind of work has connections of its own. */
export async function openServicePools(options: Options & { sizes: PoolSizes; waitMs: number }): Promise<Pools> {
  const { databaseUrl, sizes, waitMs } = options;
  const sum = sizes.requests + sizes.dashboard + sizes.facts + sizes.deliveries;
  if (databaseUrl === undefined && sum > MAX_EMBEDDED)
    throw new OperatorError(
      `POOL_REQUESTS, POOL_DASHBOARD, POOL_FACTS and POOL_DELIVERIES add up to ${sum}; with the embedded PostgreSQL they may take ${MAX_EMBEDDED}.`,
    );
  return openReady(options, (url) => openPools(url, { sizes, waitMs }));
}

async function openReady<T extends { close(): Promise<void> }>(
  { databaseUrl, dataDir, embedded: settings, onChange = () => {} }: Options,
  open: (url: string) => T,
): Promise<T> {
  const embedded = databaseUrl === undefined ? await useEmbeddedDatabase({ directory: dataDir, settings, onChange }) : null;
  const url = embedded?.nearUrl ?? (databaseUrl as string);
  try {
    await onceReachable(() => migrateDatabase(url, { onChange }), onChange);
    return withEmbedded(open(url), embedded);
  } catch (error) {
    await embedded?.leave();
    throw error;
  }
}

/**
 * Runs start-up work on the database, and retries for `PATIENCE_MS` while it is unreachable. Waits without limit for a server that recovers
 * from a crash, and not at all after a refusal. Throws OperatorError.
 */
export async function onceReachable<T>(work: () => Promise<T>, onChange: (message: string) => void): Promise<T> {
  let deadline = performance.now() + PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (isRefused(error))
        throw new OperatorError(`The connection to the database is refused: ${(error as Error).message}. Check DATABASE_URL.`);
      if (isStarting(error)) deadline = performance.now() + PATIENCE_MS;
      if (performance.now() > deadline)
        throw new OperatorError(`The database is out of reach: ${(error as Error).message}. Check DATABASE_URL.`);
      if (attempt === 0) onChange("The database is out of reach; trying again for a while.");
      await sleep(500);
    }
  }
}

function withEmbedded<T extends { close(): Promise<void> }>(opened: T, embedded: EmbeddedDatabase | null): T {
  if (!embedded) return opened;
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await embedded.leave();
    },
  };
}
