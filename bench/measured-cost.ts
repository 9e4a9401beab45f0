import type { Measured } from "./arithmetic.ts";

/**
 * What `npm run cost` has printed; `read` is its mission feed. Docs/scaling.md says on which machine. After a new run its tables follow
 * from here.
 */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 85, databaseMicros: 85, logBytes: [1_720] },
  read: { serviceMicros: 545, databaseMicros: 215, logBytes: [11] },
  stored: { eventBytes: 294, playerBytes: 4_293 },
};

/** With `--citus`. What is stored is taken from the one server: a thousand players are too few for shards to be full. */
export const TWO_WORKERS: Measured = {
  event: { serviceMicros: 148, databaseMicros: 1_152, workersMicros: [146, 134], logBytes: [776, 402, 394] },
  read: { serviceMicros: 580, databaseMicros: 510, workersMicros: [255, 255], logBytes: [16, 4, 4] },
  stored: ONE_SERVER.stored,
};
