import type { Sql, Transaction } from "../../db/client.ts";
import type { Definitions } from "../definitions/compiled.ts";
import { definitionsOf } from "../definitions/service.ts";
import type { Effect } from "../kernel/effects.ts";
import type { Environment } from "../kernel/environment.ts";
import type { EventFact, Fact } from "../kernel/facts.ts";
import type { Player, TopicState } from "../kernel/player.ts";
import { writeOwedItems } from "../marketplace/store.ts";
import { sightName, sightsOf } from "../missions/distinct.ts";
import { loadAllTopics, loadSeen, loadTopics, saveCompletions, saveSeen, saveTopics, type TopicRow } from "../missions/store.ts";
import type { PlayerKey } from "../players/identity.ts";
import { addCompletedMissions, completedMissions, createPlayers, lockPlayer, lockPlayers, type PlayerRow } from "../players/store.ts";
import { writeGrants } from "../points/store.ts";
import { environmentNow, loadEnvironment } from "../projects/service.ts";
import { enqueueDeliveries } from "../webhooks/store.ts";
import { advance } from "./advance.ts";
import { completionRows, finalMissions, grantRows, notificationRows, owedItemRows, seenRows } from "./effects.ts";
import { holdGroundShared, nextSeq, readPlayerAndTopics } from "./store.ts";

/** What a fold stands on: it does not change before the transaction ends. `now` is on the environment's clock. */
export interface Ground {
  environment: Environment;
  definitions: Definitions;
  now: number;
}

/** The facts of one player, in their order. */
export interface PlayerFacts extends PlayerKey {
  facts: EventFact[];
}

/** A player before and after a fold. */
interface Folded {
  before: Player;
  after: Player;
  effects: Effect[];
}

/** Takes the environment's ground for this transaction. */
export async function openGround(tx: Transaction, environmentId: number): Promise<Ground> {
  // Pipelined: what is read after the lock is what was committed last.
  const [, environment] = await Promise.all([holdGroundShared(tx, environmentId), loadEnvironment(tx, environmentId)]);
  if (environment === null) throw new Error(`Environment ${environmentId} is gone.`);
  const [now, definitions] = await Promise.all([environmentNow(tx, environment), definitionsOf(tx, environment)]);
  return { environment, now, definitions };
}

/**
 * Folds queued facts into their players: the worker's slice. Players are locked in one order, what the facts can move is
 * loaded, folded and saved with all effects in this transaction.
 */
export async function applyFacts(tx: Transaction, ground: Ground, work: readonly PlayerFacts[]): Promise<void> {
  const wanted = work.flatMap(({ part, playerId, facts }) =>
    [...topicsOf(ground.definitions, facts)].map((topicId) => ({ part, playerId, topicId })),
  );
  // Pipelined: the second statement starts, with a snapshot of its own, when the first holds the locks.
  const [rows, topics] = await Promise.all([lockPlayers(tx, work), loadTopics(tx, wanted)]);
  const players = toPlayers(ground, rows, topics);
  const loaded = work.map(({ playerId, facts }) => {
    const player = players.get(playerId);
    if (player === undefined) throw new Error(`Player ${playerId} is not in the database.`);
    return { player, facts };
  });
  const asked = loaded.map(({ player, facts }) => ({ player, facts, sights: sightsOf(player, ground.definitions, facts) }));
  const seen = await loadSeen(
    tx,
    asked.flatMap(({ player, sights }) => sights.map((sight) => ({ ...sight, ...keyOf(player) }))),
  );
  const folded = asked.map(({ player, facts, sights }) => {
    const before = { ...player, seen: new Set(sights.map(sightName).filter((name) => seen.has(name))) };
    const { player: after, effects } = advance(before, ground.definitions, facts);
    return { before, after, effects };
  });
  await save(tx, folded);
}

/**
 * Folds facts that are decided on what the player has going: a mission read that enters, an accept. `decide` is asked
 * again after each fold, until it wants nothing more. Creates the player on first contact.
 */
