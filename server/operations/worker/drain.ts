import { startJob, type WorkerOptions } from "./loop.ts";
import { JOB_NAMES, type JobName, JOBS } from "./registry.ts";

/** The result of one kind of job. */
export interface Drained {
  work: JobName;
  /** How much was done, such as the number of facts applied or of deliveries attempted. */
  done: number;
  /** False if time ran out before all due work was done. */
  isThrough: boolean;
}

/** Jobs that a request may have made due. */
const SOON = JOB_NAMES.filter((work) => JOBS[work].everyMinutes === undefined);

/** The job of this name; null if there is none. */
export const findJob = (name: string): JobName | null => JOB_NAMES.find((work) => work === name) ?? null;

/**
 * Does due work like a worker, beside any number of them, until none is left or `budgetMs` are over. Running work is then finished: up to
 * 10 s more. Work that becomes due for a later job of the registry is included.
 */
export async function drain(options: WorkerOptions, kinds: readonly JobName[], budgetMs: number): Promise<Drained[]> {
  const runners = kinds.map((work) => ({ work, runner: startJob(work, options, () => {}), isThrough: false }));
  const { promise: timeIsUp, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, budgetMs, false);
  for (const one of runners) one.isThrough = await Promise.race([one.runner.idle().then(() => true), timeIsUp]);
  clearTimeout(timer);
  await Promise.all(runners.map(({ runner }) => runner.stop()));
  return runners.map(({ work, runner, isThrough }) => ({ work, done: runner.done(), isThrough }));
}

/** A `drain` of what requests make due, one at a time in this process: calls during a run share the next one. */
export function createDrain(options: WorkerOptions, budgetMs: number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = async () => {
    next = null;
    await drain(options, SOON, budgetMs).catch((error: unknown) => options.logger.error({ err: error }, "a drain failed"));
  };
  return () => (next ??= last = last.then(begin));
}
