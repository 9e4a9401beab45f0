import { z } from "zod";
import { forEnvironment, inEnvironment, instantText } from "../api/contract.dashboard.ts";

/** The clock of a Sandbox, and its reset. */
export const sandboxDashboard = {
  /** Moves a Sandbox clock forward, by an ISO 8601 duration in the project's zone, and waits until what fell due is done; where it stands then. */
  moveClock: forEnvironment("Editor")
    .input(z.union([inEnvironment.extend({ by: z.string().max(100) }), inEnvironment.extend({ to: instantText })]))
    .output(z.object({ now: instantText })),
  /** Empties a Sandbox; `confirmation` is the project's slug, typed by hand. Returns the number of deleted players. */
  reset: forEnvironment("Admin")
    .input(inEnvironment.extend({ confirmation: z.string() }))
    .output(z.object({ players: z.int() })),
};
