import type { Measured } from "./arithmetic.ts";

/** What `node bench/cost.ts` has printed. Docs/scaling.md says on which machine; after a new run its tables follow from here. */
export const ONE_SERVER: Measured = {
  event: { serviceMicros: 61, databaseMicros: 81, logBytes: [1_311] },
  read: { serviceMicros: 1_070, databaseMicros: 550, logBytes: [458] },
  stored: { eventBytes: 292, playerBytes: 2_927 },
};
