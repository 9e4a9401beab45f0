import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning, isServerOf } from "./server.ts";

/** Removes the temporary databases of killed processes: folders named by this prefix and the id of their process. */
export function removeAbandoned(prefix: string): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    if (isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue;
    try {
      removeDatabase(join(tmpdir(), name));
    } catch {
      // It belongs to another user, whose next start removes it.
    }
  }
}

/** Ends the server of an embedded database without waiting for its clients, and deletes all its files. */
export function removeDatabase(directory: string): void {
  try {
    const pid = serverPid(directory);
    if (isServerOf(join(directory, DATA), pid)) process.kill(pid, "SIGQUIT");
  } catch {
    // No server runs, or it belongs to another user.
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

const DATA = "postgres/data";

/** The process id of an embedded database's server. Throws if it does not run. */
export const serverPid = (directory: string): number =>
  Number(readFileSync(join(directory, DATA, "postmaster.pid"), "utf8").split("\n", 1)[0]);
