import { CATALOGUE } from "./catalogue.ts";
import type { Runner, WorkContext } from "./runner.ts";

export type WorkerOptions = Omit<WorkContext, "onEffects">;

/** Runs all work of the catalogue in this process, beside any number of other workers. */
export function startWorker(options: WorkerOptions): Runner {
  const deliveries = CATALOGUE.deliveries({ ...options, onEffects: () => {} });
  const leaderboards = CATALOGUE.leaderboards({ ...options, onEffects: deliveries.wake });
  const wakeOthers = () => {
    deliveries.wake();
    leaderboards.wake();
  };
  const facts = CATALOGUE.facts({ ...options, onEffects: wakeOthers });
  return {
    wake: facts.wake,
    async stop() {
      await facts.stop();
      await leaderboards.stop();
      await deliveries.stop();
    },
  };
}
