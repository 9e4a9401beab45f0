import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

const MAX_KEY_LENGTH = 200;

const one = inEnvironment.extend({ key: z.string().max(MAX_KEY_LENGTH) });

const count = z.object({
  key: z.string(),
  /** Whether a count is due or running; until it completes the previous one is shown. */
  isCounting: z.boolean(),
  /** The players that the count under way has seen. */
  playersSoFar: z.int(),
  /** The last complete count, of `members` among `players`, in real time; null until there is one. */
  counted: z.object({ members: z.int(), players: z.int(), at: instantText }).nullable(),
});

export type SegmentCountShown = z.output<typeof count>;

export const segmentsDashboard = {
  /** How many players some segments hold. A segment that is switched off is not counted, and is left out. */
  counts: forEnvironment("Viewer")
    .input(inEnvironment.extend({ keys: z.array(z.string().max(MAX_KEY_LENGTH)).max(200) }))
    .output(z.object({ counts: z.array(count) })),
  /** The players that the last count found in a segment; `next` begins the page after. */
  members: forEnvironment("Viewer")
    .input(one.extend({ cursor, limit: z.int().min(1).max(100).default(25) }))
    .output(
      z.object({
        players: z.array(z.object({ externalId: z.string(), displayName: z.string().nullable(), balance: z.number() })),
        next: z.string().nullable(),
      }),
    ),
  /** Starts a count of a segment in the background. It changes no definition and no player. */
  countAgain: forEnvironment("Support").input(one).output(z.void()),
};
