import { LANES_AT_ONCE, lanesAtOnce } from "../../model/kernel/lanes.ts";

/**
 * The connections with which a thread applies facts: one for each lane that it works at once and one to look for more. The first thread also has those
 * of the jobs that it alone runs: what is left of `all`, the connections of a worker in one thread.
 */
export function factConnections(all: number, share: { index: number; of: number }): number {
  const own = lanesAtOnce(share);
  return share.index === 0 ? Math.max(2, all - (LANES_AT_ONCE - own)) : own + 1;
}
