import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./api/log.ts";
import { Refused } from "./kernel/refused.ts";

/** What a process holds and has to let go of, from the first to the last. */
export interface Life {
  /** Waits for something to be there; `release` runs when the process stops, the last thing held first. */
  hold<T>(opening: Promise<T>, release: (held: T) => Promise<void>): Promise<T>;
}

/** For one release; what is not through by then is cut off. A little more than requests in flight are given. */
const RELEASE_MS = 12_000;
const PARENT_CHECK_MS = 500;

/**
 * Runs a process until SIGTERM or SIGINT, then lets go of what it holds and exits 0; a second signal exits at once. What the
 * operator has to put right (`Refused`) is a line each on standard error and exit 1, an unforeseen fault is logged and likewise 1.
 */
export function live(logger: Logger, start: (life: Life) => Promise<void>): void {
  const releases: (() => Promise<void>)[] = [];
  let stopping = false;

  async function stop(exitCode: number): Promise<void> {
    if (stopping) process.exit(exitCode || 1);
    stopping = true;
    for (const release of releases.reverse()) {
      const inTime = await Promise.race([release().then(() => true), sleep(RELEASE_MS, false, { ref: false })]).catch((error: unknown) => {
        logger.error({ err: error }, "could not stop cleanly");
        return true;
      });
      if (!inTime) logger.warn("something took too long to stop and was cut off");
    }
    logger.flush();
    process.exit(exitCode);
  }

  function fail(error: unknown): void {
    // What fails because we are leaving is no news.
    if (stopping) return;
    if (error instanceof Refused) for (const problem of error.problems) process.stderr.write(`${problem}\n`);
    else logger.fatal({ err: error }, "unforeseen fault; the process stops");
    void stop(1);
  }

  process.on("SIGTERM", () => void stop(0)).on("SIGINT", () => void stop(0));
  process.on("uncaughtException", fail);
  if (startedByNpm()) whenOrphaned(() => void stop(0));
  start({
    async hold(opening, release) {
      // Held from now on, so that a signal while it opens finds it.
      releases.push(() => opening.then(release, () => {}));
      const held = await opening;
      // Whoever stops does not go on starting.
      if (stopping) await new Promise<never>(() => {});
      return held;
    },
  }).catch(fail);
}

const startedByNpm = (): boolean => "npm_lifecycle_event" in process.env;

/** npm hands signals on, but a `kill -9` of npm it cannot: nobody could stop us, and we would stand in the way of the next start. */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, PARENT_CHECK_MS);
  timer.unref();
}
