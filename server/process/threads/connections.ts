import { LANES_AT_ONCE, lanesAtOnce } from "../../model/kernel/lanes.ts";

/**
 * A thread's connections for applying facts: one for each lane that it works at once, and one for polling. The first thread also has those
 * of the jobs that only it runs: the rest of `all`, the connections of a single-threaded worker.
 */
export function factConnections(all: number, share: { index: number; of: number }): number {
  const own = lanesAtOnce(share);
  return share.index === 0 ? Math.max(2, all - (LANES_AT_ONCE - own)) : own + 1;
}
