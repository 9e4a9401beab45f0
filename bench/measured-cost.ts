import type { Measured } from "./arithmetic.ts";

/**
 * The output of `npm run cost`; `read` is its mission feed. docs/scaling.md names the machine. Its tables are computed from these figures:
 * update both after a new run.
 */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 80, databaseMicros: 107, logBytes: [2_327] },
  read: { serviceMicros: 430, databaseMicros: 175, logBytes: [12] },
  stored: { eventBytes: 294, playerBytes: 4_051 },
};

/** With `--citus`. Stored bytes are those of the one server, since a thousand players are too few to fill shards. */
export const TWO_WORKERS: Measured = {
  event: { serviceMicros: 72, databaseMicros: 81, workersMicros: [29, 27], logBytes: [711, 324, 303] },
  read: { serviceMicros: 560, databaseMicros: 520, workersMicros: [240, 260], logBytes: [48, 2, 2] },
  stored: ONE_SERVER.stored,
};
