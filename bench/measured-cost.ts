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
  event: { serviceMicros: 74, databaseMicros: 95, workersMicros: [50, 53], logBytes: [763, 326, 306] },
  read: { serviceMicros: 560, databaseMicros: 520, workersMicros: [240, 260], logBytes: [48, 2, 2] },
  stored: ONE_SERVER.stored,
};
