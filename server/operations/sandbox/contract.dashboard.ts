import { z } from "zod";
import { forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

/** The clock of a Sandbox, and its reset. */
export const sandboxDashboard = {
  /**
   * Moves a Sandbox clock forward and waits until what fell due is done; where it stands then. `by` is an ISO 8601 duration in the project's
   * zone, of a year at most.
   */
  moveClock: forEnvironment("Editor")
    .input(z.union([inEnvironment.extend({ by: z.string().max(100) }), inEnvironment.extend({ to: instantText })]))
    .output(z.object({ now: instantText })),
  /** Settles a period of a leaderboard now: moves the clock to when it would be, and does what falls due until then; where the clock stands then. */
  settleBoard: forEnvironment("Editor")
    .input(inEnvironment.extend({ key: z.string().min(1).max(200), start: z.string().max(10) }))
    .output(z.object({ now: instantText })),
  /** Empties a Sandbox; `confirmation` is the project's slug, typed by hand. Returns the number of deleted players. */
  reset: forEnvironment("Admin")
    .input(inEnvironment.extend({ confirmation: z.string().max(200) }))
    .output(z.object({ players: z.int() })),
};
