import { setTimeout as delay } from "node:timers/promises";
import { type Database, transact, type Transaction } from "../../db/client.ts";
import { isConflict, isUnavailable } from "../../db/errors.ts";
import { applyFacts, openGround } from "../engine/apply.ts";
import { nextSeq, tryLane } from "../engine/store.ts";
import { claimFacts, countWaiting, type PlayerFacts, type QueuedFact, setAside } from "../engine/store/queue.ts";
import { noteRecent } from "../engine/store/recent.ts";
import { LANES } from "../kernel/lanes.ts";
import { Idle, type KindRunner } from "../kernel/runner.ts";
import { queueBegunPeriods } from "../streaks/service/queue-begun-periods.ts";
import type { WorkContext } from "./context.ts";
import { nextEnvironment, waitingLanes } from "./store.ts";

/**
 * Facts in a slice: enough to share the cost of a transaction. A lane that finds its slices full has a backlog and takes
 * larger ones, which means fewer commits and round trips.
 */
const SLICE = 500;
const BACKLOG_SLICE = 2_000;
const POLL_MS = 100;
/** How often periods of streaks that have begun are looked for. */
const BEGINNINGS_MS = 1_000;
/** For who finds facts that cannot be worked off just now. */
const PAUSE_MS = 20;
const OUT_OF_REACH_MS = 500;

export interface Slice {
  environmentId: number;
  count: number;
}

/**
 * Works off one slice of a lane in one transaction: facts of the environment after `previous`, so that environments take
 * turns; none of an environment that is being reset, which others need not wait for. Null when the lane is empty or another
 * worker has it.
 */
export function workSlice(database: Database, lane: number, previous: number, limit = SLICE): Promise<Slice | null> {
  return transact(database, async (tx) => {
    if (!(await tryLane(tx, lane))) return null;
    const next = await nextEnvironment(tx, lane, previous);
    if (next === null) return null;
    return { environmentId: next.id, count: next.isHeld ? await foldFirst(tx, lane, next.id, limit) : 0 };
  });
}

/** Folds the first facts of an environment in a lane; how many there were. `onClaim` is told the place of the first. */
async function foldFirst(
  tx: Transaction,
  lane: number,
  environmentId: number,
  limit: number,
  onClaim: (seq: number | undefined) => void = () => {},
): Promise<number> {
  const ground = await openGround(tx, environmentId);
  const { facts, players } = await claimFacts(tx, lane, environmentId, limit);
  onClaim(facts[0]?.seq);
  await Promise.all([applyFacts(tx, ground, byPlayer(facts), players), noteRecent(tx, environmentId, lane, facts)]);
  return facts.length;
}

/** In the order of the key: statements on sets that lie close to each other find half of what they look for on the page before. */
function byPlayer(facts: readonly QueuedFact[]): PlayerFacts[] {
  const players = new Map<string, PlayerFacts>();
  for (const fact of facts) {
    const known = players.get(fact.playerId);
    if (known === undefined) players.set(fact.playerId, { part: fact.part, playerId: fact.playerId, facts: [fact] });
    else known.facts.push(fact);
  }
  return [...players.values()].sort((a, b) => a.part - b.part || (a.playerId < b.playerId ? -1 : 1));
}

/** Where a lane stands between two calls: whose turn it is, and how much to dare after a slice has failed. */
interface LaneState {
  previous: number;
  limit: number;
}

/** Works a lane until it is empty, another worker has it, or `isStopping`. A slice that fails is halved until the fact at fault is alone. */
async function workLane(
  { database, logger }: WorkContext,
  lane: number,
  state: LaneState,
  isStopping: () => boolean,
  onSlice: (slice: Slice) => void,
) {
  while (!isStopping()) {
    try {
      const slice = await workSlice(database, lane, state.previous, state.limit);
      if (slice === null) return;
      state.previous = slice.environmentId;
      state.limit = slice.count < state.limit ? Math.min(state.limit, SLICE) : Math.min(state.limit * 2, BACKLOG_SLICE);
      if (slice.count === 0) await delay(PAUSE_MS);
      onSlice(slice);
    } catch (error) {
      if (isUnavailable(error) || isConflict(error)) {
        logger.warn({ err: error, lane }, "a slice is put off: the database did not take it");
        await delay(OUT_OF_REACH_MS);
      } else if (state.limit > 1) {
        state.limit = Math.floor(state.limit / 2);
      } else {
        await quarantine({ database, logger }, lane, state.previous);
      }
    }
  }
}

/**
 * Moves the first fact of a lane aside if its fold still fails, in one transaction: by now another worker may have done so,
 * and the first one is another fact.
 */
async function quarantine({ database, logger }: Pick<WorkContext, "database" | "logger">, lane: number, previous: number) {
  await transact(database, async (tx) => {
    if (!(await tryLane(tx, lane))) return;
    const next = await nextEnvironment(tx, lane, previous);
    if (next === null || !next.isHeld) return;
    const environmentId = next.id;
    let seq: number | undefined;
    try {
      await tx.savepoint((inner) => foldFirst(inner, lane, environmentId, 1, (first) => (seq = first)));
    } catch (error) {
      if (isUnavailable(error) || isConflict(error) || seq === undefined) throw error;
      // The savepoint has let go of the player: by now somebody may have folded the fact, or moved it aside.
      if (await setAside(tx, environmentId, lane, seq, error)) {
        logger.error({ err: error, lane, environmentId }, "a fact is quarantined: its fold fails");
      }
    }
  });
}

/** Folds accepted facts as they come: at once after a wake, otherwise within the poll. */
export function startFacts(context: WorkContext): KindRunner {
  const states = Array.from({ length: LANES }, (): LaneState => ({ previous: 0, limit: SLICE }));
  const running = new Map<number, Promise<void>>();
  const idle = new Idle();
  let isStopping = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let done = 0;
  let nextBeginnings = 0;

  const onSlice = ({ count }: Slice) => {
    done += count;
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

/**
 * Waits until everything an environment had accepted is worked off, working itself where nobody else does; what comes
 * meanwhile is not waited for, however much it is. For the command line and for tests.
 */
export async function drainFacts(database: Database, environmentId: number): Promise<void> {
  await queueBegunPeriods(database, environmentId);
  const last = await nextSeq(database.sql);
  while ((await countWaiting(database.sql, environmentId, last)) > 0) {
    let count = 0;
    for (let lane = 0; lane < LANES; lane++) count += (await workSlice(database, lane, environmentId - 1))?.count ?? 0;
    if (count === 0) await delay(PAUSE_MS);
  }
}
