import { setTimeout as delay } from "node:timers/promises";
import { type Database, transact } from "../../db/client.ts";
import { holdGroundAlone } from "../engine/store.ts";
import type { Environment } from "../kernel/environment.ts";
import { Refused } from "../kernel/refused.ts";
import { addDuration } from "../kernel/time.ts";
import { advanceClock, environmentNow, loadEnvironment } from "../projects/service.ts";
import { firstDue } from "../leaderboards/store/periods.ts";
import { drainFacts } from "./facts.ts";
import { settlePeriods } from "./periods.ts";

/**
 * Moves a Sandbox clock forward by an ISO 8601 duration in the project's zone (decisions.md 9) and waits until what was
 * accepted before is worked off; the instant it stands at then. Throws Refused for Live, and for a duration that does not
 * lead forward.
 */
export const moveClock = (database: Database, environment: Environment, duration: string): Promise<number> =>
  move(database, environment, (from, { timeZone }) => {
    const to = addDuration(from, timeZone, duration);
    if (to === null)
      throw new Refused(`"${duration}" is not an ISO 8601 duration, or leads beyond the year 9999; use one such as P1D or PT2H30M.`);
    if (to <= from) throw new Refused("A clock can only be moved forward.");
    return to;
  });

/** As `moveClock`, up to an instant (epoch milliseconds); a clock that is there already goes on as it is. */
export const moveClockUpTo = (database: Database, environment: Environment, instant: number): Promise<number> =>
  move(database, environment, (from) => Math.max(from, instant));

/** As `moveClock`, up to real time, which the clock shows from then on; one that is ahead of it stays ahead. */
export const joinRealTime = (database: Database, environment: Environment): Promise<number> =>
  move(database, environment, (from, { clockOffsetMs }) => Math.max(from, from - clockOffsetMs));

/**
 * On the way the clock stops at each instant at which something falls due for a leaderboard, in order, and goes on when that is
 * done: as if the time had passed. Everything else looks at the clock when it is asked.
 */
async function move(
  database: Database,
  environment: Environment,
  destination: (from: number, current: Environment) => number,
): Promise<number> {
  await drainFacts(database, environment.id);
  let to: number | null = null;
  for (;;) {
    const stop: Stop = await transact(database, async (tx) => {
      await holdGroundAlone(tx, environment.id);
      const current = await loadEnvironment(tx, environment.id);
      if (current?.kind !== "sandbox") throw new Refused("Only the clock of a Sandbox can be moved; Live runs on real time.");
      const from = await environmentNow(tx, current);
      const end = to ?? destination(from, current);
      const due = await firstDue(tx, environment.id);
      const at = Math.max(from, Math.min(due ?? end, end));
      await advanceClock(tx, environment.id, current.clockOffsetMs + (at - from));
      return { at, end, isDue: due !== null && due <= at };
    });
    to = stop.end;
    await drainFacts(database, environment.id);
    if (!stop.isDue) return stop.at;
    // Where another process has taken it up, it is waited for.
    if ((await settlePeriods(database, environment.id)) === 0) await delay(PAUSE_MS);
  }
}

/** Where a clock on its way has stopped, where it is going, and whether something is to be done before it goes on. */
interface Stop {
  at: number;
  end: number;
  isDue: boolean;
}

const PAUSE_MS = 20;
