import type { Database } from "../../db/client.ts";
import type { Runner } from "../kernel/runner.ts";
import type { WorkContext } from "./context.ts";
import { type JobName, JOBS } from "./registry.ts";

export interface WorkerOptions extends Omit<WorkContext, "onEffects" | "onLook"> {
  /** Connections for deliveries, which no other work can take; the same as for the rest when left out. */
  deliveriesDatabase?: Database;
}

/** The dependencies of one kind of work. */
export function contextOf(work: JobName, { deliveriesDatabase, ...options }: WorkerOptions, onEffects: () => void): WorkContext {
  const database = work === "deliveries" ? (deliveriesDatabase ?? options.database) : options.database;
  return { ...options, database, onEffects, onLook: () => options.observer?.lookBegan(work) };
}

/** Runs every job of the registry in this process, beside any number of other workers. */
export function startWorker(options: WorkerOptions): Runner {
  const start = (work: JobName, onEffects: () => void) => JOBS[work](contextOf(work, options, onEffects));
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
