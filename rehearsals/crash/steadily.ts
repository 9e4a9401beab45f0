import { setTimeout as delay } from "node:timers/promises";
import { isConflict, isUnavailable } from "../../db/errors.ts";

/** Retries while the database is down, or a lock is held. The work must be safe to repeat. */
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

/** Polls until a condition holds, on a database that may be down. */
export async function steadilyUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await steadily(holds))) await delay(20);
}

/** Fails when something takes longer than it ever should, so that a hang does not pass for slowness. */
export async function within<T>(seconds: number, what: string, work: Promise<T>): Promise<T> {
  const tooLate = new AbortController();
  const late = delay(seconds * 1000, null, { signal: tooLate.signal }).then(
    () => Promise.reject(new Error(`${what} took longer than ${seconds} s`)),
    () => new Promise<never>(() => {}),
  );
  return Promise.race([work, late]).finally(() => tooLate.abort());
}
