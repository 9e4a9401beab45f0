import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_LANES, EVERY_LANE, type Lane, lanesAtOnce } from "../../model/kernel/lanes.ts";
import { Idle, type KindRunner } from "../../model/kernel/runner.ts";
import { queueBegunPeriods } from "../../game/streaks/service/periods.ts";
import type { WorkContext } from "./context.ts";
import { QueueFloor } from "./floor.ts";
import { OUT_OF_REACH_MS } from "#db/polling.ts";
import { type LaneState, stateOf, statesOf, workLane } from "./lane.ts";
import { Pacing } from "./pacing.ts";
import { SMALL_SLICE, type Slice } from "./slice.ts";
import { waitingLanes } from "./store.ts";

const POLL_MS = 100;
/** While slices are small, a wake waits this long after the last look: a fact in a slice of few costs 40 times as much as in a full one. */
const GATHER_MS = 5;
/** While facts keep coming, a wake waits `GATHER_MS` for each fact taken since the last look, at most this long, so that slices grow. */
const MAX_GATHER_MS = 20;
/** How long a lane is worked while others wait; a slice that has begun is finished. */
const TURN_SECONDS = 0.1;
/** The interval of checks for streak periods that have begun. */
const BEGINNINGS_MS = 1_000;

/** Applies accepted facts: immediately after a wake, otherwise at the next poll. */
export function startFacts(context: WorkContext): KindRunner {
  const share = context.share ?? { index: 0, of: 1 };
  let lanes = statesOf(DEFAULT_LANES);
  /** The state of slices over all lanes, for few facts. Several threads have none: they leave each other's lanes alone. */
  const together = stateOf(EVERY_LANE);
  /** Lanes with waiting facts and no turn yet, in order. */
  let due: (typeof lanes)[number][] = [];
  const running = new Map<Lane, Promise<void>>();
  const idle = new Idle(context.onLook);
  let isStopping = false;
  let looking: Promise<void> | null = null;
  let isWoken = false;
  let done = 0;
  let nextBeginnings = 0;
  let lookedAt = -Infinity;
  /** Facts since the last look: in the largest slice, and in all slices. */
  let largest = 0;
  let taken = 0;
  /** Whether the last look came after slices with facts: they keep coming. */
  let isSteady = false;
  /** Whether the last slice had few facts of all lanes: the next is tried without a look at the queue, until the next poll. */
  let areFewStill = false;
  let isWokenMeanwhile = false;
  let gathering: NodeJS.Timeout | undefined;
  const pacing = new Pacing();
  const floor = new QueueFloor(context.database.sql);
  let isPoll = false;
  // A random start, so that processes begin with different lanes.
  let previous = Math.floor(Math.random() * lanes.length);

  /** Works a lane until it is empty, or for one turn if other lanes wait. */
  const work = async (lane: Lane & LaneState) => {
    const among = lanes;
    let isOthersTurn = false;
    let hadSlice = false;
    let used = 0;
    const onSlice = ({ count, seconds, byKind }: Slice) => {
      done += count;
      taken += count;
      hadSlice = true;
      largest = Math.max(largest, count);
      used += seconds;
      isOthersTurn = due.length > 0 && used >= TURN_SECONDS;
      context.observer?.sliceApplied({ facts: count, seconds, byKind });
      context.onEffects();
    };
    try {
      const isOver = () => isStopping || isOthersTurn || lanes !== among || (lane === together && largest >= SMALL_SLICE);
      await workLane(context, pacing, lane, isOver, onSlice);
    } catch (error) {
      context.logger.error({ err: error, lane: lane.first }, "a lane failed; it is retried with the next poll");
    }
    running.delete(lane);
    areFewStill = lane === together && hadSlice && largest < SMALL_SLICE;
    if (due.length > 0) workDue();
    // A lane held by another worker waits for the next poll: checking immediately would find it held again and again.
    else if (hadSlice || isWokenMeanwhile) wake();
  };
  const workDue = () => {
    while (!isStopping && running.size < lanesAtOnce(share)) {
      const lane = due.shift();
      if (lane === undefined) return;
      previous = lanes.indexOf(lane);
      running.set(lane, work(lane));
    }
  };
  const look = async () => {
    const foundNothing = idle.look();
    lookedAt = performance.now();
    isSteady = taken > 0;
    taken = 0;
    if (running.size === 0) largest = 0;
    // At a poll, an idle thread helps the others, one lane at a time: trying their lanes at every wake would be wasted.
    const canHelp = isPoll && running.size === 0;
    isPoll = false;
    if (share.index === 0) {
      if (performance.now() >= nextBeginnings) {
        nextBeginnings = performance.now() + BEGINNINGS_MS;
        await queueBegunPeriods(context.database);
      }
      await floor.keepUp();
    }
    if (areFewStill && !canHelp && running.size === 0 && !idle.isAwaited) {
      due = [together];
      return workDue();
    }
    const { count, waiting, areFew } = await waitingLanes(context.database.sql, SMALL_SLICE);
    // A new number of lanes takes effect immediately: running slices finish with the old lanes, whose locks keep the new ones out.
    if (count !== lanes.length) lanes = statesOf(count);
    if (waiting.length === 0 && running.size === 0) foundNothing();
    const own = waiting.filter((lane) => lane % share.of === share.index);
    const next = own.findIndex((lane) => lane > previous);
    const inTurn = [...own.slice(Math.max(next, 0)), ...own.slice(0, Math.max(next, 0))];
    if (own.length === 0 && canHelp) inTurn.push(...waiting.slice(0, 1));
    if (running.has(together)) due = [];
    else if (areFew && share.of === 1 && running.size === 0 && waiting.length > 1) due = [together];
    else due = inTurn.map((lane) => lanes[lane]!).filter((lane) => !running.has(lane));
    workDue();
  };
  const wake = () => {
    // A slice of all lanes looks when it has ended.
    if (running.has(together)) return void (isWokenMeanwhile = true);
    isWokenMeanwhile = false;
    // The running check may have passed the lane of this wake already.
    isWoken = looking !== null;
    const gatherMs = isSteady ? Math.min(Math.max(taken, 1) * GATHER_MS, MAX_GATHER_MS) : GATHER_MS;
    const rest = largest < SMALL_SLICE ? lookedAt + gatherMs - performance.now() : 0;
    if (rest <= 0) begin();
    else
      gathering ??= setTimeout(() => {
        gathering = undefined;
        begin();
      }, rest);
  };
  const begin = () => {
    if (isStopping) return;
    looking ??= look()
      .catch((error: unknown) => {
        context.logger.warn({ err: error }, "the queue is unreachable");
        return delay(OUT_OF_REACH_MS);
      })
      .finally(() => {
        looking = null;
        if (isWoken) wake();
      });
  };
  const timer = setInterval(() => {
    isPoll = true;
    begin();
  }, POLL_MS);
  begin();
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
      clearTimeout(gathering);
      await looking;
      await Promise.all(running.values());
    },
  };
}
