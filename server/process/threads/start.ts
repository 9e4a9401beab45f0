import { Worker } from "node:worker_threads";
import type { PoolUse } from "#db/gate.ts";
import type { WorkObserver } from "../../model/kernel/monitoring.ts";
import type { Runner } from "../../model/kernel/runner.ts";
import { type Call, CALLS, type FromThread, type Report, type ThreadStart } from "./messages.ts";
import { LANES_AT_ONCE, lanesAtOnce } from "../../model/kernel/lanes.ts";

const PROGRAM = new URL("./thread.ts", import.meta.url);

/** The pause before a failed thread is restarted: doubled with each failure, and reset once a thread has run for `lasting`. */
const BACKOFF_MS = { first: 500, most: 30_000, lasting: 60_000 };

export interface ThreadsOptions extends Pick<ThreadStart, "databaseUrl" | "waitMs"> {
  sizes: readonly ThreadStart["sizes"][];
  logger: { error(fields: object, message: string): void };
  /** Takes a line that a thread's logger has written. */
  writeLine(line: string): void;
  observer: WorkObserver;
  /** The module of a thread; tests use others. */
  program?: URL;
}

/** The worker in threads of its own. */
export interface WorkerThreads extends Runner {
  /** Use of their connections, by pool. */
  pools(): Map<string, PoolUse>;
  figures(): ThreadFigures[];
  /** How often a failed thread was restarted. */
  restarts(): number;
}

export interface ThreadFigures {
  index: number;
  /** The share of time since the last call that its event loop was busy, 0 to 1. */
  busy: number;
  /** The longest wait of its event loop since the last call, in milliseconds. */
  longestStallMs: number;
}

/**
 * Runs the worker in as many threads as `sizes` has: the first runs every job, the others only apply facts. A failed thread is restarted.
 */
export function startThreads(options: ThreadsOptions): WorkerThreads {
  let restarts = 0;
  const threads = options.sizes.map((sizes, index) =>
    startThread(options, { index, of: options.sizes.length, sizes }, { onRestart: () => (restarts += 1), onEffects: () => callFirst() }),
  );
  const callFirst = () => threads[0]?.call("effects");
  return {
    wake: () => threads.forEach((thread) => thread.call("wake")),
    stop: async () => void (await Promise.all(threads.map((thread) => thread.stop()))),
    pools() {
      const sums = new Map<string, PoolUse>();
      for (const [name, use] of threads.flatMap(({ last }) => Object.entries(last()?.pools ?? {}))) {
        const sum = sums.get(name) ?? { size: 0, inUse: 0, waiting: 0, refused: 0 };
        const { size, inUse, waiting, refused } = use;
        sums.set(name, { size: sum.size + size, inUse: sum.inUse + inUse, waiting: sum.waiting + waiting, refused: sum.refused + refused });
      }
      return sums;
    },
    figures: () => threads.flatMap((thread) => thread.figures()),
    restarts: () => restarts,
  };
}

interface ThreadEvents {
  onRestart(): void;
  onEffects(): void;
}

function startThread(options: ThreadsOptions, own: Pick<ThreadStart, "index" | "of" | "sizes">, { onRestart, onEffects }: ThreadEvents) {
  const { databaseUrl, waitMs, logger, writeLine, observer, program = PROGRAM } = options;
  const calls = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const flags = new Int32Array(calls);
  const ended = Promise.withResolvers<void>();
  let thread: Worker | null = null;
  let startedAt = 0;
  let waiting: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopping = false;
  let last: Report | null = null;
  let longestStallMs = 0;
  let utilization: ReturnType<Worker["performance"]["eventLoopUtilization"]> | undefined;

  // Under `--watch`, Node itself reports over this channel which modules a thread has loaded: those messages have no kind.
  const take = (message: FromThread | { kind?: undefined }) => {
    if (message.kind === "log") return writeLine(message.line);
    if (message.kind === "effects") return onEffects();
    if (message.kind !== "report") return;
    last = message;
    longestStallMs = Math.max(longestStallMs, message.longestStallMs);
    for (const { name, of } of message.observed) (observer[name] as (...args: unknown[]) => void)(...of);
  };
  const start = () => {
    const workerData: ThreadStart = { ...own, databaseUrl, waitMs, calls };
    let failure: unknown = new Error("The thread ended without an error.");
    startedAt = performance.now();
    utilization = undefined;
    // The failed thread has not seen these; a new one looks for work anyway.
    Atomics.store(flags, 0, 0);
    thread = new Worker(program, { workerData, name: `engagement-worker-${own.index}` })
      .on("message", take)
      .on("error", (error) => (failure = error))
      .on("exit", () => {
        [thread, last] = [null, null];
        if (isStopping) return ended.resolve();
        failures = performance.now() - startedAt > BACKOFF_MS.lasting ? 1 : failures + 1;
        const pauseMs = Math.min(BACKOFF_MS.first * 2 ** (failures - 1), BACKOFF_MS.most);
        logger.error({ err: failure, thread: own.index, pauseMs }, "a thread of the worker failed; it is started again");
        onRestart();
        waiting = setTimeout(start, pauseMs);
      });
  };
  const call = (what: Call) => {
    if (Atomics.or(flags, 0, CALLS[what]) === 0) thread?.postMessage(null);
  };
  start();
  return {
    call,
    last: () => last,
    figures(): ThreadFigures[] {
      if (thread === null) return [];
      const now = thread.performance.eventLoopUtilization();
      const { utilization: busy } = utilization === undefined ? now : thread.performance.eventLoopUtilization(now, utilization);
      const figures = { index: own.index, busy, longestStallMs };
      [utilization, longestStallMs] = [now, 0];
      return [figures];
    },
    async stop() {
      isStopping = true;
      clearTimeout(waiting);
      if (thread === null) return;
      call("stop");
      await ended.promise;
    },
  };
}

/**
 * A thread's connections for applying facts: one for each lane that it works in parallel, and one for polling. The first thread also has
 * those of the jobs that only it runs: the rest of `all`, the connections of a single-threaded worker.
 */
export function factConnections(all: number, share: { index: number; of: number }): number {
  const own = lanesAtOnce(share);
  return share.index === 0 ? Math.max(2, all - (LANES_AT_ONCE - own)) : own + 1;
}
