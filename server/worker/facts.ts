import { setTimeout as delay } from "node:timers/promises";
import { LANES } from "../kernel/lanes.ts";
import { Idle, type KindRunner } from "../kernel/runner.ts";
import { queueBegunPeriods } from "../streaks/service/queue-begun-periods.ts";
import type { WorkContext } from "./context.ts";
import { type LaneState, OUT_OF_REACH_MS, workLane } from "./lane.ts";
import { SLICE, type Slice } from "./slice.ts";
import { waitingLanes } from "./store.ts";

const POLL_MS = 100;
/** The interval between looks for periods of streaks that have begun. */
const BEGINNINGS_MS = 1_000;

/** Applies accepted facts as they come: at once after a wake, otherwise within the poll. */
export function startFacts(context: WorkContext): KindRunner {
  const states = Array.from({ length: LANES }, (): LaneState => ({ previous: 0, limit: SLICE }));
  const running = new Map<number, Promise<void>>();
  const idle = new Idle(context.onLook);
  let isStopping = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let done = 0;
  let nextBeginnings = 0;

  const onSlice = ({ count, seconds, byKind }: Slice) => {
    done += count;
    context.observer?.sliceApplied({ facts: count, seconds, byKind });
    context.onEffects();
  };
  const look = async () => {
    const foundNothing = idle.look();
    if (performance.now() >= nextBeginnings) {
      nextBeginnings = performance.now() + BEGINNINGS_MS;
      await queueBegunPeriods(context.database);
    }
    const lanes = await waitingLanes(context.database.sql);
    if (lanes.length === 0 && running.size === 0) foundNothing();
    for (const lane of lanes) {
      const state = states[lane];
      if (isStopping || state === undefined || running.has(lane)) continue;
      const work = workLane(context, lane, state, () => isStopping, onSlice)
        .catch((error: unknown) => context.logger.error({ err: error, lane }, "a lane stopped"))
        .finally(() => {
          running.delete(lane);
          if (lookAgain) wake();
        });
      running.set(lane, work);
    }
  };
  const wake = () => {
    if (isStopping) return;
    lookAgain = looking !== null || running.size > 0;
    looking ??= look()
      .catch((error: unknown) => {
        context.logger.warn({ err: error }, "the queue is out of reach");
        return delay(OUT_OF_REACH_MS);
      })
      .finally(() => {
        looking = null;
      });
  };
  const timer = setInterval(wake, POLL_MS);
  wake();
  return {
    wake,
    done: () => done,
    idle() {
      nextBeginnings = 0;
      wake();
      return idle.wait();
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await looking;
      await Promise.all(running.values());
    },
  };
}
