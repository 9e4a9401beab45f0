import { setImmediate } from "node:timers/promises";
import { type Database, transact, type Transaction, isConflict, isLockTimeout, isUnavailable } from "../../db/client.ts";
import { savepoint } from "../../db/scale/parts.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { Effect } from "../model/rules/effects.ts";
import { type Fact, isEvent } from "../model/kernel/facts.ts";
import { EVERY_LANE, fineLanesIn } from "../model/kernel/lanes.ts";
import type { Player } from "../model/kernel/player.ts";
import { problem } from "../model/kernel/problem.ts";
import { inputsOfDecisions } from "../model/leaderboards/lookups.ts";
import { loadPartitions, noPartitions, type PartitionKeys } from "./store/missions.ts";
import type { PlayerKey } from "../model/kernel/player.ts";
import type { ConditionInput } from "../model/rules/condition.ts";
import { resolveOrCreateInputs } from "./inputs.ts";
import { advance, type OnRecorded } from "./advance.ts";
import { judgedBefore, rollupsBefore, seenBefore, streaksBefore } from "./before.ts";
import { Changes } from "./changes.ts";
import { type LockedEnvironment, openLocked, openLockedAnd } from "./locked.ts";
import { movesOf, writeMoves } from "./moves.ts";
import { Tally } from "./tally.ts";
import { playerReader, wholePlayer } from "./whole-player.ts";
import type { RecordedEvent } from "./moved.ts";
import { readPlayerParts } from "./store/players.ts";
import { saveEventEffects } from "./store/event-effects.ts";
import { limitWaits, lockShared, planFreely } from "./store/locks.ts";
import {
  type Claim,
  claimFacts,
  claimOfPlayer,
  firstWaitingOf,
  hasWaiting,
  type PlayerFacts,
  type QueuedFact,
  setAside,
} from "./store/queue.ts";
import { noteRecent, noteRecentBeside } from "./store/recent.ts";
import { createPlayers, type LockedPlayerRow, lockPlayer, setTimeZone } from "./store/players.ts";

export { type LockedEnvironment, mustBeAsRead, openLocked } from "./locked.ts";
export { holdPlayer, readHeldPlayer, readJudgedPlayer, readPlayerTogether, readPlayerToTry, readWholePlayer } from "./read-player.ts";
export { unknownPlayer, wholePlayer } from "./whole-player.ts";

/** Facts are folded for this long between two yields to the event loop. */
const TURN_MS = 10;
/** The facts of one player that are folded together. */
const FACTS_AT_ONCE = 50;

/** Tells whether the time of a fold is over. */
export interface TimeLimit {
  isOver(): boolean;
}

/** Folding timed out after `applied` facts; the caller's transaction must roll back. */
export class OutOfTime extends Error {
  readonly applied: number;

  constructor(applied: number) {
    super("The facts of a slice took too long; the next slice is smaller.");
    this.applied = applied;
  }
}

interface Applying {
  /** Called with each player's fold; rehearsals check it. */
  onFold?(before: Player, after: Player, effects: readonly Effect[]): void;
  time?: TimeLimit;
}

/**
 * Applies queued facts to their players, who are locked. It loads what the facts can move, folds them and saves everything in this
 * transaction. It reads, folds and writes out one player after the other: holding the states of a slice until all were folded cost a third
 * of the worker's time in garbage collection. The moves of recorded facts are written in the same transaction. Throws OutOfTime once `time`
 * is over.
 */
