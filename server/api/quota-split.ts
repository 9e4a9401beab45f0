/** What one organization may have under way in one process: requests in flight, and requests waiting for that. */
export interface Quota {
  inFlight: number;
  waiting: number;
}

/** of an organization, Sandbox and Live together, in all processes together. */
export const LIMIT: Quota = { inFlight: 16, waiting: 8 };

/** What a process sees of the others when it asks for its part. */
export interface PeerProcesses {
  /** How many live ones go before it in the order of their ids. */
  index: number;
  /** How many are alive, itself included. */
  processes: number;
  /** How many requests in flight the others have taken for themselves, all together. */
  taken: number;
}

/**
 * The part of the limit that one of several processes takes, and no more than the others have left of it: who was there before gives back
 * with its next sign of life what is no longer its own. The parts come to add up to the limit. A process always takes one request, or
 * its organizations would be turned away by some of them always: so the sum never passes the limit by more than one for each process.
 */
export function splitQuota({ index, processes, taken }: PeerProcesses): Quota {
  const inFlight = Math.min(portion(LIMIT.inFlight, index, processes), LIMIT.inFlight - taken);
  return { inFlight: Math.max(1, inFlight), waiting: portion(LIMIT.waiting, index, processes) };
}

/**
 * For a process that the others do not know of, because it has just begun or gave no sign of life for so long that they take it for dead:
 * one request, and as many waiting as there may be in all, until it knows its part.
 */
export const UNKNOWN: Quota = { inFlight: 1, waiting: LIMIT.inFlight + LIMIT.waiting - 1 };

const portion = (whole: number, index: number, parts: number): number => Math.floor(whole / parts) + (index < whole % parts ? 1 : 0);
