import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { moveClock, moveClockBy, moveClockTo } from "../../operations/sandbox/move-clock.ts";
import { resetSandbox } from "../../operations/sandbox/reset.ts";
import { settleBoard } from "../../operations/sandbox/settle-board.ts";
import { z } from "zod";
import { forEnvironment } from "../access.ts";
import { instantOf } from "./inputs.ts";
import { inEnvironment, instantText } from "../../model/contract/rpc.ts";

export const sandboxDashboardProcedures = {
  /**
   * Moves a Sandbox clock forward and waits until due work is done; returns its new time. `by` is an ISO 8601 duration in the project's
   * zone, at most a year.
   */
  moveClock: forEnvironment("Editor", "cheap")(
    // Strict: one of both, as `to` would be ignored beside `by`.
    z.union([
      z.strictObject({ ...inEnvironment.shape, by: z.string().max(100) }),
      z.strictObject({ ...inEnvironment.shape, to: instantText }),
    ]),
    async (input, { database, environment, actor, wake, isOperator }) => {
      const now =
        "by" in input
          ? await (isOperator ? moveClock : moveClockBy)(database, environment, input.by, actor)
          : await moveClockTo(database, environment, instantOf(input.to), actor);
      wake();
      return { now: formatInstant(now) };
    },
  ),
  /** Settles a leaderboard period now: moves the clock to its settlement, and does all work due until then; returns the new time. */
  settleBoard: forEnvironment("Editor", "cheap")(
    inEnvironment.extend({ key: z.string().min(1).max(200), start: z.string().max(10) }),
    async (input, { database, environment, actor, wake }) => {
      const now = await settleBoard(database, environment, input, actor);
      wake();
      return { now: formatInstant(now) };
    },
  ),
  /** Empties a Sandbox; `confirmation` is the typed slug of the project. Returns the number of deleted players. */
  reset: forEnvironment("Admin", "cheap")(
    inEnvironment.extend({ confirmation: z.string().max(200) }),
    async ({ confirmation }, { database, environment, actor }) => {
      if (confirmation !== environment.projectSlug) {
        throw new OperatorError(`Type ${environment.projectSlug} to confirm.`);
      }
      return { players: await resetSandbox(database, environment, actor) };
    },
  ),
};