export async function applyFacts(
  tx: Transaction,
  locked: LockedEnvironment,
  work: readonly PlayerFacts[],
  players: readonly LockedPlayerRow[],
  { onFold, time }: Applying = {},
): Promise<void> {
  let applied = 0;
  let yielded = performance.now();
  // Yields, so that the requests of this process run during a large slice.
  const isTurnOver = () => {
    if (time?.isOver()) throw new OutOfTime(applied);
    return performance.now() - yielded > TURN_MS;
  };
  const yieldTurn = async () => {
    await setImmediate();
    yielded = performance.now();
  };
  const wanted = partitionsOf(locked.definitions, work);
  const rowOf = new Map(players.map((row) => [row.playerId, row]));
  const zoneOf = (playerId: string): string => rowOf.get(playerId)?.timeZone ?? locked.definitions.timeZone;
  const [partitions, rollups, streaks] = await Promise.all([
    loadPartitions(tx, wanted),
    rollupsBefore(tx, locked.definitions, work, zoneOf),
    streaksBefore(tx, locked.definitions, work, zoneOf),
  ]);
  const readPlayer = playerReader(locked.environment.id, rowOf, wanted, partitions);
  const seen = await seenBefore(tx, locked.definitions, work, readPlayer);
  const judged = await judgedBefore(tx, locked, work, readPlayer);
  const changes = new Changes();
  const tally = new Tally();
  const recorded: RecordedEvent[] = [];
  const onRecorded: OnRecorded = ({ seq }, before, after, effects) => {
    const { part, playerId } = after;
    recorded.push({ part, playerId, seq, moved: writeMoves(movesOf(locked.definitions, before, after, effects)) });
  };
  for (const { playerId, facts } of work) {
    if (isTurnOver()) await yieldTurn();
    const player = readPlayer(playerId);
    const before = {
      ...player,
      ...judged.get(playerId),
      seen: seen.get(playerId) ?? player.seen,
      rollups: rollups.get(playerId) ?? player.rollups,
      streaks: streaks.get(playerId) ?? player.streaks,
    };
    let { player: after, effects } = advance(before, locked.definitions, facts.slice(0, FACTS_AT_ONCE), { onRecorded });
    for (let from = FACTS_AT_ONCE; from < facts.length; from += FACTS_AT_ONCE) {
      applied += FACTS_AT_ONCE;
      if (isTurnOver()) await yieldTurn();
      const advanced = advance(after, locked.definitions, facts.slice(from, from + FACTS_AT_ONCE), { onRecorded });
      after = advanced.player;
      effects = effects.concat(advanced.effects);
    }
    applied += ((facts.length - 1) % FACTS_AT_ONCE) + 1;
    const row = rowOf.get(playerId)!;
    changes.add(row, before, after, effects);
    onFold?.(before, after, effects);
    tally.addFacts(row, facts, locked.definitions.timeZone);
    tally.addFold(locked, row, before, after, effects, facts.at(-1)?.receivedAt ?? locked.now);
  }
  await Promise.all([changes.save(tx, locked), tally.save(tx, locked.environment.id), saveEventEffects(tx, locked.environment, recorded)]);
}

interface Claiming {
  time?: TimeLimit | undefined;
  /** Called with the claimed facts, before they are folded. */
  onClaim?(facts: readonly QueuedFact[]): void;
}

/** Claims and applies an environment's first facts in fine lanes that this transaction holds. Throws OutOfTime. */
export async function applyFirst(
  tx: Transaction,
  lanes: readonly number[],
  environmentId: number,
  limit: number,
  { time, onClaim }: Claiming = {},
): Promise<Claim> {
  const [locked, claim] = await openLockedAnd(tx, environmentId, () => claimFacts(tx, lanes, environmentId, limit));
  const { facts, players } = claim;
  onClaim?.(facts);
  const work = byPlayer(facts, players);
  await Promise.all([applyFacts(tx, locked, work, players, { time }), noteRecent(tx, environmentId, lanes[0]!, facts)]);
  return claim;
}

/** Ordered like the claimed players, by key: statements on neighbouring rows find half of them on the previous page. */
function byPlayer(facts: readonly QueuedFact[], players: readonly PlayerKey[]): PlayerFacts[] {
  const work = new Map(players.map(({ part, playerId }): [string, PlayerFacts] => [playerId, { part, playerId, facts: [] }]));
  for (const fact of facts) {
    const known = work.get(fact.playerId);
    // A fact without a player fails, and is quarantined.
    if (known === undefined) work.set(fact.playerId, { part: fact.part, playerId: fact.playerId, facts: [fact] });
    else known.facts.push(fact);
  }
  // Facts of a player whose lock was awaited may be applied by now.
  return [...work.values()].filter((one) => one.facts.length > 0);
}

/** The state partitions that the facts can move, without duplicates, grouped by player. */
function partitionsOf({ partitionsByEvent }: Definitions, work: readonly PlayerFacts[]): PartitionKeys {
  const keys: PartitionKeys = noPartitions();
  for (const { part, playerId, facts } of work) {
    const first = keys.partitionIds.length;
    for (const fact of facts) {
      if (!isEvent(fact)) continue;
      for (const partitionId of partitionsByEvent.get(fact.definitionId) ?? []) {
        if (keys.partitionIds.includes(partitionId, first)) continue;
        keys.parts.push(part);
        keys.playerIds.push(playerId);
        keys.partitionIds.push(partitionId);
      }
    }
  }
  return keys;
}

