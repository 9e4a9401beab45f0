import type { Measured } from "./arithmetic.ts";

/**
 * What `npm run cost` has printed; `read` is its mission feed. Docs/scaling.md says on which machine. After a new run its tables follow
 * from here.
 */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 102, databaseMicros: 96, logBytes: [1_524] },
  read: { serviceMicros: 840, databaseMicros: 475, logBytes: [128] },
  stored: { eventBytes: 293, playerBytes: 5_026 },
};

/** With `--citus`. What is stored is taken from the one server: a thousand players are too few for shards to be full. */
export const TWO_WORKERS: Measured = {
  event: { serviceMicros: 475, databaseMicros: 2_433, workersMicros: [335, 315], logBytes: [587, 530, 491] },
  read: { serviceMicros: 1_340, databaseMicros: 1_130, workersMicros: [470, 440], logBytes: [198, 1, 1] },
  stored: ONE_SERVER.stored,
};
