import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import { isServerOf } from "../../db/embedded/server.ts";

/**
 * A folder for one test file, named by the file, since the files of one worker share its modules. The prefix is that of the test set-up
 * (db/testing/server.ts), which stops the servers and removes the files of killed runs.
 */
export const folderOf = (name: string): string => join(tmpdir(), `engagement-test-${process.pid}-${name}`);

/** The PostgreSQL server of a `DATA_DIR`, observed from outside. */
export function serverIn(folder: string) {
  const data = join(folder, "postgres/data");
  /** Its process id; null while it is down. */
  const pid = (): number | null => {
    try {
      const noted = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      return isServerOf(data, noted) ? noted : null;
    } catch {
      return null;
    }
  };
  return {
    pid,
    /** `kill -9`; false where there was nothing to kill. */
    kill: () => signal(pid(), "SIGKILL"),
    /** Kills it and removes all files. */
    remove(): void {
      signal(pid(), "SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Sends a signal; false if there is no such process, or no longer. */
function signal(pid: number | null, name: NodeJS.Signals): boolean {
  try {
    return pid !== null && process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

interface DurableOptions {
  folder?: string;
  settings?: Record<string, string>;
}

/** A database that loses no commit, and restarts whenever it is killed. */
export interface DurableDatabase {
  url: string;
  /** `kill -9`; false if it was not running. */
  kill(): boolean;
  /** `kill -9` of one backend that serves a connection of the service: PostgreSQL then restarts them all. */
  killBackend(choose: (pids: number[]) => number): Promise<boolean>;
  /** Cuts the connections of the service that `choose` accepts; returns how many. */
  cut(choose: () => boolean): Promise<number>;
  /** Waits until everything committed is readable. On a single server it always is. */
  recovered(): Promise<void>;
  stop(): Promise<void>;
}

/** A single PostgreSQL server. */
export async function startDurableDatabase({ folder = folderOf("rehearsal"), settings }: DurableOptions = {}): Promise<DurableDatabase> {
  const server = serverIn(folder);
  process.once("exit", server.remove);
  const database = await useEmbeddedDatabase({ directory: folder, settings });
  return {
    url: database.url,
    kill: server.kill,
    ...connectionsOf(database.url),
    recovered: async () => {},
    async stop(): Promise<void> {
      await database.leave();
      server.remove();
    },
  };
}

/** Faults of the service's connections to a database. */
export function connectionsOf(url: string): Pick<DurableDatabase, "killBackend" | "cut"> {
  const administrate = async <T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T | null> => {
    const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false });
    try {
      return await work(sql);
    } catch {
      // The database is down already.
      return null;
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const ofTheService = (sql: postgres.Sql) =>
    sql<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'engagement' and pid <> pg_backend_pid() order by pid`;
  return {
    async killBackend(choose) {
      const rows = (await administrate(ofTheService)) ?? [];
      return rows.length > 0 && signal(choose(rows.map(({ pid }) => pid)), "SIGKILL");
    },
    async cut(choose) {
      const cut = await administrate(async (sql) => {
        const pids = (await ofTheService(sql)).filter(choose).map(({ pid }) => pid);
        await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) pid`;
        return pids.length;
      });
      return cut ?? 0;
    },
  };
}
