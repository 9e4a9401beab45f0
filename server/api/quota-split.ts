/** An organization's limits in one process: running and waiting requests. */
export interface Quota {
  inFlight: number;
  waiting: number;
}

/** An organization's limit: Sandbox and Live together, over all processes. */
export const LIMIT: Quota = { inFlight: 16, waiting: 8 };

/** The other processes, as seen by one that computes its part. */
export interface PeerProcesses {
  /** The number of live processes before it in the order of their ids. */
  index: number;
  /** The number of live processes, itself included. */
  processes: number;
  /** The running requests that all others have reserved together. */
  taken: number;
}

/**
 * One process's part of the limit, at most what the others have left of it: an older process gives back its surplus with its next beat, so
 * the parts converge to the limit. A process always takes one request, or it would always refuse its organizations: the sum exceeds the
 * limit by at most one for each process.
 */
export function splitQuota({ index, processes, taken }: PeerProcesses): Quota {
  const inFlight = Math.min(portion(LIMIT.inFlight, index, processes), LIMIT.inFlight - taken);
  return { inFlight: Math.max(1, inFlight), waiting: portion(LIMIT.waiting, index, processes) };
}

/**
 * For a process that the others do not count, because it has just started or was silent so long that they consider it dead: one running
 * request, and the rest of the limit as waiting ones, until it knows its part.
 */
export const UNKNOWN: Quota = { inFlight: 1, waiting: LIMIT.inFlight + LIMIT.waiting - 1 };

const portion = (whole: number, index: number, parts: number): number => Math.floor(whole / parts) + (index < whole % parts ? 1 : 0);
