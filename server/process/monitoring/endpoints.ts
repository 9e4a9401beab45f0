import { createRequire } from "node:module";
import type { RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, onlyRow } from "#db/client.ts";
import type { PoolUse } from "#db/gate.ts";
import type { Pools } from "#db/pools.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { watchStalls } from "./stalls.ts";
import type { WorkerThreads } from "../threads/start.ts";

/** The endpoints for load balancers and monitors, on a port of their own. */
export interface Operations extends Pick<Metrics, "observer" | "served" | "errors"> {
  listener: RequestListener;
  watchPools(pools: Pools): void;
  /** The worker's threads, which report on themselves and their pools. */
  watchThreads(threads: WorkerThreads): void;
  pools(): Map<string, PoolUse>;
  /** The reason why the process does not serve yet, shown by /ready. */
  waitsFor(reason: string): void;
  /** The process serves from now on, with this database. */
  begin(database: Database): void;
  /** The process is stopping: still alive, but no longer ready. */
  end(): void;
  /** Adds a problem that does not stop requests to /ready. False if it was reported before. */
  warn(message: string): boolean;
  /** Counts a request and how it ended. */
  count(response: ServerResponse): void;
}

interface Page {
  status: number;
  body: string;
}

const { version: VERSION } = createRequire(import.meta.url)("../../../package.json") as { version: string };
const DATABASE_MS = 2_000;
const HEADERS = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" };

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

const nothingThere = async (): Promise<Page> => ({ status: 404, body: "There are /live, /ready and /metrics.\n" });

/**
 * Whether the database takes writes, and how far this machine's clock is ahead of its clock. A session that is read-only ends when a write
 * in it is refused (scripts/patch-driver.mjs), and this may be the only process that uses it: no requests come while it is not ready. So a
 * write is tried.
 */
async function ask({ sql }: Database): Promise<{ isReadOnly: boolean; aheadMs: number }> {
  const { isReadOnly, now } = await onlyRow(sql<{ isReadOnly: boolean; now: number }[]>`
    select current_setting('transaction_read_only')::boolean as is_read_only, clock_timestamp() as now`);
  const aheadMs = Date.now() - now;
  if (isReadOnly) await sql`create temporary table written () on commit drop`.catch(() => {});
  return { isReadOnly, aheadMs };
}

/** A warning if this machine's clock is a minute or more from the database's, by which nearly everything else goes. */
function clockWarning(aheadMs: number): string[] {
  if (Math.abs(aheadMs) < 60_000) return [];
  const difference = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"}`;
  return [
    `this machine's clock is ${difference} the database's: its log has wrong times, and sign-in with a provider may fail; set it, for example by NTP`,
  ];
}

/** @param backlogMs The interval at which the backlog is read from the database. */
export function createOperations({ backlogMs = 5_000 } = {}): Operations {
  const warnings = new Set<string>();
  const stalls = watchStalls();
  const pools = new Map<string, Database>();
  let threads: WorkerThreads | null = null;
  let inFlight = 0;
  let database: Database | null = null;
  let waiting = "it is starting";
  let aheadMs = 0;
  const allWarnings = () => [...warnings, ...clockWarning(aheadMs)];

  /** Why requests should not be sent here; null if they may. */
  const obstacle = async (): Promise<string | null> => {
    if (!database) return waiting;
    // The message of a failed connection names the database's address, but no password.
    const asked = ask(database).then(
      (answer) => {
        ({ aheadMs } = answer);
        return answer.isReadOnly ? "the database takes no writes: it is read-only" : null;
      },
      (error: Error) => `the database cannot be used: ${error.message}`,
    );
    return Promise.race([asked, sleep(DATABASE_MS, `the database has not answered for ${DATABASE_MS / 1000} s`, { ref: false })]);
  };
  const isReady = async (): Promise<boolean> => (await obstacle()) === null;

  // Work that has moved to threads has its connections there.
  const usesOf = (): Map<string, PoolUse> =>
    new Map([...Array.from(pools, ([name, pool]): [string, PoolUse] => [name, pool.use()]), ...(threads?.pools() ?? [])]);
  const metrics = openMetrics({
    version: VERSION,
    backlogMs,
    stalls,
    isReady,
    pools: usesOf,
    database: () => pools.get("dashboard") ?? null,
    threads: () => threads,
    warnings: () => allWarnings().length,
    inFlight: () => inFlight,
  });

  const ready = async (): Promise<Page> => {
    const reason = await obstacle();
    const notes = [`version: ${VERSION}`, ...allWarnings().map((text) => `warning: ${text}`)];
    const lines = reason === null ? ["ready", ...notes] : ["not ready", `reason: ${oneLine(reason)}`, ...notes];
    return { status: reason === null ? 200 : 503, body: `${lines.join("\n")}\n` };
  };

  const pages: Record<string, () => Promise<Page>> = {
    "/live": async () => ({ status: 200, body: "live\n" }),
    "/ready": ready,
    "/metrics": async () => ({ status: 200, body: await metrics.text() }),
  };

  return {
    observer: metrics.observer,
    served: metrics.served,
    errors: metrics.errors,
    pools: usesOf,
    watchThreads: (started) => (threads = started),
    watchPools({ close: _, url: __, ...named }) {
      for (const [name, pool] of Object.entries(named)) pools.set(name, pool);
    },
    waitsFor: (reason) => (waiting = reason),
    begin: (opened) => (database = opened),
    end() {
      database = null;
      waiting = "it is stopping";
    },
    warn(message) {
      const isNew = !warnings.has(message);
      warnings.add(message);
      return isNew;
    },
    count(response) {
      inFlight += 1;
      response.once("close", () => {
        inFlight -= 1;
        const status = response.headersSent ? `${Math.trunc(response.statusCode / 100)}xx` : "none";
        metrics.ended(status);
      });
    },
    listener(request, response) {
      const page = pages[request.url ?? ""] ?? nothingThere;
      void page().then(({ status, body }) => response.writeHead(status, HEADERS).end(body));
    },
  };
}
