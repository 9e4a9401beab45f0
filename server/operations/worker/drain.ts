import { contextOf, type WorkerOptions } from "./loop.ts";
import { type JobName, JOBS } from "./registry.ts";

/** The result of one kind of work. */
export interface Drained {
  work: JobName;
  /** The number of facts applied, of deliveries attempted. */
  done: number;
  /** False when time ran out before nothing was due any more. */
  isThrough: boolean;
}

const KINDS = Object.keys(JOBS) as JobName[];

/** The work that a request may have made due. What is purged and removed goes by its schedule alone. */
const SOON = KINDS.filter((work) => !["requestLog", "retention", "testProjects"].includes(work));

/** The kind of work of this name; null where there is none. */
export const findJob = (name: string): JobName | null => KINDS.find((work) => work === name) ?? null;

/**
 * Does due work as a worker does, beside any number of them, until none is left or `budgetMs` are over. Work in progress is then finished:
 * up to 10 s more. Work that one kind makes due for a later kind of the registry is done as well.
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

/** A `drain` of what requests make due, one at a time in this process: calls during a run wait for the next one, which they share. */
export function createDrain(options: WorkerOptions, budgetMs: number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = async () => {
    next = null;
    await drain(options, SOON, budgetMs).catch((error: unknown) => options.logger.error({ err: error }, "a drain broke off"));
  };
  return () => (next ??= last = last.then(begin));
}
