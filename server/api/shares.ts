/** What one organization may have under way in one process (decisions.md 8): requests in flight, and requests waiting for that. */
export interface Share {
  inFlight: number;
  waiting: number;
}

/** api.md 8: of an organization, Sandbox and Live together, in all processes together. */
export const LIMIT: Share = { inFlight: 16, waiting: 8 };

/**
 * The part of the limit that one of several processes takes; `place` is how many go before it in the order they all see. The
 * parts add up to the limit. With more processes than it has places, each still takes one, or its organizations would be
 * turned away by some of them always.
 */
export const shareOf = (place: number, processes: number): Share => ({
  inFlight: Math.max(1, part(LIMIT.inFlight, place, processes)),
  waiting: part(LIMIT.waiting, place, processes),
});

const part = (whole: number, place: number, parts: number): number => Math.floor(whole / parts) + (place < whole % parts ? 1 : 0);
