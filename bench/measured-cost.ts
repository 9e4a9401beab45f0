import type { Measured } from "./arithmetic.ts";

/**
 * What `npm run cost` has printed; `read` is its mission feed. Docs/scaling.md says on which machine. After a new run its tables follow
 * from here.
 */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 80, databaseMicros: 107, logBytes: [2_327] },
  read: { serviceMicros: 430, databaseMicros: 175, logBytes: [12] },
  stored: { eventBytes: 294, playerBytes: 4_051 },
};

/** With `--citus`. What is stored is taken from the one server: a thousand players are too few for shards to be full. */
export const TWO_WORKERS: Measured = {
  event: { serviceMicros: 81, databaseMicros: 132, workersMicros: [56, 58], logBytes: [1_128, 321, 313] },
  read: { serviceMicros: 700, databaseMicros: 600, workersMicros: [300, 300], logBytes: [17, 3, 3] },
  stored: ONE_SERVER.stored,
};
