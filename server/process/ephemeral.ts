import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAbandoned, removeDatabase } from "../../db/embedded/abandoned.ts";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import type { Ephemeral, EphemeralOptions } from "../cli/serve.ts";
import { runProcess } from "./lifecycle.ts";
import { isRunByNpx } from "./settings.ts";

/** A test double: its data are deleted at the end, so nothing has to reach the disk. */
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB", max_wal_size: "256MB" };

const FOLDER = "engagement-ephemeral-";

/**
 * Serves the API, /rpc and the worker from this process, on an embedded database of its own that is deleted when the process stops.
 * Resolves once it answers; errors end the process.
 */
export function serveEphemeral({ port, ...options }: EphemeralOptions): Promise<Ephemeral> {
  removeAbandoned(FOLDER);
  const dataDir = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  const url = `http://localhost:${port}`;
  const settings = {
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: "off",
    PAGES: "off",
    LOG_LEVEL: "warn",
    // The app under test is on this machine, or in the same network of containers.
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
    WORKER_THREADS: "0",
    // If npx is killed, the service ends with it. A script of npm may leave it running in the background for the next one.
    npm_lifecycle_event: isRunByNpx() ? "npx" : undefined,
  };
  return new Promise((resolve) => {
    runProcess(async (lifecycle) => {
      const { manage } = lifecycle;
      await manage(dataDir, async () => removeDatabase(dataDir));
      // PostgreSQL makes its files while the service's code is loaded. The service joins this server, and so has its settings.
      const database = manage(useEmbeddedDatabase({ directory: dataDir, settings: NOT_DURABLE }), (opened) => opened.leave());
      const [{ serve }, { furnish }] = await Promise.all([import("./main.ts"), import("./furnish.ts"), database]);
      await serve(lifecycle, {
        portSetting: "--port",
        onServing: async ({ database: opened }) => resolve({ url, ...(await furnish(opened, lifecycle.settings, options)) }),
      });
    }, settings);
  });
}
