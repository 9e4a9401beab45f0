import { setTimeout as delay } from "node:timers/promises";
import { isConflict, isUnavailable } from "../../db/client.ts";

/**
 * The driver lost one of our queries in two of about 50 kills of the database: no connection held it any more, and it never settled. The
 * work is repeated after this many seconds.
 */
const LOST_S = 120;

/** Retries while the database is down, or a lock is held. The work must be safe to repeat. */
export async function steadily<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await within(LOST_S, "work on the database", work());
    } catch (error) {
      if (!isUnavailable(error) && !isConflict(error) && !(error instanceof TooLate)) throw error;
      await delay(50);
    }
  }
}

/** Polls until a condition holds, on a database that may be down. */
export async function steadilyUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await steadily(holds))) await delay(20);
}

class TooLate extends Error {}

/** Fails when something takes longer than it ever should, so that a hang does not pass for slowness. */
export async function within<T>(seconds: number, what: string, work: Promise<T>): Promise<T> {
  const tooLate = new AbortController();
  const late = delay(seconds * 1000, null, { signal: tooLate.signal }).then(
    () => Promise.reject(new TooLate(`${what} took longer than ${seconds} s`)),
    () => new Promise<never>(() => {}),
  );
  return Promise.race([work, late]).finally(() => tooLate.abort());
}
