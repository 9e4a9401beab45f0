import { OUT_OF_REACH_MS } from "#db/polling.ts";
import { setTimeout as delay } from "node:timers/promises";
import { transact } from "#db/client.ts";
import { isConflict, isUnavailable } from "#db/errors.ts";
import { savepoint } from "#db/scale/parts.ts";
import { OutOfTime } from "../../engine/apply.ts";
import { tryLane } from "../../engine/store/locks.ts";
import { type QueuedFact, setAside } from "../../engine/store/queue.ts";
import type { Lane } from "../../model/kernel/lanes.ts";
import type { WorkContext } from "./context.ts";
import type { Pacing } from "./pacing.ts";
import { applyFirst, SLICE, SMALL_SLICE, type Slice, workSlice } from "./slice.ts";
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

/**
 * Works a lane until it is empty or nearly so, another worker has it, or `isStopping`. A failing slice is halved until the failing fact is
 * alone.
 */
export async function workLane(
  { database, logger, observer, tracer }: WorkContext,
  pacing: Pacing,
  lane: Lane,
  state: LaneState,
  isStopping: () => boolean,
  onSlice: (slice: Slice) => void,
) {
  while (!isStopping()) {
    const { failed } = state;
    let environmentId: number | null = null;
    try {
      const onTurn = (id: number) => (environmentId = id);
      const options = { tracer, pacing, isNext: failed !== null, onTurn };
      const slice = await workSlice(database, lane, failed === null ? state.previous : failed - 1, state.limit, options);
      if (slice === null) return;
      state.failed = null;
      const isSameEnvironment = state.previous === slice.environmentId;
      state.previous = slice.environmentId;
      state.limit = slice.count < state.limit ? Math.min(state.limit, SLICE) : Math.min(state.limit * 2, BACKLOG_SLICE);
      if (slice.count === 0) await delay(PAUSE_MS);
      onSlice(slice);
      // Probably empty now: the caller looks at all lanes together, which costs less than another transaction here.
      if (isSameEnvironment && !slice.isFull && slice.count > 0 && slice.count < SMALL_SLICE) return;
    } catch (error) {
      if (error instanceof OutOfTime) continue;
      if (isUnavailable(error) || isConflict(error)) {
        logger.warn({ err: error, lane: lane.first }, "a slice is postponed: the database refused it");
        await delay(OUT_OF_REACH_MS);
        continue;
      }
      state.failed = environmentId;
      if (state.limit > 1) {
        state.limit = Math.floor(state.limit / 2);
      } else {
        await quarantine({ database, logger, observer }, lane, environmentId === null ? state.previous : environmentId - 1);
        state.failed = null;
      }
    }
  }
}

/**
 * Quarantines a lane's first fact if applying it still fails, in one transaction: by now another worker may have done so, and the first
 * fact is a different one.
 */
async function quarantine(
  { database, logger, observer }: Pick<WorkContext, "database" | "logger" | "observer">,
  lane: Lane,
  previous: number,
) {
  const isQuarantined = await transact(database, async (tx) => {
    const lanes = await tryLane(tx, lane);
    const next = lanes.length === 0 ? null : await nextEnvironment(tx, lanes, previous);
    if (next === null || !next.isHeld) return false;
    const environmentId = next.id;
    let first: QueuedFact | undefined;
    try {
      await savepoint(tx, (inner) => applyFirst(inner, next.waiting, environmentId, 1, { onClaim: ([fact]) => (first = fact) }));
    } catch (error) {
      if (isUnavailable(error) || isConflict(error) || first === undefined) throw error;
      // The rollback to the savepoint unlocked the player: the fact may be applied or quarantined by now.
      if (!(await setAside(tx, environmentId, first, error))) return false;
      logger.error({ err: error, lane: lane.first, environmentId }, "a fact is quarantined: its fold fails");
      return true;
    }
    return false;
  });
  if (isQuarantined) observer?.factQuarantined();
}

/** The pause when facts cannot be applied at the moment. */
export const PAUSE_MS = 20;
