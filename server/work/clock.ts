import { type Database, transact } from "../../db/client.ts";
import { holdGroundAlone } from "../engine/store.ts";
import type { Environment } from "../kernel/environment.ts";
import { Refused } from "../kernel/refused.ts";
import { addDuration } from "../kernel/time.ts";
import { advanceClock, environmentNow, loadEnvironment } from "../projects/service.ts";
import { drainFacts } from "./facts.ts";

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
 * Nothing falls due by the clock alone yet: once streaks end and periods settle, this is where the clock stops on the way
 * at each of them, in order.
 */
async function move(
  database: Database,
  environment: Environment,
  destination: (from: number, current: Environment) => number,
): Promise<number> {
  await drainFacts(database, environment.id);
  const now = await transact(database, async (tx) => {
    await holdGroundAlone(tx, environment.id);
    const current = await loadEnvironment(tx, environment.id);
    if (current?.kind !== "sandbox") throw new Refused("Only the clock of a Sandbox can be moved; Live runs on real time.");
    const from = await environmentNow(tx, current);
    const to = destination(from, current);
    await advanceClock(tx, environment.id, current.clockOffsetMs + (to - from));
    return to;
  });
  await drainFacts(database, environment.id);
  return now;
}
