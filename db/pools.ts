import { type Database, openDatabase } from "./client.ts";

/** The connections reserved for each kind of work. */
export interface PoolSizes {
  /** The public API. */
  requests: number;
  /** The dashboard and signing in. */
  dashboard: number;
  /** Applying facts, and settling leaderboards. */
  facts: number;
  /** Sending webhooks. */
  deliveries: number;
}

/**
 * A long-running process. Facts: one for each lane, one to poll, one for leaderboards, one to count segments. With the heartbeat's
 * connection that makes 26; the embedded PostgreSQL allows 200.
 */
export const SERVER_POOLS: PoolSizes = { requests: 10, dashboard: 4, facts: 7, deliveries: 4 };

/** A serverless platform runs many processes, most of them idle: each takes few connections. */
export const SERVERLESS_POOLS: PoolSizes = { requests: 4, dashboard: 2, facts: 2, deliveries: 2 };

/** A process's connections, reserved by kind of work, and opened on demand. */
export interface Pools extends Record<keyof PoolSizes, Database> {
  /** One connection for the process's heartbeat: busy requests must not make the process look dead. */
  heartbeat: Database;
  /** The database's address, for worker threads, which open their own connections. */
  url: string;
  close(): Promise<void>;
}

interface PoolOptions {
  sizes: PoolSizes;
  /** How long to wait for a connection before the work is refused as unavailable. */
  waitMs: number;
  /** Connections idle for this long are closed; kept open when left out. */
  idleSeconds?: number;
}

export function openPools(databaseUrl: string, { sizes, ...options }: PoolOptions): Pools {
  const open = (connections: number) => openDatabase(databaseUrl, { connections, ...options });
  const pools = {
    requests: open(sizes.requests),
    dashboard: open(sizes.dashboard),
    facts: open(sizes.facts),
    deliveries: open(sizes.deliveries),
    heartbeat: open(1),
  };
  const close = async () => void (await Promise.all(Object.values(pools).map((pool) => pool.close())));
  return { ...pools, url: databaseUrl, close };
}
