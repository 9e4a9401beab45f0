import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { useEmbeddedDatabase } from "../../db/embedded.ts";
import { isServerOf } from "../../db/embedded/process.ts";

/**
 * A folder for one test file. Named as the set-up of tests names its own (db/testing/server.ts), which ends the server and
 * removes the files of a run that was killed before it could do so itself.
 */
export const FOLDER = join(tmpdir(), `engagement-test-${process.pid}`);

/** The PostgreSQL server on the files in a `DATA_DIR`, seen from outside. */
export function serverIn(folder: string) {
  const data = join(folder, "postgres/data");
  /** Its process id; null while there is none. */
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
    kill(): boolean {
      const found = pid();
      return found !== null && process.kill(found, "SIGKILL");
    },
    /** Ends it without ado and removes all files. */
    remove(): void {
      const found = pid();
      if (found !== null) process.kill(found, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A PostgreSQL of one's own that loses nothing it has committed, and that is started again whenever it is killed. */
export async function startDurableDatabase() {
  const server = serverIn(FOLDER);
  process.once("exit", server.remove);
  const database = await useEmbeddedDatabase({ directory: FOLDER });
  return {
    url: database.url,
    kill: server.kill,
    /** `kill -9` of one of the processes that serve the connections of the service: PostgreSQL then restarts them all. */
    async killBackend(choose: (pids: number[]) => number): Promise<boolean> {
      const sql = postgres(database.url, { max: 1, connect_timeout: 5, fetch_types: false });
      try {
        const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'engagement' order by pid`;
        return rows.length > 0 && process.kill(choose(rows.map(({ pid }) => pid)), "SIGKILL");
      } catch {
        // It is down already.
        return false;
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
    async stop(): Promise<void> {
      await database.leave();
      server.remove();
    },
  };
}

export type DurableDatabase = Awaited<ReturnType<typeof startDurableDatabase>>;