/** A decision: the facts depend on the player's current state. */
export interface Decision {
  /** The facts to fold. It is called again after each fold until it returns none. `seq` is their position in the order of facts. */
  decide(player: Player, seq: number): Fact[];
  /** The condition inputs that `decide` and the folds after it may read. */
  wanted?(player: Player): readonly ConditionInput[];
  /** The player's new zone; facts that were waiting are applied in the previous one. Undefined keeps the zone. */
  timeZone?: string | undefined;
  /** Requires an existing player, so that one who was erased meanwhile is not created again. Returns the error to throw. */
  absent?(): Error;
  /** Extra writes of the same transaction, such as an entry of the audit log. */
  beside?(tx: Transaction): Promise<void>;
}

/**
 * Limits of one transaction that applies a player's waiting facts before a decision: their number and the time. After a timeout it takes
 * fewer, and then more again.
 */
const AT_ONCE = 1_000;
const AT_ONCE_MS = 500;
/** The facts of all players that are applied together before an edit, and the time for all of them: everybody waits for it. */
const RECEIVED_AT_ONCE = 250;
const RECEIVED_MS = 250;
/** A decision applies its player's waiting facts for this long; then it fails as unavailable, and the caller retries. */
const PATIENCE_MS = 2_000;

/** The limit of waiting facts was reached: there may be more, and they must be applied before the decision. */
const BEHIND = Symbol("behind");

/** Applying some of the first waiting facts failed; the decision is not the cause. */
class QueueFault extends Error {
  readonly facts: number;

  constructor(facts: number, cause: unknown) {
    super("Facts that a player has waiting cannot be folded.", { cause });
    this.facts = facts;
  }
}

/**
 * Applies facts that are decided on the player's state: a mission read that enters, an accept, attributes. Facts that the queue holds for
 * the player go first, in the same transaction: they were accepted before this call and have an earlier position. More than one
 * transaction's worth is applied in several; beyond two seconds of work the call fails as unavailable. Creates the player on first contact.
 * Returns the player afterwards, or null if `plan` decides on nothing. Problem: service.unavailable (nothing of the decision is done). `at`
 * is the instant of a decision that lies in the past. An error from `plan` or `decide` undoes the decision.
 */
export async function applyDecision(
  database: Database,
  environmentId: number,
  key: PlayerKey & { externalId: string },
  plan: (locked: LockedEnvironment) => Decision | null,
  at?: number,
): Promise<{ player: Player; locked: LockedEnvironment } | null> {
  const deadline = performance.now() + PATIENCE_MS;
  let atOnce = AT_ONCE;
  for (;;) {
    try {
      const outcome = await transact(database, async (tx) => {
        const locked = await openLocked(tx, environmentId, at);
        const decision = plan(locked);
        return decision === null ? null : await decideInOrder(tx, locked, key, decision, atOnce);
      });
      if (outcome !== BEHIND) return outcome;
      // A stall of the machine may have made it few: facts one by one would take longer than the caller waits.
      atOnce = Math.min(AT_ONCE, 2 * atOnce);
    } catch (error) {
      if (error instanceof OutOfTime) atOnce = Math.max(1, Math.floor(Math.min(error.applied, atOnce) / 2));
      // Halved until the failing fact is alone, as by the worker: applied one by one, a thousand facts would take many seconds.
      else if (error instanceof QueueFault && error.facts > 1) atOnce = Math.floor(error.facts / 2);
      else if (error instanceof QueueFault) await transact(database, (tx) => setFaultAside(tx, environmentId, key));
      else throw error;
    }
    if (performance.now() > deadline) {
      throw problem(
        "service.unavailable",
        "More of this player's events are waiting than can be applied in one request. Send the request again.",
      );
    }
  }
}

/** The caller waits for the answer, so grants are cut here: a full balance must not fail the whole decision. */
const CUT = { cutsGrants: true };

