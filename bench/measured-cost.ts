import type { Measured } from "./arithmetic.ts";

/**
 * The output of `npm run cost`; `read` is its mission feed. docs/scaling.md names the machine. Its tables are computed from these figures:
 * update both after a new run.
 */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 73, databaseMicros: 97, logBytes: [2_330] },
  read: { serviceMicros: 280, databaseMicros: 80, logBytes: [14] },
  stored: { eventBytes: 293, playerBytes: 3_990 },
};

/** With `--citus`. Stored bytes are those of the one server, since a thousand players are too few to fill shards. */
export const TWO_WORKERS: Measured = {
  event: { serviceMicros: 72, databaseMicros: 84, workersMicros: [27, 24], logBytes: [1_127, 324, 302] },
  read: { serviceMicros: 520, databaseMicros: 520, workersMicros: [240, 240], logBytes: [16, 3, 3] },
  stored: ONE_SERVER.stored,
};
