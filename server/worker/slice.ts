import { type Database, transact, type Transaction } from "../../db/client.ts";
import { applyFacts, openLocked } from "../engine/apply.ts";
import { tryLane } from "../engine/store.ts";
import { claimFacts, type PlayerFacts, type QueuedFact } from "../engine/store/queue.ts";
import { noteRecent } from "../engine/store/recent.ts";
import type { PlayerKey } from "../kernel/player.ts";
import { nextEnvironment } from "./store.ts";

/**
 * Facts in a slice: enough to share the cost of a transaction. A lane that finds its slices full has a backlog and takes
 * larger ones, which means fewer commits and round trips.
 */
export const SLICE = 500;

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
    return { environmentId: next.id, count: next.isHeld ? await applyFirst(tx, lane, next.id, limit) : 0 };
  });
}

/** Applies the first facts of an environment in a lane, and returns their number. `onClaim` gets the position of the first. */
export async function applyFirst(
  tx: Transaction,
  lane: number,
  environmentId: number,
  limit: number,
  onClaim: (seq: number | undefined) => void = () => {},
): Promise<number> {
  const locked = await openLocked(tx, environmentId);
  const { facts, players } = await claimFacts(tx, lane, environmentId, limit);
  onClaim(facts[0]?.seq);
  await Promise.all([applyFacts(tx, locked, byPlayer(facts, players), players), noteRecent(tx, environmentId, lane, facts)]);
  return facts.length;
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