export async function applyDecision(
  tx: Transaction,
  ground: Ground,
  key: PlayerKey & { externalId: string },
  decide: (player: Player, seq: number) => Fact[],
): Promise<Player> {
  const before = await lockWholePlayer(tx, ground, key);
  const seq = await nextSeq(tx);
  const effects: Effect[] = [];
  let after = before;
  for (let facts = decide(after, seq); facts.length > 0; facts = decide(after, seq)) {
    const advanced = advance(after, ground.definitions, facts);
    after = advanced.player;
    effects.push(...advanced.effects);
  }
  await save(tx, [{ before, after, effects }]);
  return after;
}

async function lockWholePlayer(tx: Transaction, ground: Ground, key: PlayerKey & { externalId: string }): Promise<Player> {
  let row = await lockPlayer(tx, key);
  if (row === null) {
    await createPlayers(tx, [{ ...key, environmentId: ground.environment.id, createdAt: ground.now }]);
    row = await lockPlayer(tx, key);
  }
  if (row === null) throw new Error(`Player ${key.playerId} could not be created.`);
  return wholePlayer(ground.environment.id, row, await loadAllTopics(tx, key));
}

/** A player with everything they have going, as it stands; null for one the environment has never seen. */
export async function readWholePlayer(sql: Sql, environmentId: number, key: PlayerKey): Promise<Player | null> {
  const found = await readPlayerAndTopics(sql, key);
  return found === null ? null : wholePlayer(environmentId, found.row, found.topics);
}

/** A player with everything they have going, from the rows of the stores. */
export const wholePlayer = (environmentId: number, row: PlayerRow, topics: readonly TopicRow[]): Player => ({
  part: row.part,
  playerId: row.playerId,
  environmentId,
  externalId: row.externalId,
  timeZone: row.timeZone,
  completedMissions: completedMissions(row),
  missions: new Map(topics.map(({ topicId, state }) => [topicId, state])),
  seen: new Set(),
});

function toPlayers(ground: Ground, rows: readonly PlayerRow[], topics: readonly TopicRow[]): Map<string, Player> {
  const byPlayer = Map.groupBy(topics, ({ playerId }) => playerId);
  return new Map(rows.map((row) => [row.playerId, wholePlayer(ground.environment.id, row, byPlayer.get(row.playerId) ?? [])]));
}

const topicsOf = (definitions: Definitions, facts: readonly EventFact[]): Set<number> =>
  new Set(facts.flatMap((fact) => definitions.topicsByEvent.get(fact.definitionId) ?? []));

const keyOf = ({ part, playerId }: PlayerKey): PlayerKey => ({ part, playerId });

/** The new states and everything that follows from them, in one go: either all of it is committed or none. */
async function save(tx: Transaction, folded: readonly Folded[]): Promise<void> {
  const known: TopicRow[] = [];
  const fresh: TopicRow[] = [];
  for (const { before, after } of folded) {
    for (const [topicId, state] of changedTopics(before, after)) {
      (before.missions.has(topicId) ? known : fresh).push({ ...keyOf(after), topicId, state });
    }
  }
  const moved = folded.filter(({ effects }) => effects.length > 0);
  const rows = <Row>(toRows: (player: Player, effects: readonly Effect[]) => Row[]): Row[] =>
    moved.flatMap(({ after, effects }) => toRows(after, effects));
  const finished = moved.map(({ after, effects }) => ({ ...keyOf(after), missionIds: finalMissions(effects) }));
  await Promise.all([
    saveTopics(tx, known, fresh),
    addCompletedMissions(
      tx,
      finished.filter(({ missionIds }) => missionIds.length > 0),
    ),
    saveCompletions(tx, rows(completionRows)),
    saveSeen(tx, rows(seenRows)),
    writeGrants(tx, rows(grantRows)),
    writeOwedItems(tx, rows(owedItemRows)),
    enqueueDeliveries(tx, rows(notificationRows)),
  ]);
}

const changedTopics = (before: Player, after: Player): [number, TopicState][] =>
  before === after ? [] : [...after.missions].filter(([topicId, state]) => before.missions.get(topicId) !== state);
