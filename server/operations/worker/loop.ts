import type { Database } from "#db/client.ts";
import type { Runner } from "../../model/kernel/runner.ts";
import type { LaneShare, WorkContext } from "./context.ts";
import { type JobName, JOBS } from "./registry.ts";

export interface WorkerOptions extends Omit<WorkContext, "onEffects" | "onLook" | "share"> {
  /** A separate pool for deliveries; the same as for the rest if left out. */
  deliveriesDatabase?: Database;
}

/** The dependencies of one job. */
export function contextOf(work: JobName, { deliveriesDatabase, ...options }: WorkerOptions, onEffects: () => void): WorkContext {
  const database = work === "deliveries" ? (deliveriesDatabase ?? options.database) : options.database;
  return { ...options, database, onEffects, onLook: () => options.observer?.lookBegan(work) };
}

/** A worker that can be told of facts applied elsewhere: there may be deliveries to send. */
export interface RunningWorker extends Runner {
  wakeOthers(): void;
}

/**
 * Runs every job of the registry, beside any number of other workers. If a process has several threads, the first does this and the others
 * only apply facts; `share.onEffects` is called when they have applied some.
 */
export function startWorker({ share, ...options }: WorkerOptions & { share?: LaneShare & { onEffects(): void } }): RunningWorker {
  const start = (work: JobName, onEffects: () => void) => JOBS[work]({ ...contextOf(work, options, onEffects), share });
  if (share !== undefined && share.index > 0) return { ...start("facts", share.onEffects), wakeOthers: () => {} };
  const deliveries = start("deliveries", () => {});
  const notices = start("notices", () => {});
  const leaderboards = start("leaderboards", deliveries.wake);
  const scheduledChanges = start("scheduledChanges", leaderboards.wake);
  const wakeOthers = () => {
    deliveries.wake();
    leaderboards.wake();
  };
  const segments = start("segments", () => {});
  const facts = start("facts", wakeOthers);
  const imports = start("imports", () => {});
  const analytics = start("analytics", () => {});
  const requestLog = start("requestLog", () => {});
  const retention = start("retention", () => {});
  const testProjects = start("testProjects", () => {});
  return {
    wake: facts.wake,
    wakeOthers,
    async stop() {
      await imports.stop();
      await facts.stop();
      await scheduledChanges.stop();
      await segments.stop();
      await analytics.stop();
      await leaderboards.stop();
      await deliveries.stop();
      await notices.stop();
      await requestLog.stop();
      await retention.stop();
      await testProjects.stop();
    },
  };
}
