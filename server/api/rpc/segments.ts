import { orMissing, partsOf } from "./inputs.ts";
import { UUID } from "../../model/kernel/stored.ts";
import { ORPCError } from "@orpc/server";
import { formatInstant } from "../../model/kernel/time.ts";
import { countAgain, readCounts, readMembers } from "../../game/segments/service/read.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import { z } from "zod";
import { cursor, inEnvironment, MAX_KEY_LENGTH } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";

const one = inEnvironment.extend({ key: z.string().max(MAX_KEY_LENGTH) });
const NOT_COUNTED = "There is no such segment, or it is switched off.";

export const segmentsDashboardProcedures = {
  /** How many players some segments hold. A segment that is switched off is not counted, and is left out. */
  counts: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ keys: z.array(z.string().max(MAX_KEY_LENGTH)).max(200) }),
    async ({ keys }, { database, environment }) => ({
      counts: (await readCounts(database, environment, keys)).map(({ counted, ...count }) => ({
        ...count,
        counted: counted && { ...counted, at: formatInstant(counted.at) },
      })),
    }),
  ),
  /** The players that the last count found in a segment; `next` begins the page after. */
  members: forEnvironment("Viewer", "cheap")(
    one.extend({ cursor, limit: z.int().min(1).max(100).default(25) }),
    async ({ key, cursor, limit }, { database, environment }) => {
      const { members, next } = await orMissing(readMembers(database, environment, key, cursorOf(cursor), limit), NOT_COUNTED);
      return {
        players: members.map(({ externalId, displayName, balance }) => ({ externalId, displayName, balance })),
        next: next && `${next.part} ${next.playerId}`,
      };
    },
  ),
  /** Starts a count of a segment in the background. It changes no definition and no player. */
  countAgain: forEnvironment("Support", "cheap")(one, async ({ key }, { database, environment, wake }) => {
    if (!(await countAgain(database, environment, key))) throw new ORPCError("NOT_FOUND", { message: NOT_COUNTED });
    wake();
  }),
};

function cursorOf(cursor: string | null): PlayerKey | null {
  const parts = partsOf(cursor, new RegExp(`^(\\d{1,4}) (${UUID})$`));
  return parts && { part: Number(parts[0]), playerId: parts[1]! };
}
