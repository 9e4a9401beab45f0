/** An organization's limits in one process: running requests, and waiting ones. */
export interface Quota {
  inFlight: number;
  waiting: number;
}

/** The limit of an organization: Sandbox and Live together, all processes together. */
export const LIMIT: Quota = { inFlight: 16, waiting: 8 };

/** The other processes, as one sees them when it computes its part. */
export interface PeerProcesses {
  /** The number of live processes before it in the order of their ids. */
  index: number;
  /** The number of live processes, itself included. */
  processes: number;
  /** The running requests that all the others have reserved together. */
  taken: number;
}

/**
 * The part of the limit that one of several processes takes, and no more than the others have left of it: an older process gives back with
 * its next beat what is no longer its own. The parts come to add up to the limit. A process always takes one request, or it would always
 * turn its organizations away: so the sum passes the limit by at most one for each process.
 */
export function splitQuota({ index, processes, taken }: PeerProcesses): Quota {
  const inFlight = Math.min(portion(LIMIT.inFlight, index, processes), LIMIT.inFlight - taken);
  return { inFlight: Math.max(1, inFlight), waiting: portion(LIMIT.waiting, index, processes) };
}

/**
 * For a process that the others do not know of, because it has just begun or was silent for so long that they take it for dead: one
 * running request, and as many waiting as there may be in all, until it knows its part.
 */
export const UNKNOWN: Quota = { inFlight: 1, waiting: LIMIT.inFlight + LIMIT.waiting - 1 };

const portion = (whole: number, index: number, parts: number): number => Math.floor(whole / parts) + (index < whole % parts ? 1 : 0);
