import { setTimeout as delay } from "node:timers/promises";
import { isConflict, isUnavailable } from "../../db/errors.ts";

/** Does something again and again while the database is down, or somebody holds what it needs. It must be harmless to do twice. */
export async function steadily<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) && !isConflict(error)) throw error;
      await delay(50);
    }
  }
}

/** Waits until something holds, as a database that may be down says. */
export async function steadilyUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await steadily(holds))) await delay(20);
}

/** Fails when something takes longer than ever it should: what is stuck must not look like what is slow. */
export async function within<T>(seconds: number, what: string, work: Promise<T>): Promise<T> {
  const tooLate = new AbortController();
  const late = delay(seconds * 1000, null, { signal: tooLate.signal }).then(
    () => Promise.reject(new Error(`${what} took longer than ${seconds} s`)),
    () => new Promise<never>(() => {}),
  );
  return Promise.race([work, late]).finally(() => tooLate.abort());
}
