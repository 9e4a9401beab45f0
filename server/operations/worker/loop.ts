import type { Database } from "#db/client.ts";
import type { KindRunner, Runner } from "../../model/kernel/runner.ts";
import type { LaneShare, WorkContext } from "./context.ts";
import { JOB_NAMES, type JobName, JOBS } from "./registry.ts";

export interface WorkerOptions extends Omit<WorkContext, "onEffects" | "onLook" | "share"> {
  /** A separate pool for deliveries; the same as for the rest if left out. */
  deliveriesDatabase?: Database;
}

export function startJob(
  work: JobName,
  { deliveriesDatabase, ...options }: WorkerOptions & { share?: LaneShare },
  onEffects: () => void,
): KindRunner {
  const database = work === "deliveries" ? (deliveriesDatabase ?? options.database) : options.database;
  return JOBS[work].start({ ...options, database, onEffects, onLook: () => options.observer?.lookBegan(work) });
}

/** A worker that can be told of facts applied elsewhere: there may be deliveries to send. */
export interface RunningWorker extends Runner {
  wakeOthers(): void;
}

/** The shortest time between two wakes, for which effects are gathered: a job's look for due rows costs as much as a small slice. */
const EFFECTS_MS = 100;

/** Calls `wake` immediately, then at most once in `EFFECTS_MS`; no call is lost. */
export function gathered(wake: () => void): () => void {
  let next = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const call = () => {
    timer = undefined;
    next = performance.now() + EFFECTS_MS;
    wake();
  };
  return () => {
    if (timer !== undefined) return;
    const rest = next - performance.now();
    if (rest <= 0) call();
    else timer = setTimeout(call, rest).unref();
  };
}

/**
 * Runs every job of the registry, beside any number of other workers. If a process has several threads, the first does this and the others
 * only apply facts; `share.onEffects` is called when they have applied some.
 */
export function startWorker(options: WorkerOptions & { share?: LaneShare & { onEffects(): void } }): RunningWorker {
  const { share } = options;
  if (share !== undefined && share.index > 0) return { ...startJob("facts", options, share.onEffects), wakeOthers: () => {} };
  const runners = new Map<JobName, KindRunner>();
  const wakeAfter = (work: JobName) =>
    gathered(() => {
      for (const next of JOBS[work].wakes ?? []) runners.get(next)?.wake();
    });
  for (const work of JOB_NAMES) runners.set(work, startJob(work, options, wakeAfter(work)));
  return {
    wake: () => runners.get("facts")?.wake(),
    wakeOthers: wakeAfter("facts"),
    async stop() {
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
    },
  };
}
