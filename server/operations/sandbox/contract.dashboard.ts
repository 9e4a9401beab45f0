import { z } from "zod";
import { forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

/** The clock of a Sandbox, and its reset. */
export const sandboxDashboard = {
  /**
   * Moves a Sandbox clock forward and waits until due work is done; returns its new time. `by` is an ISO 8601 duration in the project's
   * zone, at most a year.
   */
  moveClock: forEnvironment("Editor")
    .input(z.union([inEnvironment.extend({ by: z.string().max(100) }), inEnvironment.extend({ to: instantText })]))
    .output(z.object({ now: instantText })),
  /** Settles a leaderboard period now: moves the clock to its settlement, and does all work due until then; returns the new time. */
  settleBoard: forEnvironment("Editor")
    .input(inEnvironment.extend({ key: z.string().min(1).max(200), start: z.string().max(10) }))
    .output(z.object({ now: instantText })),
  /** Empties a Sandbox; `confirmation` is the typed slug of the project. Returns the number of deleted players. */
  reset: forEnvironment("Admin")
    .input(inEnvironment.extend({ confirmation: z.string().max(200) }))
    .output(z.object({ players: z.int() })),
};
