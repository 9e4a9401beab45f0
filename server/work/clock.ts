import { type Database, transact } from "../../db/client.ts";
import { holdGroundAlone } from "../engine/store.ts";
import type { Environment } from "../kernel/environment.ts";
import { Refused } from "../kernel/refused.ts";
import { addDuration } from "../kernel/time.ts";
import { advanceClock, environmentNow, loadEnvironment } from "../projects/service.ts";
import { drainFacts } from "./facts.ts";

/**
 * Moves a Sandbox clock forward by an ISO 8601 duration in the project's zone (decisions.md 9) and waits until what was
 * accepted before is worked off; the instant it stands at then. Nothing falls due by the clock alone yet: once streaks
 * end and periods settle, this is where the clock stops on the way at each of them, in order.
 * Throws Refused for Live, and for a duration that does not lead forward.
 */
export async function moveClock(database: Database, environment: Environment, duration: string): Promise<number> {
  await drainFacts(database, environment.id);
  const now = await transact(database, async (tx) => {
    await holdGroundAlone(tx, environment.id);
    const current = await loadEnvironment(tx, environment.id);
    if (current?.kind !== "sandbox") throw new Refused("Only the clock of a Sandbox can be moved; Live runs on real time.");
    const from = await environmentNow(tx, current);
    const to = addDuration(from, current.timeZone, duration);
    if (to === null)
      throw new Refused(`"${duration}" is not an ISO 8601 duration, or leads beyond the year 9999; use one such as P1D or PT2H30M.`);
    if (to <= from) throw new Refused("A clock can only be moved forward.");
    await advanceClock(tx, environment.id, current.clockOffsetMs + (to - from));
    return to;
  });
  await drainFacts(database, environment.id);
  return now;
}
