import { type Database, transact, type Transaction } from "#db/client.ts";
import { type TraceScope, withTraceScope } from "#db/trace-scope.ts";
import { applyFirst, OutOfTime } from "../../engine/apply.ts";
import { tryLane } from "../../engine/store/locks.ts";
import type { QueuedFact } from "../../engine/store/queue.ts";
import type { Lane } from "../../model/kernel/lanes.ts";
import type { Span, Tracer } from "../../model/kernel/monitoring.ts";
import type { Pacing, Turn } from "./pacing.ts";
import { type Next, nextEnvironment, selectTraces } from "./store.ts";

/**
 * Facts in a slice: enough to share a transaction's cost. A lane with full slices has a backlog and takes larger ones, for fewer commits
 * and round trips.
 */
export const SLICE = 500;
/** Smaller slices wait for more facts, since most of their cost does not depend on their size. */
export const SMALL_SLICE = 128;

/** How a slice is chosen and limited, besides its number of facts. */
interface SliceOptions {
  tracer?: Tracer | undefined;
  /** Without it environments take turns regardless of time, and slices have no time limit. */
  pacing?: Pacing;
  /** Takes the next environment, overriding `pacing`. */
  isNext?: boolean;
  /** Takes no other environment. */
  only?: number | undefined;
  /** Called with the slice's environment. */
  onTurn?: (environmentId: number) => void;
}

export interface Slice {
  environmentId: number;
  count: number;
  /** Whether it took as many facts as it may, in number or bytes; more may wait. */
  isFull: boolean;
  /** Its duration, commit included, and its facts by kind. */
  seconds: number;
  byKind: ReadonlyMap<string, number>;
}

/**
 * Applies one slice of a lane in one transaction: facts of the environment after `previous`, in round-robin, or of the one that `pacing`
 * chooses. An environment that is being reset is skipped, so that others do not wait. Null if the lane is empty or held by another worker.
 * Throws OutOfTime if the slice took too long: it is rolled back, and the next one is smaller.
 */
export async function workSlice(
  database: Database,
  lane: Lane,
  previous: number,
  limit = SLICE,
  { tracer, pacing, isNext = false, only, onTurn }: SliceOptions = {},
): Promise<Slice | null> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const had: { turn: Turn | null } = { turn: null };
  try {
    const slice = await transact(database, async (tx) => {
      const lanes = await tryLane(tx, lane);
      if (lanes.length === 0) return null;
      const next = await nextEnvironment(tx, lanes, previous, isNext ? undefined : pacing?.leads());
      if (next === null || (only ?? next.id) !== next.id) return null;
      had.turn = next;
      onTurn?.(next.id);
      if (!next.isHeld) return { facts: [], traces: null, isFull: false };
      const size = pacing === undefined ? limit : Math.min(limit, pacing.sizeOf(next));
      const traces =
        tracer === undefined ? null : await openSliceTraces(tx, tracer, { lanes: next.waiting, environmentId: next.id, limit: size });
      const apply = () => applyPaced(tx, next, size, pacing);
      try {
        const { facts, isFull } = await (traces === null ? apply() : withTraceScope(traces, apply));
        return { traces, facts, isFull };
      } catch (error) {
        traces?.end(error instanceof OutOfTime ? { facts: 0 } : "failed");
        throw error;
      }
    });
    if (slice === null || had.turn === null) return null;
    const { facts, traces, isFull } = slice;
    traces?.end({ facts: facts.length });
    return { environmentId: had.turn.id, count: facts.length, isFull, seconds: seconds(), byKind: countKinds(facts) };
  } finally {
    if (had.turn !== null) pacing?.hadTurn(had.turn, seconds());
  }
}

/** Applies the first facts of an environment, and measures their cost. A slice of one fact has no time limit. */
async function applyPaced(tx: Transaction, turn: Next, size: number, pacing: Pacing | undefined) {
  if (pacing === undefined) return applyFirst(tx, turn.waiting, turn.id, size);
  let claimed = size;
  let began = performance.now();
  const time = { isOver: () => claimed > 1 && performance.now() - began > pacing.maxMs };
  try {
    const claim = await applyFirst(tx, turn.waiting, turn.id, size, {
      time,
      onClaim(all) {
        claimed = all.length;
        // The time before this, mostly for compiling definitions, is not a cost of the facts.
        began = performance.now();
      },
    });
    pacing.measured(turn, claim.facts.length, performance.now() - began);
    return claim;
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

/** The most traces that a slice joins, so that a backlog causes no flood of spans. */
const MAX_TRACES = 100;

/** A slice's spans in the traces of the requests that sent its facts. */
interface SliceTraces extends TraceScope {
  end(outcome: { facts: number } | "failed"): void;
}

/** Starts a span in each trace of the slice's facts. Later work for a player belongs to their span. */
async function openSliceTraces(
  tx: Transaction,
  tracer: Tracer,
  { lanes, environmentId, limit }: { lanes: readonly number[]; environmentId: number; limit: number },
): Promise<SliceTraces> {
  const spans = new Map<string, Span>();
  const ofPlayers = new Map<string, Span>();
  for (const { externalId, traceparent } of await selectTraces(tx, lanes, environmentId, limit)) {
    let span = spans.get(traceparent);
    if (span === undefined && spans.size < MAX_TRACES) {
      span = tracer.start("apply facts", "consumer", traceparent, {
        "engagement.environment": environmentId,
        "engagement.lane": lanes[0]!,
      });
      spans.set(traceparent, span);
    }
    if (span !== undefined) ofPlayers.set(externalId, span);
  }
  return {
    traceparentOf: (player) => (player === null ? null : (ofPlayers.get(player)?.traceparent ?? null)),
    end(outcome) {
      const failed = outcome === "failed";
      for (const span of spans.values()) span.end({ failed, attributes: failed ? {} : { "engagement.slice.facts": outcome.facts } });
    },
  };
}
