import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { createLogger, type Logger } from "../api/log.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { readSettings, type Settings } from "./settings.ts";

/** A process's settings, its log, and the release of what it opens. */
export interface Lifecycle {
  settings: Settings;
  logger: Logger;
  /** Waits until something is open, and releases it when the process stops, in reverse order of opening. */
  manage<T>(opening: T | Promise<T>, release: (held: T) => Promise<unknown>): Promise<T>;
}

const OLDEST_NODE = 24;
/** The longest time for one release; then the process exits without it. A little longer than running requests get. */
const RELEASE_MS = 12_000;
/** The time for all releases, of which many hang if the database has stopped responding: platforms kill a process after 30 s. */
const STOP_MS = 20_000;
/** What each remaining release gets after that. */
const LAST_MS = 1_000;
/** Under npm, Ctrl-C arrives twice: from the terminal, and forwarded. */
const SAME_SIGNAL_MS = 500;
const PARENT_CHECK_MS = 500;
/**
 * How far a heap may grow beyond its live data before a full collection, in percent. Each thread has its own heap, which by default grows
 * to several times its live data.
 */
const HEAP_GROWTH = 100;

/**
 * Runs a process until SIGTERM or SIGINT; then it releases everything and exits 0. A second signal ends it immediately. An OperatorError is
 * printed on standard error, one line each, with exit 1; any other error is logged, with exit 1. `environment` replaces the process's own
 * environment variables.
 */
export function runProcess(start: (lifecycle: Lifecycle) => Promise<void>, environment?: Parameters<typeof readSettings>[0]): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const settings = settingsOrExit(environment);
  const logger = createLogger(settings.logLevel);
  const releases: (() => Promise<unknown>)[] = [];
  let stoppedAt: number | null = null;

  async function stop(exitCode: number): Promise<void> {
    if (stoppedAt !== null) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    for (const release of releases.toReversed()) {
      const patience = patienceMs(performance.now() - stoppedAt);
      const isThrough = await Promise.race([release().then(() => true), sleep(patience, false)]).catch(report);
      if (isThrough === false) logger.warn({}, "a resource took too long to close; the process ends without it");
    }
    process.exit(exitCode);
  }

  function report(error: unknown): void {
    if (error instanceof OperatorError) say(error.problems);
    else logger.fatal({ err: error }, "unforeseen fault");
  }

  function fail(error: unknown): void {
    // Errors during the stop are expected.
    if (stoppedAt !== null) return;
    report(error);
    void stop(1);
  }

  process.on("SIGTERM", () => void stop(0)).on("SIGINT", () => void stop(0));
  process.on("uncaughtException", fail);
  if (settings.isStartedByNpm) whenOrphaned(() => void stop(0));

  const lifecycle: Lifecycle = {
    settings,
    logger,
    async manage(opening, release) {
      // Registered before opening, so that a signal during opening releases it.
      releases.push(() => Promise.resolve(opening).then(release, () => {}));
      const held = await opening;
      // Never resolves while stopping, so that the start goes no further.
      return stoppedAt === null ? held : new Promise<never>(() => {});
    },
  };
  start(lifecycle).catch(fail);
}

/** How long the next release may take, after this time in the stop. */
export const patienceMs = (stoppingForMs: number): number => Math.max(Math.min(STOP_MS - stoppingForMs, RELEASE_MS), LAST_MS);

function settingsOrExit(environment: Parameters<typeof readSettings>[0]): Settings {
  try {
    if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) throw new OperatorError(`Node.js ${OLDEST_NODE} or newer is needed.`);
    return readSettings(environment);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    say(error.problems);
    process.exit(1);
  }
}

const say = (lines: readonly string[]): void => lines.forEach((line) => process.stderr.write(`${line}\n`));

/** npm forwards signals, but cannot forward a `kill -9` of itself. An orphan could not be stopped and would block the next start. */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, PARENT_CHECK_MS);
  timer.unref();
}
