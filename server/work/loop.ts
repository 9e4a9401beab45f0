import { CATALOGUE } from "./catalogue.ts";
import type { Runner, WorkContext } from "./runner.ts";

export type WorkerOptions = Omit<WorkContext, "onEffects">;

/** Runs all work of the catalogue in this process, beside any number of other workers. */
export function startWorker(options: WorkerOptions): Runner {
  const deliveries = CATALOGUE.deliveries({ ...options, onEffects: () => {} });
  const facts = CATALOGUE.facts({ ...options, onEffects: deliveries.wake });
  return {
    wake: facts.wake,
    async stop() {
      await facts.stop();
      await deliveries.stop();
    },
  };
}
