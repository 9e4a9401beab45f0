import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import { isServerOf } from "../../db/embedded/server.ts";
import type { Ephemeral, EphemeralOptions } from "../cli/serve.ts";
import { runProcess } from "./lifecycle.ts";

/** A test double: its data are deleted at the end, so nothing has to reach the disk. */
const IN_A_HURRY = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB", max_wal_size: "256MB" };

const FOLDER = "engagement-ephemeral-";

/**
 * Serves the API, /rpc and the worker from this process, on an embedded database of its own that is deleted when the process stops. Resolves
 * once it answers; errors end the process.
 */
export function serveEphemeral({ port, ...options }: EphemeralOptions): Promise<Ephemeral> {
  removeAbandoned();
  const dataDir = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  const url = `http://localhost:${port}`;
  const settings = {
    ...{ PORT: String(port), BASE_URL: url, DATA_DIR: dataDir, DEMO: "off", PAGES: "off", LOG_LEVEL: "warn" },
    // The app under test is on this machine, or in the same network of containers.
    ...{ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true", WORKER_THREADS: "0" },
  };
  return new Promise((resolve) => {
    runProcess(async (lifecycle) => {
      const { manage } = lifecycle;
      await manage(dataDir, async () => rmSync(dataDir, { recursive: true, force: true }));
      // PostgreSQL makes its files while the service's code is loaded. The service joins this server, and so has its settings.
      const database = manage(useEmbeddedDatabase({ directory: dataDir, settings: IN_A_HURRY }), (opened) => opened.leave());
      const [{ serve }, { furnish }] = await Promise.all([import("./main.ts"), import("./furnish.ts"), database]);
      await serve(lifecycle, {
        portSetting: "--port",
        onServing: async ({ database: opened }) => resolve({ url, ...(await furnish(opened, lifecycle.settings, options)) }),
      });
    }, settings);
  });
}

/** A killed process could not stop its database: the next one does. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^engagement-ephemeral-(\d+)-/.exec(name)?.[1]);
    if (!name.startsWith(FOLDER) || isRunning(pid)) continue;
    const folder = join(tmpdir(), name);
    try {
      const server = Number(readFileSync(join(folder, "postgres/data/postmaster.pid"), "utf8").split("\n", 1)[0]);
      if (isServerOf(join(folder, "postgres/data"), server)) process.kill(server, "SIGKILL");
    } catch {
      // It has stopped, or is another user's.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
