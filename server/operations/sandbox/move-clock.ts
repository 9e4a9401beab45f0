import microdiff from "microdiff";
import { entryIn } from "../../model/audit-log/entry.ts";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { lockExclusive } from "../../engine/store/locks.ts";
import { applyDueChanges } from "../../authoring/definitions/service/scheduling.ts";
import { firstDueChange } from "../../authoring/definitions/store/scheduled.ts";
import { type Environment, type Actor, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { addDuration, formatInstant } from "../../model/kernel/time.ts";
import { drainFills } from "../../game/leaderboards/service/fill-boards.ts";
import { settlePeriods } from "../../game/leaderboards/settlement/settle.ts";
import { selectFirstDue } from "../../engine/store/periods.ts";
import { advanceClock } from "../../people/projects/environments.ts";
import { firstBeginning } from "../../engine/store/streak-beginnings.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

/**
 * Moves a Sandbox clock forward by an ISO 8601 duration in the project's zone, and waits until previously accepted facts are applied;
 * returns the new time. Throws OperatorError for Live, and for a duration that does not lead forward.
 */
export const moveClock = (database: Database, environment: Environment, duration: string, actor: Actor = COMMAND_LINE): Promise<number> =>
  move(database, environment, actor, (from, { timeZone }) => instantAfter(from, timeZone, duration));

function instantAfter(from: number, timeZone: string, duration: string): number {
  const to = addDuration(from, timeZone, duration);
  if (to === null)
    throw new OperatorError(`"${duration}" is not an ISO 8601 duration, or leads beyond the year 9999; use one such as P1D or PT2H30M.`);
  if (to <= from) throw new OperatorError("A clock can only be moved forward.");
  return to;
}

/** Limits the damage of a mistake: a clock never goes back, and each day of a daily board on the way is settled. */
const MAX_MS = 366 * 24 * 60 * 60_000;
const TOO_FAR = "Move the clock by at most a year at a time: it can never be moved back.";

/** As `moveClock`, at most a year. */
export const moveClockBy = (database: Database, environment: Environment, duration: string, actor: Actor): Promise<number> =>
  move(database, environment, actor, (from, { timeZone }) => {
    const to = instantAfter(from, timeZone, duration);
    if (to - from > MAX_MS) throw new OperatorError(TOO_FAR);
    return to;
  });

/** The reason for moving the clock, for the audit log. */
export interface Purpose {
  action: string;
  subjectKind: string;
  subjectKey: string | null;
  facts: Record<string, string>;
}

const ITSELF: Purpose = { action: "advance", subjectKind: "clock", subjectKey: null, facts: {} };

/** As `moveClock`, to an instant (epoch milliseconds) that is at most a year ahead. */
export const moveClockTo = (
  database: Database,
  environment: Environment,
  instant: number,
  actor: Actor,
  purpose: Purpose = ITSELF,
  /** The refusal if the clock is past the instant. */
  passed?: string,
) =>
  move(
    database,
    environment,
    actor,
    (from) => {
      if (instant <= from)
        throw new OperatorError(passed ?? `A clock can only be moved forward, and it shows ${formatInstant(from)} already.`);
      if (instant - from > MAX_MS) throw new OperatorError(TOO_FAR);
      return instant;
    },
    purpose,
  );

/** As `moveClock`, up to an instant (epoch milliseconds); a clock already past it is not moved. */
export const moveClockUpTo = (database: Database, environment: Environment, instant: number): Promise<number> =>
  move(database, environment, null, (from) => Math.max(from, instant));

/** As `moveClock`, up to real time, which the clock shows from then on; a clock ahead of it stays ahead. */
export const joinRealTime = (database: Database, environment: Environment): Promise<number> =>
  move(database, environment, null, (from, { clockOffsetMs }) => Math.max(from, from - clockOffsetMs));

/**
 * The clock stops at each instant at which a leaderboard, a streak or a scheduled change is due, in order, and continues when that work is
 * done, as if the time had passed. All other code reads the clock when it needs it. The target is in the audit log from the start.
 */
async function move(
  database: Database,
  environment: Environment,
  actor: Actor | null,
  destination: (from: number, current: Environment) => number,
  purpose: Purpose = ITSELF,
): Promise<number> {
  await drainFacts(database, environment.id);
  await drainFills(database, environment.id);
  let to: number | null = null;
  for (;;) {
    const stop: Stop = await transact(database, async (tx) => {
      await lockExclusive(tx, environment.id);
      const current = await loadEnvironment(tx, environment.id);
      if (current?.kind !== "sandbox") throw new OperatorError("Only the clock of a Sandbox can be moved; Live runs on real time.");
      const from = await environmentNow(tx, current);
      const end = to ?? destination(from, current);
      const ofBoards = await selectFirstDue(tx, environment.id);
      const ofStreaks = await firstBeginning(tx, environment.id);
      const ofChanges = await firstDueChange(tx, environment.id);
      const due = Math.min(ofBoards ?? Infinity, ofStreaks ?? Infinity, ofChanges ?? Infinity);
      const at = Math.max(from, Math.min(due, end));
      await advanceClock(tx, environment.id, current.clockOffsetMs + (at - from));
      if (to === null && actor !== null) await recordChange(tx, entryIn(current, actor, changeOf(purpose, from, end)));
      return { at, end, isDue: due <= at };
    });
    to = stop.end;
    await drainFacts(database, environment.id);
    await drainFills(database, environment.id);
    if (!stop.isDue) return stop.at;
    const settled = await settlePeriods(database, environment.id);
    const applied = await applyDueChanges(database, environment.id);
    // Nothing was left to do here: another process is doing it.
    if (settled + applied === 0) await delay(PAUSE_MS);
  }
}

/** The next stop of a moving clock, its target, and whether work is due before it continues. */
interface Stop {
  at: number;
  end: number;
  isDue: boolean;
}

const PAUSE_MS = 20;

const changeOf = ({ facts, ...purpose }: Purpose, from: number, to: number) => ({
  ...purpose,
  difference: [...microdiff({}, facts), ...microdiff({ time: formatInstant(from) }, { time: formatInstant(to) })],
});
