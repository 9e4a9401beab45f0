import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` under a lock on the path, exclusive among the processes of this machine. It is a lock of the operating system, which releases
 * it however the process ends; SQLite is the only part of Node that takes one. Rejects if `signal` is aborted while it waits.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    while (!taken(lock)) await sleep(25, undefined, { signal });
    return await work();
  } finally {
    lock.close();
  }
}

const BUSY = 5;

function taken(lock: DatabaseSync): boolean {
  try {
    lock.exec("begin exclusive");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}
