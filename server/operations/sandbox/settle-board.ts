import type { Database } from "#db/client.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatBound } from "../../model/kernel/time.ts";
import { settleRefusal } from "../../model/leaderboards/period-state.ts";
import { boardOf, periodOfBoard } from "../../game/leaderboards/service/periods-seen.ts";
import { moveClockTo } from "./move-clock.ts";

const REFUSALS = {
  Settled: "This period is settled already.",
  Endless: "This leaderboard has one period without end, so there is nothing to settle.",
  Off: "The leaderboard is off: its periods are settled once it is on again.",
  Live: "Only the Sandbox settles by hand. Live runs on real time, and a period is settled when it is over.",
};

/**
 * Settles a board's period now: the Sandbox clock moves to the period's settlement time, and all work due until then is done on the way, by
 * the same code as in Live. The clock has to pass the period's end, because a settled period takes no facts. One audit log entry covers
 * both. Returns the new time. Throws OperatorError.
 */
export async function settleBoard(
  database: Database,
  environment: Environment,
  { key, start }: { key: string; start: string },
  actor: Actor,
): Promise<number> {
  const board = await boardOf(database.sql, environment, key);
  const period = await periodOfBoard(database.sql, board, start);
  const refusal = settleRefusal(period, { isLive: environment.kind === "live", isActive: board.active });
  if (refusal !== null) throw new OperatorError(REFUSALS[refusal]);
  // An endless period has no `settlesAt`, and was refused above.
  const settlesAt = period.settlesAt ?? 0;
  const purpose = {
    action: "settle",
    subjectKind: "leaderboards",
    subjectKey: key,
    facts: { period: start === "" ? formatBound(settlesAt) : start },
  };
  // The message shows if a concurrent settlement has already moved the clock.
  return moveClockTo(database, environment, settlesAt, actor, purpose, "This period is being settled already.");
}
