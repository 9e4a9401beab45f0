import { z } from "zod";
import { forEnvironment, inEnvironment, instantText } from "../api/contract.dashboard.ts";

const LONGEST_QUERY = 200;

export const playersDashboard = {
  /** Players whose external id or display name begins so, the exact external id first; the newest where nothing is asked. */
  search: forEnvironment("Viewer")
    .input(inEnvironment.extend({ query: z.string().max(LONGEST_QUERY).default(""), limit: z.int().min(1).max(100).default(20) }))
    .output(
      z.object({
        players: z.array(z.object({ externalId: z.string(), displayName: z.string().nullable(), createdAt: instantText })),
      }),
    ),
};
