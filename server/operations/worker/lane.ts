import { OUT_OF_REACH_MS } from "#db/polling.ts";
import { setTimeout as delay } from "node:timers/promises";
import { transact, isConflict, isUnavailable } from "#db/client.ts";
import { savepoint } from "#db/scale/parts.ts";
import { applyFirst, OutOfTime } from "../../engine/apply.ts";
import { tryLane } from "../../engine/store/locks.ts";
import { type QueuedFact, setAside } from "../../engine/store/queue.ts";
import { type Lane, lanesOf } from "../../model/kernel/lanes.ts";
import type { WorkContext } from "./context.ts";
import type { Pacing } from "./pacing.ts";
import { SLICE, SMALL_SLICE, type Slice, workSlice } from "./slice.ts";
import { nextEnvironment } from "./store.ts";

/** Facts in the largest slice of a lane with a backlog. */
const BACKLOG_SLICE = 2_000;

/** A lane's state between two calls: the environment of the last slice, and the size of the next one. */
export interface LaneState {
  previous: number;
  limit: number;
  /** The environment whose slice failed; null if none. It is retried until the failing fact is found. */
  failed: number | null;
}

export const stateOf = (lane: Lane): Lane & LaneState => ({ ...lane, previous: 0, limit: SLICE, failed: null });

export const statesOf = (count: number): (Lane & LaneState)[] => lanesOf(count).map(stateOf);

/** Works a lane until it is empty or nearly so, another worker has it, or `isStopping`. */
export async function workLane(
  context: WorkContext,
  pacing: Pacing,
  lane: Lane & LaneState,
  isStopping: () => boolean,
  onSlice: (slice: Slice) => void,
) {
  while (!isStopping()) {
    const before = lane.previous;
    try {
      const slice = await workOnce(context, pacing, lane);
      if (slice === null) return;
      if (slice === "failed") continue;
      if (slice.count === 0) await delay(PAUSE_MS);
      onSlice(slice);
      // Probably empty now: the caller looks at all lanes together, which costs less than another transaction here.
      if (before === slice.environmentId && !slice.isFull && slice.count > 0 && slice.count < SMALL_SLICE) return;
    } catch (error) {
      if (!isUnavailable(error) && !isConflict(error)) throw error;
      context.logger.warn({ err: error, lane: lane.first }, "a slice is postponed: the database refused it");
      await delay(OUT_OF_REACH_MS);
    }
  }
}

/**
 * Applies the next slice of a lane; of the environment `only`, if given. Null if it has no facts, or another worker has the lane. After
 * "failed" the next slice is smaller: a failing slice is halved until the failing fact is alone, and goes into the quarantine.
 */
export async function workOnce(
  { database, logger, observer, tracer }: Pick<WorkContext, "database" | "observer" | "tracer"> & Partial<Pick<WorkContext, "logger">>,
  pacing: Pacing,
  lane: Lane & LaneState,
  only?: number,
): Promise<Slice | "failed" | null> {
  let environmentId: number | null = null;
  const chosen = only ?? lane.failed;
  try {
    const options = { tracer, pacing, isNext: chosen !== null, only, onTurn: (id: number) => (environmentId = id) };
    const slice = await workSlice(database, lane, chosen === null ? lane.previous : chosen - 1, lane.limit, options);
    if (slice === null) return null;
    lane.failed = null;
    lane.previous = slice.environmentId;
    lane.limit = slice.count < lane.limit ? Math.min(lane.limit, SLICE) : Math.min(lane.limit * 2, BACKLOG_SLICE);
    return slice;
  } catch (error) {
    if (error instanceof OutOfTime) return "failed";
    if (isUnavailable(error) || isConflict(error)) {
      // The other environments take their turns before this one is tried again.
      lane.previous = environmentId ?? lane.previous;
      lane.failed = null;
      throw error;
    }
    lane.failed = environmentId;
    if (lane.limit > 1) {
      lane.limit = Math.floor(lane.limit / 2);
    } else {
      await quarantine({ database, logger, observer }, lane, environmentId === null ? lane.previous : environmentId - 1, only);
      lane.failed = null;
    }
    return "failed";
  }
}

/**
 * Quarantines a lane's first fact if applying it still fails, in one transaction: by now another worker may have done so, and the first
 * fact is a different one.
 */
async function quarantine(
  { database, logger, observer }: Pick<WorkContext, "database" | "observer"> & Partial<Pick<WorkContext, "logger">>,
  lane: Lane,
  previous: number,
  only: number | undefined,
) {
  const isQuarantined = await transact(database, async (tx) => {
    const lanes = await tryLane(tx, lane);
    const next = lanes.length === 0 ? null : await nextEnvironment(tx, lanes, previous);
    if (next === null || !next.isHeld || (only ?? next.id) !== next.id) return false;
    const environmentId = next.id;
    let first: QueuedFact | undefined;
    try {
      await savepoint(tx, (inner) => applyFirst(inner, next.waiting, environmentId, 1, { onClaim: ([fact]) => (first = fact) }));
    } catch (error) {
      if (isUnavailable(error) || isConflict(error) || first === undefined) throw error;
      // The rollback to the savepoint unlocked the player: the fact may be applied or quarantined by now.
      if (!(await setAside(tx, environmentId, first, error))) return false;
      logger?.error({ err: error, lane: lane.first, environmentId }, "a fact is quarantined: its fold fails");
      return true;
    }
    return false;
  });
  if (isQuarantined) observer?.factQuarantined();
}

/** The pause when facts cannot be applied at the moment. */
export const PAUSE_MS = 20;
