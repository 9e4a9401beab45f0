/**
 * The queue of facts is cut into fine lanes, each a range of the hashes of parts. A player's facts are always in one fine lane, in their
 * order. The number never changes: the column `lane` of a queued fact holds it. Shards of a distributed database are ranges of the same
 * hashes (docs/scaling.md), so that each fine lane lies in one shard, where the number of shards is a power of two up to this one.
 */
export const FINE_LANES = 64;

/** The fine lane of a row's `part`, for statements. */
export const FINE_LANE = "((hashint2(part)::bigint + 2147483648) >> 26)::smallint";

/** `part` is 0 to 1023. */
const PARTS = 1024;

export const fineLaneOf = (part: number): number => LANE_OF_PART[part]!;

/** PostgreSQL's `hashint2` of a part, as an unsigned number: the last round of Bob Jenkins' hash of one word. */
function hashOf(part: number): number {
  const start = 0x9e3779b9 + 4 + 3923095;
  let [a, b, c] = [start + part, start, start];
  const turned = (word: number, by: number) => (word << by) | (word >>> (32 - by));
  c = (c ^ b) - turned(b, 14);
  a = (a ^ c) - turned(c, 11);
  b = (b ^ a) - turned(a, 25);
  c = (c ^ b) - turned(b, 16);
  a = (a ^ c) - turned(c, 4);
  b = (b ^ a) - turned(a, 14);
  c = (c ^ b) - turned(b, 24);
  return c >>> 0;
}

// `hashint2` is signed; shifted by 2^31 its lowest value is 0.
const LANE_OF_PART = Uint8Array.from({ length: PARTS }, (_, part) => (hashOf(part) ^ 0x80000000) >>> 26);

/** The numbers of lanes that an installation can have. Each lane is worked by one worker at a time. */
export const LANE_COUNTS = [1, 2, 4, 8, 16, 32, 64] as const;

export const DEFAULT_LANES = 4;

/** The fine lanes from `first` to `last`. */
export interface Lane {
  first: number;
  last: number;
}

export const fineLanesIn = ({ first, last }: Lane): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The fine lanes of all lanes, when there are `count` of them; a power of two. */
export const lanesOf = (count: number): Lane[] =>
  Array.from({ length: count }, (_, index) => ({ first: (index * FINE_LANES) / count, last: ((index + 1) * FINE_LANES) / count - 1 }));

/** Lanes that one process works in parallel: each has a connection (db/pools.ts). */
export const LANES_AT_ONCE = 4;

/** The lanes that one of its threads works in parallel. */
export const lanesAtOnce = ({ index, of }: { index: number; of: number }): number => Math.max(1, Math.ceil((LANES_AT_ONCE - index) / of));

/** All fine lanes: the whole queue. */
export const EVERY_LANE: Lane = { first: 0, last: FINE_LANES - 1 };

/**
 * Scores are counted by lanes of their own: the queue's default lanes, so that slices in parallel do not wait for each other's counts. Only
 * sums over all lanes are read, since older rows were counted by ranges of parts.
 */
export const BOARD_LANES = 4;

/** The board lane of a row's `part`, for statements. */
export const BOARD_LANE = "((hashint2(part)::bigint + 2147483648) >> 30)::smallint";

export const boardLaneOf = (part: number): number => fineLaneOf(part) >> 4;
