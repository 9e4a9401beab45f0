import { type Database, transact, type Transaction } from "../../db/client.ts";
import { withTraceScope } from "../../db/trace-scope.ts";
import { applyFacts, openLocked } from "../engine/apply.ts";
import { tryLane } from "../engine/store.ts";
import { claimFacts, type PlayerFacts, type QueuedFact } from "../engine/store/queue.ts";
import { noteRecent } from "../engine/store/recent.ts";
import type { Lane } from "../kernel/lanes.ts";
import type { PlayerKey } from "../kernel/player.ts";
import type { Tracer } from "../kernel/tracer.ts";
import { openSliceTraces } from "./slice-traces.ts";
import { nextEnvironment } from "./store.ts";

/**
 * Facts in a slice: enough to share the cost of a transaction. A lane that finds its slices full has a backlog and takes
 * larger ones, which means fewer commits and round trips.
 */
export const SLICE = 500;

export interface Slice {
  environmentId: number;
  count: number;
  /** How long it took, its commit included, and how many facts of each kind there were. */
  seconds: number;
  byKind: ReadonlyMap<string, number>;
}

/**
 * Works off one slice of a lane in one transaction: facts of the environment after `previous`, so that environments take
 * turns; none of an environment that is being reset, which others need not wait for. Null when the lane is empty or another
 * worker has it.
 */
export async function workSlice(database: Database, lane: Lane, previous: number, limit = SLICE, tracer?: Tracer): Promise<Slice | null> {
  const began = performance.now();
  const slice = await transact(database, async (tx) => {
    const lanes = await tryLane(tx, lane);
    if (lanes.length === 0) return null;
    const next = await nextEnvironment(tx, lanes, previous);
    if (next === null) return null;
    const environmentId = next.id;
    if (!next.isHeld) return { environmentId, facts: [], traces: null };
    const traces = tracer === undefined ? null : await openSliceTraces(tx, tracer, { lanes, environmentId, limit });
    const apply = () => applyFirst(tx, lanes, environmentId, limit);
    try {
      return { environmentId, traces, facts: await (traces === null ? apply() : withTraceScope(traces, apply)) };
    } catch (error) {
      traces?.end("failed");
      throw error;
    }
  });
  if (slice === null) return null;
  const { environmentId, facts, traces } = slice;
  traces?.end({ facts: facts.length });
  return { environmentId, count: facts.length, seconds: (performance.now() - began) / 1000, byKind: countKinds(facts) };
}

function countKinds(facts: readonly QueuedFact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fact of facts) {
    const kind = fact.kind === "event" && fact.value !== null ? "metricEvent" : fact.kind;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Applies the first facts of an environment in fine lanes that this transaction owns, and returns them. `onClaim` gets the first. */
export async function applyFirst(
  tx: Transaction,
  lanes: readonly number[],
  environmentId: number,
  limit: number,
  onClaim: (first: QueuedFact | undefined) => void = () => {},
): Promise<QueuedFact[]> {
  const locked = await openLocked(tx, environmentId);
  const { facts, players } = await claimFacts(tx, lanes, environmentId, limit);
  onClaim(facts[0]);
  await Promise.all([applyFacts(tx, locked, byPlayer(facts, players), players), noteRecent(tx, environmentId, lanes[0]!, facts)]);
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
