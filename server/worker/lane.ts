import { setTimeout as delay } from "node:timers/promises";
import { transact } from "../../db/client.ts";
import { isConflict, isUnavailable } from "../../db/errors.ts";
import { tryLane } from "../engine/store.ts";
import { setAside } from "../engine/store/queue.ts";
import type { WorkContext } from "./context.ts";
import { applyFirst, SLICE, type Slice, workSlice } from "./slice.ts";
import { nextEnvironment } from "./store.ts";

/** Facts in the largest slice of a lane with a backlog. */
const BACKLOG_SLICE = 2_000;

/** The state of a lane between two calls: the next environment, and the slice size after a failure. */
export interface LaneState {
  previous: number;
  limit: number;
}

/** Works a lane until it is empty, another worker has it, or `isStopping`. A slice that fails is halved until the fact at fault is alone. */
export async function workLane(
  { database, logger, observer, tracer }: WorkContext,
  lane: number,
  state: LaneState,
  isStopping: () => boolean,
  onSlice: (slice: Slice) => void,
) {
  while (!isStopping()) {
    try {
      const slice = await workSlice(database, lane, state.previous, state.limit, tracer);
      if (slice === null) return;
      state.previous = slice.environmentId;
      state.limit = slice.count < state.limit ? Math.min(state.limit, SLICE) : Math.min(state.limit * 2, BACKLOG_SLICE);
      if (slice.count === 0) await delay(PAUSE_MS);
      onSlice(slice);
    } catch (error) {
      if (isUnavailable(error) || isConflict(error)) {
        logger.warn({ err: error, lane }, "a slice is postponed: the database refused it");
        await delay(OUT_OF_REACH_MS);
      } else if (state.limit > 1) {
        state.limit = Math.floor(state.limit / 2);
      } else {
        await quarantine({ database, logger, observer }, lane, state.previous);
      }
    }
  }
}

/**
 * Moves the first fact of a lane aside if applying it still fails, in one transaction: by now another worker may have done so,
 * and the first one is another fact.
 */
async function quarantine(
  { database, logger, observer }: Pick<WorkContext, "database" | "logger" | "observer">,
  lane: number,
  previous: number,
) {
  const isQuarantined = await transact(database, async (tx) => {
    if (!(await tryLane(tx, lane))) return false;
    const next = await nextEnvironment(tx, lane, previous);
    if (next === null || !next.isHeld) return false;
    const environmentId = next.id;
    let seq: number | undefined;
    try {
      await tx.savepoint((inner) => applyFirst(inner, lane, environmentId, 1, (first) => (seq = first)));
    } catch (error) {
      if (isUnavailable(error) || isConflict(error) || seq === undefined) throw error;
      // The rollback to the savepoint unlocked the player: the fact may be applied or moved aside by now.
      if (!(await setAside(tx, environmentId, lane, seq, error))) return false;
      logger.error({ err: error, lane, environmentId }, "a fact is quarantined: its fold fails");
      return true;
    }
    return false;
  });
  if (isQuarantined) observer?.factQuarantined();
}

/** Thrown where facts cannot be applied at this moment. */
export const PAUSE_MS = 20;

export const OUT_OF_REACH_MS = 500;
