/**
 * The queue of facts is cut into fine lanes, each a range of parts. A player's facts are always in one fine lane, in their order. The
 * number never changes: the column `lane` of a queued fact holds it.
 */
export const FINE_LANES = 64;

/** `part` is 0 to 1023; statements write it as `part >> 4`. */
export const fineLaneOf = (part: number): number => part >> 4;

/** The numbers of lanes that an installation can have. Each lane is worked by one worker at a time. */
export const LANE_COUNTS = [1, 2, 4, 8, 16, 32, 64] as const;

/** The default number of lanes. */
export const DEFAULT_LANES = 4;

/** The fine lanes from `first` to `last`. */
export interface Lane {
  first: number;
  last: number;
}

/** The fine lanes of all lanes, when there are `count` of them; a power of two. */
export const lanesOf = (count: number): Lane[] =>
  Array.from({ length: count }, (_, index) => ({ first: (index * FINE_LANES) / count, last: ((index + 1) * FINE_LANES) / count - 1 }));

/** Lanes that one process works at once: each has a connection (db/pools.ts). */
export const LANES_AT_ONCE = 4;

/** Those that one of its threads works at once. */
export const lanesAtOnce = ({ index, of }: { index: number; of: number }): number => Math.max(1, Math.ceil((LANES_AT_ONCE - index) / of));

/** The whole queue. */
export const EVERY_LANE: Lane = { first: 0, last: FINE_LANES - 1 };

/** Scores are counted per range of parts, so that transactions rarely contend for the same counts. Independent of the queue's lanes. */
export const BOARD_LANES = 4;

/** Statements write it as `part >> 8`. */
export const boardLaneOf = (part: number): number => part >> 8;
