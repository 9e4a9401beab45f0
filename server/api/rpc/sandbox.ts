import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { sandboxDashboard } from "../../operations/sandbox/contract.dashboard.ts";
import { moveClockBy, moveClockTo } from "../../operations/sandbox/move-clock.ts";
import { resetSandbox } from "../../operations/sandbox/reset.ts";
import { settleBoard } from "../../operations/sandbox/settle-board.ts";

const dashboard = implement(sandboxDashboard).$context<DashboardContext>().use(guard);

export const sandboxDashboardProcedures = {
  moveClock: dashboard.moveClock.handler(async ({ input, context: { database, environment, actor, wake } }) => {
    const now =
      "by" in input
        ? await moveClockBy(database, environment, input.by, actor)
        : await moveClockTo(database, environment, instantOf(input.to), actor);
    wake();
    return { now: formatInstant(now) };
  }),
  settleBoard: dashboard.settleBoard.handler(async ({ input, context: { database, environment, actor, wake } }) => {
    const now = await settleBoard(database, environment, input, actor);
    wake();
    return { now: formatInstant(now) };
  }),
  reset: dashboard.reset.handler(async ({ input: { confirmation }, context: { database, environment, actor } }) => {
    if (confirmation !== environment.projectSlug) {
      throw new OperatorError(`Type the project's name in addresses, ${environment.projectSlug}, to confirm.`);
    }
    return { players: await resetSandbox(database, environment, actor) };
  }),
};

function instantOf(text: string): number {
  const at = parseInstant(text);
  if (at === null) throw new OperatorError(`"${text}" is not an RFC 3339 instant; one such as 2026-01-31T09:00:00Z is.`);
  return at;
}
