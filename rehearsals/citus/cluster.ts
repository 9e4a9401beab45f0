import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { databaseUrl } from "../../db/testing/database-url.ts";
import type { Node } from "../../db/scale/distribute.ts";
import { openLateWay } from "./late-commits.ts";
import { type Server, serverIn } from "./server.ts";

const DATABASE = "engagement";

/** A coordinator and its workers, each a PostgreSQL with Citus, in one folder. */
export interface Cluster {
  /** The coordinator's database, which has the extension but no workers yet. */
  url: string;
  coordinator: Node;
  workers: Node[];
  /** The coordinator's log in JSON, one line per message. */
  log: string;
  /** The servers' process ids, the coordinator's first. */
  pids: number[];
  /** The same servers, and those added since. */
  servers: Server[];
  /** `kill -9` of a server; 0 is the coordinator. It restarts immediately. */
  kill(index: number): boolean;
  /** Adds a server, with the extension in an empty database. */
  add(): Promise<Node>;
  /** Adds a server as a standby of another one. */
  follow(index: number): Promise<Node>;
  stop(): Promise<void>;
}

/** The programs' folder of a PostgreSQL with Citus (found by `pg_config` or PG_CONFIG); null if there is none. */
export function findCitus(): string | null {
  const ask = (what: string) => execFileSync(process.env["PG_CONFIG"] ?? "pg_config", [what], { encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return existsSync(join(ask("--pkglibdir"), "citus.so")) ? ask("--bindir") : null;
  } catch {
    return null;
  }
}

interface Made {
  count?: number;
  /** How much later the second phase of each commit reaches the workers (late-commits.ts). */
  lateMs?: number;
}

/** Starts a coordinator and workers. They end with this process, except on `kill -9`. */
export async function startCluster(
  programs: string,
  settings: Record<string, string> = {},
  { count = 2, lateMs = 0 }: Made = {},
): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), "engagement-citus-"));
  const servers: Server[] = [];
  const open = () => {
    const server = serverIn(programs, join(directory, String(servers.length)), settings);
    servers.push(server);
    return server;
  };
  const nodeOf = (server: Server): Node => ({ host: "127.0.0.1", port: server.port() });
  const add = async () => {
    const server = open();
    await server.start();
    await createDatabase(server.url());
    return nodeOf(server);
  };
  let ways: { node: Node; close(): void }[] = [];
  const removeAll = () => {
    for (const way of ways) way.close();
    for (const server of servers) server.end();
    removeSoon(directory);
  };
  process.once("exit", removeAll);
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    removeAll();
    process.off("exit", removeAll);
  };
  try {
    const [coordinator, ...direct] = (await Promise.all(Array.from({ length: 1 + count }, add))) as [Node, ...Node[]];
    ways = lateMs === 0 ? [] : await Promise.all(direct.map((node) => openLateWay(node, lateMs)));
    const workers = lateMs === 0 ? direct : ways.map(({ node }) => node);
    return {
      url: `postgres://postgres@127.0.0.1:${coordinator.port}/${DATABASE}`,
      coordinator,
      workers,
      log: join(directory, "0/data/log/server.json"),
      pids: servers.map((server) => server.pid()),
      servers,
      kill: (index) => servers[index]!.kill(),
      add,
      async follow(index) {
        const standby = open();
        await standby.follow(servers[index]!);
        return nodeOf(standby);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Removes a folder in which ending processes may still write. When this process exits, nothing else can wait for them. */
function removeSoon(folder: string): void {
  for (let attempt = 0; attempt < 50 && existsSync(folder); attempt++) {
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    try {
      // May return early without an error: Node takes a file that a server removes meanwhile for a missing folder.
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A file was added meanwhile.
    }
  }
}

async function createDatabase(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${DATABASE}`);
  await admin.end();
  const own = postgres(databaseUrl(url, DATABASE), { max: 1, onnotice: () => {} });
  await own`create extension citus`;
  await own.end();
}
