import { contextOf, type WorkerOptions } from "./loop.ts";
import { type JobName, JOBS } from "./registry.ts";

/** The result of one kind of job. */
export interface Drained {
  work: JobName;
  /** The number of facts applied, or deliveries attempted. */
  done: number;
  /** False if time ran out before all due work was done. */
  isThrough: boolean;
}

const KINDS = Object.keys(JOBS) as JobName[];

/** Jobs that a request may have made due. Purging and removal only follow their schedule. */
const SOON = KINDS.filter((work) => !["requestLog", "retention", "testProjects"].includes(work));

/** The job of this name; null if there is none. */
export const findJob = (name: string): JobName | null => KINDS.find((work) => work === name) ?? null;

/**
 * Does due work like a worker, beside any number of them, until none is left or `budgetMs` are over. Running work is then finished: up to
 * 10 s more. Work that becomes due for a later job of the registry is included.
 */
export async function drain(options: WorkerOptions, kinds: readonly JobName[], budgetMs: number): Promise<Drained[]> {
  const runners = kinds.map((work) => ({ work, runner: JOBS[work](contextOf(work, options, () => {})), isThrough: false }));
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
    await drain(options, SOON, budgetMs).catch((error: unknown) => options.logger.error({ err: error }, "a drain broke off"));
  };
  return () => (next ??= last = last.then(begin));
}
