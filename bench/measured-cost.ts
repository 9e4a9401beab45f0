import type { Measured } from "./arithmetic.ts";

/**
 * The output of `npm run cost`; `read` is its mission feed. docs/scaling.md names the machine. Its tables are computed from these figures:
 * update both after a new run.
 */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 68, databaseMicros: 78, logBytes: [2_247] },
  read: { serviceMicros: 270, databaseMicros: 85, logBytes: [13] },
  stored: { eventBytes: 293, playerBytes: 4_030 },
};

/** With `--citus`. Stored bytes are those of the one server, since a thousand players are too few to fill shards. */
export const TWO_WORKERS: Measured = {
  event: { serviceMicros: 56, databaseMicros: 55, workersMicros: [20, 18], logBytes: [1_123, 321, 305] },
  read: { serviceMicros: 530, databaseMicros: 540, workersMicros: [220, 220], logBytes: [17, 3, 3] },
  stored: ONE_SERVER.stored,
};
