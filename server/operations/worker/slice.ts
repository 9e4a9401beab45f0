import { type Database, transact, type Transaction } from "#db/client.ts";
import { withTraceScope } from "#db/trace-scope.ts";
import { applyFacts, openLocked, OutOfTime, type TimeLimit } from "../../engine/apply.ts";
import { tryLane } from "../../engine/store.ts";
import { claimFacts, type PlayerFacts, type QueuedFact } from "../../engine/store/queue.ts";
import { noteRecent } from "../../engine/store/recent.ts";
import type { Lane } from "../../model/kernel/lanes.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { Tracer } from "../../model/kernel/tracer.ts";
import type { Pacing, Turn } from "./pacing.ts";
import { openSliceTraces } from "./slice-traces.ts";
import { nextEnvironment } from "./store.ts";

/**
 * Facts in a slice: enough to share the cost of a transaction. A lane that finds its slices full has a backlog and takes
 * larger ones, which means fewer commits and round trips.
 */
export const SLICE = 500;

/** How a slice is chosen and bounded besides its number of facts. */
interface SliceOptions {
  tracer?: Tracer;
  /** Without it environments take turns whatever their slices take, and a slice takes as long as it does. */
  pacing?: Pacing;
  /** Whether the next environment has the slice, whoever's turn it is by `pacing`. */
  isNext?: boolean;
  /** Told of the environment that the slice is of. */
  onTurn?: (environmentId: number) => void;
}

export interface Slice {
  environmentId: number;
  count: number;
  /** How long it took, its commit included, and how many facts of each kind there were. */
  seconds: number;
  byKind: ReadonlyMap<string, number>;
}

/**
 * Works off one slice of a lane in one transaction: facts of the environment after `previous`, so that environments take
 * turns, or of the one that `pacing` finds due; none of an environment that is being reset, which others need not wait for. Null when the
 * lane is empty or another worker has it. Throws OutOfTime where the slice took too long: nothing of it is done, and the next one is smaller.
 */
export async function workSlice(
  database: Database,
  lane: Lane,
  previous: number,
  limit = SLICE,
  { tracer, pacing, isNext = false, onTurn }: SliceOptions = {},
): Promise<Slice | null> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const had: { turn: Turn | null } = { turn: null };
  try {
    const slice = await transact(database, async (tx) => {
      const lanes = await tryLane(tx, lane);
      if (lanes.length === 0) return null;
      const next = await nextEnvironment(tx, lanes, previous, isNext ? undefined : pacing?.leads());
      if (next === null) return null;
      had.turn = next;
      onTurn?.(next.id);
      if (!next.isHeld) return { facts: [], traces: null };
      const size = pacing === undefined ? limit : Math.min(limit, pacing.sizeOf(next));
      const traces = tracer === undefined ? null : await openSliceTraces(tx, tracer, { lanes, environmentId: next.id, limit: size });
      const apply = () => applyPaced(tx, lanes, next, size, pacing);
      try {
        return { traces, facts: await (traces === null ? apply() : withTraceScope(traces, apply)) };
      } catch (error) {
        traces?.end(error instanceof OutOfTime ? { facts: 0 } : "failed");
        throw error;
      }
    });
    if (slice === null || had.turn === null) return null;
    const { facts, traces } = slice;
    traces?.end({ facts: facts.length });
    return { environmentId: had.turn.id, count: facts.length, seconds: seconds(), byKind: countKinds(facts) };
  } finally {
    if (had.turn !== null) pacing?.hadTurn(had.turn, seconds());
  }
}

/** Measures what the facts cost. A slice of one fact takes as long as it does. */
async function applyPaced(
  tx: Transaction,
  lanes: readonly number[],
  turn: Turn,
  size: number,
  pacing: Pacing | undefined,
): Promise<QueuedFact[]> {
  if (pacing === undefined) return applyFirst(tx, lanes, turn.id, size);
  let claimed = size;
  // Definitions that have to be compiled first are not what its facts cost.
  let began = performance.now();
  const time = { isOver: () => claimed > 1 && performance.now() - began > pacing.maxMs };
  try {
    const facts = await applyFirst(tx, lanes, turn.id, size, {
      time,
      onOpen: () => (began = performance.now()),
      onClaim: (all) => (claimed = all.length),
    });
    pacing.measured(turn, facts.length, performance.now() - began);
    return facts;
  } catch (error) {
    if (error instanceof OutOfTime) pacing.gaveUp(turn, claimed, error.applied);
    throw error;
  }
}

function countKinds(facts: readonly QueuedFact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fact of facts) {
    const kind = fact.kind === "event" && fact.value !== null ? "metricEvent" : fact.kind;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

interface Applying {
  time?: TimeLimit;
  onOpen?(): void;
  /** Told of the claimed facts. */
  onClaim?(facts: readonly QueuedFact[]): void;
}

/** Applies the first facts of an environment in fine lanes that this transaction owns, and returns them. Throws OutOfTime. */
export async function applyFirst(
  tx: Transaction,
  lanes: readonly number[],
  environmentId: number,
  limit: number,
  { time, onOpen, onClaim }: Applying = {},
): Promise<QueuedFact[]> {
  const locked = await openLocked(tx, environmentId);
  onOpen?.();
  const { facts, players } = await claimFacts(tx, lanes, environmentId, limit);
  onClaim?.(facts);
  const work = byPlayer(facts, players);
  await Promise.all([applyFacts(tx, locked, work, players, { time }), noteRecent(tx, environmentId, lanes[0]!, facts)]);
  return facts;
}

/** In the order of the claimed players, that of the key: statements on neighbouring rows find half of them on the page before. */
function byPlayer(facts: readonly QueuedFact[], players: readonly PlayerKey[]): PlayerFacts[] {
  const work = new Map(players.map(({ part, playerId }): [string, PlayerFacts] => [playerId, { part, playerId, facts: [] }]));
  for (const fact of facts) {
    const known = work.get(fact.playerId);
    // A fact of nobody fails, and is quarantined.
    if (known === undefined) work.set(fact.playerId, { part: fact.part, playerId: fact.playerId, facts: [fact] });
    else known.facts.push(fact);
  }
  // Facts of a player who was waited for may be applied by now.
  return [...work.values()].filter((one) => one.facts.length > 0);
}