async function decideInOrder(
  tx: Transaction,
  locked: LockedEnvironment,
  key: PlayerKey & { externalId: string },
  { decide, wanted, timeZone, absent, beside }: Decision,
  atOnce: number,
): Promise<{ player: Player; locked: LockedEnvironment } | typeof BEHIND> {
  const row = absent === undefined ? await lockOrCreate(tx, locked, key) : await lockPlayer(tx, key);
  if (row === null) throw absent?.() ?? new Error(`Player ${key.playerId} is gone.`);
  const { seq, isFull } = await applyWaiting(tx, locked, row, atOnce);
  if (isFull) return BEHIND;
  if (timeZone !== undefined && timeZone !== row.timeZone) await setTimeZone(tx, key, timeZone);
  const parts = await readPlayerParts(tx, key);
  if (parts === null) throw new Error(`Player ${key.playerId} is locked and gone.`);
  const lockedPlayer = wholePlayer(locked.environment.id, parts);
  const asked = [...(wanted?.(lockedPlayer) ?? []), ...inputsOfDecisions(locked.definitions)];
  const before = { ...lockedPlayer, inputs: await resolveOrCreateInputs(tx, locked.definitions, locked.now, lockedPlayer, asked) };
  const effects: Effect[] = [];
  let after = before;
  for (let facts = decide(after, seq); facts.length > 0; facts = decide(after, seq)) {
    const advanced = advance(after, locked.definitions, facts, CUT);
    after = advanced.player;
    effects.push(...advanced.effects);
  }
  const changes = new Changes();
  changes.add(row, before, after, effects);
  const tally = new Tally();
  tally.addFold(locked, row, before, after, effects, locked.now);
  await Promise.all([changes.save(tx, locked, CUT), tally.save(tx, locked.environment.id)]);
  await beside?.(tx);
  return { player: after, locked };
}

/**
 * Applies an environment's waiting facts before its definitions or its zone change, since each fact is judged as of its receipt. The caller
 * holds the environment's lock exclusively, and everybody waits for it: after a quarter of a second the rest is left to the worker, which
 * judges it by the new definitions.
 */
export async function applyReceived(tx: Transaction, environmentId: number): Promise<void> {
  if (!(await hasWaiting(tx, environmentId))) return;
  const until = performance.now() + RECEIVED_MS;
  const time = { isOver: () => performance.now() > until };
  const patience = await limitWaits(tx, `${RECEIVED_MS}ms`);
  await lockShared(tx, environmentId);
  try {
    let isFull = true;
    while (isFull && !time.isOver()) {
      ({ isFull } = await savepoint(tx, (inner) => applyFirst(inner, fineLanesIn(EVERY_LANE), environmentId, RECEIVED_AT_ONCE, { time })));
    }
  } catch (error) {
    if (!isLockTimeout(error) && (isUnavailable(error) || isConflict(error))) throw error;
    // Out of time, another session holds a player, or a fact cannot be applied, which the worker quarantines.
  }
  await Promise.all([planFreely(tx), limitWaits(tx, patience)]);
}

async function lockOrCreate(tx: Transaction, locked: LockedEnvironment, key: PlayerKey & { externalId: string }): Promise<LockedPlayerRow> {
  const known = await lockPlayer(tx, key);
  if (known !== null) return known;
  await createPlayers(tx, [{ ...key, environmentId: locked.environment.id, createdAt: locked.now }]);
  const created = await lockPlayer(tx, key);
  if (created === null) throw new Error(`Player ${key.playerId} could not be created.`);
  return created;
}

/** Applies the first waiting facts of a locked player. Returns whether more may wait, and the position for the decision's facts. */
async function applyWaiting(
  tx: Transaction,
  locked: LockedEnvironment,
  row: LockedPlayerRow,
  limit: number,
): Promise<{ seq: number; isFull: boolean }> {
  const { part, playerId } = row;
  const { seq, facts, isFull } = await claimOfPlayer(tx, row, limit);
  if (facts.length === 0) return { seq, isFull };
  await noteRecentBeside(tx, locked.environment.id, facts);
  try {
    const until = performance.now() + AT_ONCE_MS;
    const time = { isOver: () => limit > 1 && performance.now() > until };
    await applyFacts(tx, locked, [{ part, playerId, facts }], [row], { time });
  } catch (error) {
    if (isUnavailable(error) || isConflict(error) || error instanceof OutOfTime) throw error;
    throw new QueueFault(facts.length, error);
  }
  return { seq, isFull };
}

/** Moves a player's first waiting fact to the quarantine if it still cannot be applied alone. */
async function setFaultAside(tx: Transaction, environmentId: number, key: PlayerKey): Promise<void> {
  const locked = await openLocked(tx, environmentId);
  const row = await lockPlayer(tx, key);
  const seq = row === null ? null : await firstWaitingOf(tx, key);
  if (row === null || seq === null) return;
  try {
    await savepoint(tx, (inner) => applyWaiting(inner, locked, row, 1));
  } catch (error) {
    if (!(error instanceof QueueFault)) throw error;
    await setAside(tx, environmentId, { part: row.part, seq }, error.cause);
  }
}
