import type { Leaderboard } from "../definitions/compiled.ts";
import type { ScorePeriod } from "../rules/effects.ts";
import { periodAt, periodsBetween } from "../kernel/time.ts";
import { calendarPeriodAt, calendarPeriodFrom } from "./zones.ts";
import { isHeld } from "./shape.ts";

type Periodic = Pick<Leaderboard, "period" | "createdAt" | "begun" | "firstZone">;

/** The only period of a board without recurring periods. */
const ONLY = { start: "", number: 0 };

/**
 * The period of a leaderboard that an instant lies in, in the project's zone, since players share it; numbered by the
 * boundaries crossed since the creation. Null outside a season, and before the first period.
 */
export function periodOf({ period, createdAt, begun, firstZone }: Periodic, instant: number, zone: string): ScorePeriod | null {
  switch (period.kind) {
    case "AllTime":
      return { ...ONLY, startsAt: null, endsAt: null };
    case "Season": {
      const { startsAt, endsAt } = period;
      return instant >= startsAt && instant < endsAt ? { ...ONLY, startsAt, endsAt } : null;
    }
    case "Calendar": {
      const { start, startsAt, endsAt } = calendarPeriodAt(period.every, begun, instant, zone);
      const number = periodsBetween(period.every, periodAt(createdAt, firstZone ?? zone, period.every).start, start);
      return number < 0 ? null : { start, number, startsAt, endsAt };
    }
  }
}

/** The current period at an instant; a season is current before and after it too, since its row must exist to be settled. */
export function standingPeriod(board: Periodic, now: number, zone: string): ScorePeriod | null {
  const { period } = board;
  return period.kind === "Season" ? { ...ONLY, startsAt: period.startsAt, endsAt: period.endsAt } : periodOf(board, now, zone);
}

/** The bounds of a period with this local start, in the project's zone as it is now. */
export function boundsOf(
  { period, begun }: Pick<Leaderboard, "period" | "begun">,
  start: string,
  zone: string,
): Pick<ScorePeriod, "startsAt" | "endsAt"> {
  switch (period.kind) {
    case "AllTime":
      return { startsAt: null, endsAt: null };
    case "Season":
      return period;
    case "Calendar":
      return calendarPeriodFrom(period.every, begun, start, zone);
  }
}

/** When a period is settled; null for one without end. */
export const settlesAt = ({ settleAfterMs }: Pick<Leaderboard, "settleAfterMs">, { endsAt }: Pick<ScorePeriod, "endsAt">): number | null =>
  endsAt === null ? null : endsAt + settleAfterMs;

/** When the first step of settling a period is due: over an attribute at its end, when held values continue in the next. */
export const firstDue = (board: Pick<Leaderboard, "settleAfterMs" | "scoreSource">, period: Pick<ScorePeriod, "endsAt">): number | null =>
  isHeld(board) ? period.endsAt : settlesAt(board, period);

/** Whether facts received now still move a period: the board exists, and the period is not settled. */
export function isOpen(board: Pick<Leaderboard, "createdAt" | "settleAfterMs">, period: ScorePeriod, receivedAt: number): boolean {
  const settles = settlesAt(board, period);
  return receivedAt >= board.createdAt && (settles === null || receivedAt < settles);
}

/**
 * The periods in which a player's value counts that has held since `since` and was received at `receivedAt`: the current one at `now`, and
 * earlier ones since `since` that were not settled at the receipt. A season counts also before it begins, and after its end until it is
 * settled.
 */
export function periodsHeld(board: Leaderboard, since: number, receivedAt: number, zone: string, now = receivedAt): ScorePeriod[] {
  const held: ScorePeriod[] = [];
  let period = periodOf(board, now, zone) ?? seasonAfter(board, since);
  while (period !== null && isOpen(board, period, receivedAt)) {
    held.unshift(period);
    const { startsAt } = period;
    period = board.period.kind === "Calendar" && startsAt !== null && startsAt > since ? periodOf(board, startsAt - 1, zone) : null;
  }
  return held;
}

/** The season of a board, if it ends after an instant: a value that has held since then counts in it. Null otherwise. */
function seasonAfter({ period }: Periodic, since: number): ScorePeriod | null {
  if (period.kind !== "Season" || since >= period.endsAt) return null;
  const { startsAt, endsAt } = period;
  return { ...ONLY, startsAt, endsAt };
}
