import { setImmediate } from "node:timers/promises";
import { type Database, type Sql, transact, type Transaction } from "../../db/client.ts";
import { saveAttributes } from "../attributes/store.ts";
import type { Definitions, Question } from "../definitions/compiled.ts";
import { definitionsOf } from "../definitions/service.ts";
import type { Effect } from "../kernel/effects.ts";
import type { Environment } from "../kernel/environment.ts";
import type { EventFact, Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { boardsThatLook, questionsOfBoards, questionsOfDecisions } from "../leaderboards/judged.ts";
import { saveScores } from "../leaderboards/store/scores.ts";
import { writeOwedItems } from "../marketplace/store.ts";
import { asksForSights, sightName, sightsOf } from "../missions/distinct.ts";
import { loadSeen, loadTopics, saveCompletions, saveSeen, saveTopics, type TopicRow } from "../missions/store.ts";
import { decodeTopic, encodeTopic } from "../missions/state.ts";
import type { PlayerKey } from "../players/identity.ts";
import { addCompletedMissions, completedMissions, createPlayers, lockPlayer, lockPlayers, type PlayerRow } from "../players/store.ts";
import { writeGrants } from "../points/store.ts";
import { environmentNow, loadEnvironment } from "../projects/service.ts";
import { bucketsOf, rollupStates } from "../segments/rollups.ts";
import { answersKept, answersOf, answersOfNobody } from "../segments/service.ts";
import { type BucketRow, changedBuckets, loadBuckets, saveBuckets } from "../segments/store.ts";
import { fallsInto, lackingStreaks, statesBefore, streakStates } from "../streaks/loading.ts";
import { loadAllPeriods, loadBefore, loadRuns, saveStreaks, streakChanges, type StreakChanges } from "../streaks/store.ts";
import { enqueueDeliveries } from "../webhooks/store.ts";
import { advance } from "./advance.ts";
import {
  attributeRows,
  completedMissionIds,
  completionRows,
  grantRows,
  notificationRows,
  owedItemRows,
  scoreRows,
  seenRows,
} from "./effects.ts";
import { holdGroundShared, loadJudgedParts, nextSeq, type PlayerParts, readPlayerParts } from "./store.ts";

/** Players folded in one go, some milliseconds' work. */
const TURN = 200;

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
 * loaded, folded and saved with all effects in this transaction. One player after the other is read, folded and written
 * out: holding the states of a whole slice cost a third of the worker's time in garbage collection.
 */
export async function applyFacts(tx: Transaction, ground: Ground, work: readonly PlayerFacts[]): Promise<void> {
  const wanted = work.flatMap(({ part, playerId, facts }) =>
    Array.from(topicsOf(ground.definitions, facts), (topicId) => ({ part, playerId, topicId })),
  );
  // Pipelined: the second statement starts, with a snapshot of its own, when the first holds the locks.
  const [rows, topics] = await Promise.all([lockPlayers(tx, work), loadTopics(tx, wanted)]);
  const readPlayer = playerReader(ground.environment.id, rows, topics);
  const zones = new Map(rows.map(({ playerId, timeZone }) => [playerId, timeZone]));
  const zoneOf = (playerId: string): string => zones.get(playerId) ?? ground.definitions.timeZone;
  const [seen, rollups, streaks] = await Promise.all([
    seenBefore(tx, ground.definitions, work, readPlayer),
    rollupsBefore(tx, ground.definitions, work, zoneOf),
    streaksBefore(tx, ground.definitions, work, zoneOf),
  ]);
  const judged = await judgedBefore(tx, ground, work, readPlayer);
  const changes = new Changes();
  for (const [index, { playerId, facts }] of work.entries()) {
    // A large slice lets the requests of this process have their turn.
    if (index % TURN === TURN - 1) await setImmediate();
    const player = readPlayer(playerId);
    const before = {
      ...player,
      ...judged.get(playerId),
      seen: seen.get(playerId) ?? player.seen,
      rollups: rollups.get(playerId) ?? player.rollups,
      streaks: streaks.get(playerId) ?? player.streaks,
    };
    const { player: after, effects } = advance(before, ground.definitions, facts);
    changes.add(before, after, effects);
  }
  await changes.save(tx, ground);
}

/** Of the values that the facts ask about, those that were seen before, by player. Asks nothing where nothing counts distinct values. */
async function seenBefore(
  tx: Sql,
  definitions: Definitions,
  work: readonly PlayerFacts[],
  readPlayer: (playerId: string) => Player,
): Promise<Map<string, Set<string>>> {
  const asking = work.filter(({ facts }) => facts.some((fact) => asksForSights(definitions, fact)));
  if (asking.length === 0) return new Map();
  const asked = asking.map(({ part, playerId, facts }) => ({ part, playerId, sights: sightsOf(readPlayer(playerId), definitions, facts) }));
  const rows = asked.flatMap(({ part, playerId, sights }) => sights.map((sight) => ({ part, playerId, ...sight })));
  const seen = await loadSeen(tx, rows);
  return new Map(asked.map(({ playerId, sights }) => [playerId, new Set(sights.map(sightName).filter((name) => seen.has(name)))]));
}

/** The buckets that the facts can change, of the rollups that are kept for their players. Asks nothing where no rollup reads the events. */
async function rollupsBefore(
  tx: Transaction,
  definitions: Definitions,
  work: readonly PlayerFacts[],
  zoneOf: (playerId: string) => string,
): Promise<Map<string, Player["rollups"]>> {
  if (definitions.rollupsByEvent.size === 0) return new Map();
  const wanted = work.flatMap(({ part, playerId, facts }) =>
    bucketsOf(definitions, facts, zoneOf(playerId)).map((bucket) => ({ part, playerId, ...bucket })),
  );
  const byPlayer = Map.groupBy(await loadBuckets(tx, wanted), ({ playerId }) => playerId);
  return new Map([...byPlayer].map(([playerId, rows]) => [playerId, rollupStates(rows)]));
}

/** What the facts can change of the streaks: the last runs and the periods they fall into, and everything where that is not enough. */
async function streaksBefore(
  tx: Transaction,
  definitions: Definitions,
  work: readonly PlayerFacts[],
  zoneOf: (playerId: string) => string,
): Promise<Map<string, Player["streaks"]>> {
  if (definitions.streaksByEvent.size === 0) return new Map();
  const falling = work.flatMap((one) => {
    const falls = fallsInto(definitions, one.facts, zoneOf(one.playerId));
    return falls.length === 0 ? [] : [{ ...one, falls }];
  });
  const keys = falling.flatMap(({ part, playerId, falls }) =>
    falls.flatMap(({ streakId, starts }) => starts.map((start) => ({ part, playerId, streakId, start }))),
  );
  const states: Map<string, Player["streaks"]> = statesBefore(keys, await loadBefore(tx, keys));
  const lacking = falling.flatMap(({ part, playerId, facts, falls }) => {
    const player = { playerId, timeZone: zoneOf(playerId), streaks: states.get(playerId) ?? NO_STREAKS };
    return lackingStreaks(player, definitions, facts, falls).map((streakId) => ({ part, playerId, streakId }));
  });
  if (lacking.length === 0) return states;
  const [allRuns, allPeriods] = await Promise.all([loadRuns(tx, lacking), loadAllPeriods(tx, lacking)]);
  for (const [playerId, whole] of streakStates(lacking, allRuns, allPeriods)) {
    states.set(playerId, new Map([...(states.get(playerId) ?? NO_STREAKS), ...whole]));
  }
  return states;
}

/**
 * What leaderboards look at of the players whose facts they score: the team, and all that an audience may ask. Loads nothing
 * where no board looks. Asked last: a rollup that is made now has the facts of this slice in it, and the fold must not know it.
 */
async function judgedBefore(
  tx: Transaction,
  { definitions, now }: Ground,
  work: readonly PlayerFacts[],
  readPlayer: (playerId: string) => Player,
): Promise<Map<string, Pick<Player, "attributes" | "balance" | "completedMissions" | "answers">>> {
  const boards = new Map(work.map((one) => [one.playerId, boardsThatLook(definitions, one.facts)]));
  const looked = work.filter(({ playerId }) => (boards.get(playerId) ?? []).length > 0);
  const parts = await loadJudgedParts(tx, looked);
  const judged = parts.map(async ({ playerId, attributes, balance, ...row }) => {
    const player = { ...readPlayer(playerId), attributes, balance, completedMissions: completedMissions(row) };
    const questions = questionsOfBoards(boards.get(playerId) ?? []);
    const answers = questions.length === 0 ? NO_ANSWERS : await answersKept(tx, definitions, now, player, questions);
    return [playerId, { attributes, balance, completedMissions: player.completedMissions, answers }] as const;
  });
  return new Map(await Promise.all(judged));
}

/**
 * Folds facts that are decided on what the player has going: a mission read that enters, an accept, attributes. `decide` is
 * asked again after each fold, until it wants nothing more; `questions` are what it may ask of the history. Creates the player on first contact.
 */
export async function applyDecision(
  tx: Transaction,
  ground: Ground,
  key: PlayerKey & { externalId: string },
  decide: (player: Player, seq: number) => Fact[],
  questions: readonly Question[] = [],
): Promise<Player> {
  const locked = await lockWholePlayer(tx, ground, key);
  const asked = [...questions, ...questionsOfDecisions(ground.definitions)];
  const before = { ...locked, answers: await answersKept(tx, ground.definitions, ground.now, locked, asked) };
  const seq = await nextSeq(tx);
  const effects: Effect[] = [];
  let after = before;
  for (let facts = decide(after, seq); facts.length > 0; facts = decide(after, seq)) {
    const advanced = advance(after, ground.definitions, facts);
    after = advanced.player;
    effects.push(...advanced.effects);
  }
  const changes = new Changes();
  changes.add(before, after, effects);
  await changes.save(tx, ground);
  return after;
}

async function lockWholePlayer(tx: Transaction, ground: Ground, key: PlayerKey & { externalId: string }): Promise<Player> {
  let row = await lockPlayer(tx, key);
  if (row === null) {
    await createPlayers(tx, [{ ...key, environmentId: ground.environment.id, createdAt: ground.now }]);
    row = await lockPlayer(tx, key);
  }
  if (row === null) throw new Error(`Player ${key.playerId} could not be created.`);
  const parts = await readPlayerParts(tx, key);
  if (parts === null) throw new Error(`Player ${key.playerId} is locked and gone.`);
  return wholePlayer(ground.environment.id, parts);
}

/** A player with everything they have going, as it stands; null for one the environment has never seen. */
export async function readWholePlayer(sql: Sql, environmentId: number, key: PlayerKey): Promise<Player | null> {
  const parts = await readPlayerParts(sql, key);
  return parts === null ? null : wholePlayer(environmentId, parts);
}

/**
 * A player with all that a fold of these facts may ask, for who only tries what they would do: nothing is locked, and nothing
 * kept. Streaks come with every run and period; what conditions ask of the history is left to the caller.
 */
export async function readPlayerToTry(
  sql: Sql,
  environmentId: number,
  definitions: Definitions,
  key: PlayerKey,
  facts: readonly EventFact[],
): Promise<Player | null> {
  const player = await readWholePlayer(sql, environmentId, key);
  if (player === null) return null;
  const keys = definitions.streaks.map(({ id }) => ({ part: key.part, playerId: key.playerId, streakId: id }));
  const [seen, runs, periods] = await Promise.all([
    seenBefore(sql, definitions, [{ ...key, facts: [...facts] }], () => player),
    loadRuns(sql, keys),
    loadAllPeriods(sql, keys),
  ]);
  const streaks = streakStates(keys, runs, periods).get(key.playerId) ?? NO_STREAKS;
  return { ...player, seen: seen.get(key.playerId) ?? NOTHING_SEEN, streaks };
}

/**
 * A player for those who judge audiences without entering anything: with the answers to `questions`. A stranger is one without
 * any history, and stays a stranger: nobody is created. Waits for the player's folds only where a rollup is not kept yet.
 */
export async function readJudgedPlayer(
  database: Database,
  environment: Environment,
  definitions: Definitions,
  now: number,
  key: PlayerKey & { externalId: string },
  questions: readonly Question[],
): Promise<Player> {
  const known = await readWholePlayer(database.sql, environment.id, key);
  if (known === null) return stranger(environment.id, key, questions);
  const answers = await answersOf(database.sql, definitions, now, known, questions);
  if (answers !== null) return { ...known, answers };
  return transact(database, async (tx) => {
    await openGround(tx, environment.id);
    const isThere = await holdPlayer(tx, key);
    return isThere ? readHeldPlayer(tx, environment, definitions, now, key, questions) : stranger(environment.id, key, questions);
  });
}

/** Locks a player about whom something is going to be decided; false for a stranger: nobody is created. */
export const holdPlayer = async (tx: Transaction, key: PlayerKey): Promise<boolean> => (await lockPlayer(tx, key)) !== null;

/** `readJudgedPlayer` of a player whom this transaction holds: what is judged then holds until it commits. */
export async function readHeldPlayer(
  tx: Transaction,
  environment: Environment,
  definitions: Definitions,
  now: number,
  key: PlayerKey,
  questions: readonly Question[],
): Promise<Player> {
  const player = await readWholePlayer(tx, environment.id, key);
  if (player === null) throw new Error(`Player ${key.playerId} is locked and gone.`);
  return { ...player, answers: await answersKept(tx, definitions, now, player, questions) };
}

/** A player whom nobody has seen: without any history. */
export function stranger(environmentId: number, key: PlayerKey & { externalId: string }, questions: readonly Question[]): Player {
  const row = { ...key, timeZone: null, completed: "{}" };
  return { ...wholePlayer(environmentId, { row, topics: [], attributes: NO_ATTRIBUTES, balance: 0 }), answers: answersOfNobody(questions) };
}

/** A player with everything they have going, from the rows of the stores. */
export const wholePlayer = (environmentId: number, { row, topics, attributes, balance }: PlayerParts): Player => ({
  part: row.part,
  playerId: row.playerId,
  environmentId,
  externalId: row.externalId,
  timeZone: row.timeZone,
  completedMissions: completedMissions(row),
  missions: new Map(topics.map(({ topicId, state }) => [topicId, decodeTopic(state)])),
  seen: NOTHING_SEEN,
  attributes,
  balance,
  rollups: NO_ROLLUPS,
  streaks: NO_STREAKS,
  answers: NO_ANSWERS,
});

const NOTHING_SEEN: Player["seen"] = new Set();
const NO_ATTRIBUTES: Player["attributes"] = new Map();
const NO_ROLLUPS: Player["rollups"] = new Map();
const NO_STREAKS: Player["streaks"] = new Map();
const NO_ANSWERS: Player["answers"] = new Map();

/** Reads players of a slice one at a time from the rows loaded for all. */
function playerReader(environmentId: number, rows: readonly PlayerRow[], topics: readonly TopicRow[]): (playerId: string) => Player {
  const rowOf = new Map(rows.map((row) => [row.playerId, row]));
  const topicsOfPlayer = Map.groupBy(topics, ({ playerId }) => playerId);
  return (playerId) => {
    const row = rowOf.get(playerId);
    if (row === undefined) throw new Error(`Player ${playerId} is not in the database.`);
    return wholePlayer(environmentId, { row, topics: topicsOfPlayer.get(playerId) ?? [], attributes: NO_ATTRIBUTES, balance: 0 });
  };
}

const topicsOf = (definitions: Definitions, facts: readonly EventFact[]): Set<number> =>
  new Set(facts.flatMap((fact) => definitions.topicsByEvent.get(fact.definitionId) ?? []));

/** What a transaction has to write: new states and everything that follows from them. All of it is committed or none. */
class Changes {
  readonly #known: TopicRow[] = [];
  readonly #fresh: TopicRow[] = [];
  readonly #completed: (PlayerKey & { missionIds: number[] })[] = [];
  readonly #completions: ReturnType<typeof completionRows> = [];
  readonly #seen: ReturnType<typeof seenRows> = [];
  readonly #grants: ReturnType<typeof grantRows> = [];
  readonly #owedItems: ReturnType<typeof owedItemRows> = [];
  readonly #notifications: ReturnType<typeof notificationRows> = [];
  readonly #attributes: ReturnType<typeof attributeRows> = [];
  readonly #buckets: BucketRow[] = [];
  readonly #scores: ReturnType<typeof scoreRows> = [];
  readonly #streaks: StreakChanges = { periods: [], runs: [], gone: [] };

  add(before: Player, after: Player, effects: readonly Effect[]): void {
    const { part, playerId } = after;
    for (const [topicId, state] of after.missions) {
      const earlier = before.missions.get(topicId);
      if (earlier === state) continue;
      (earlier === undefined ? this.#fresh : this.#known).push({ part, playerId, topicId, state: encodeTopic(state) });
    }
    if (after.rollups !== before.rollups) this.#buckets.push(...changedBuckets({ part, playerId }, before.rollups, after.rollups));
    if (after.streaks !== before.streaks) {
      const { periods, runs, gone } = streakChanges({ part, playerId }, before.streaks, after.streaks);
      this.#streaks.periods.push(...periods);
      this.#streaks.runs.push(...runs);
      this.#streaks.gone.push(...gone);
    }
    const scores = scoreRows(after, effects);
    this.#scores.push(...scores);
    // Most facts move scores and nothing else.
    if (effects.length === scores.length) return;
    const missionIds = completedMissionIds(effects);
    if (missionIds.length > 0) this.#completed.push({ part, playerId, missionIds });
    this.#completions.push(...completionRows(after, effects));
    this.#seen.push(...seenRows(after, effects));
    this.#grants.push(...grantRows(after, effects));
    this.#owedItems.push(...owedItemRows(after, effects));
    this.#notifications.push(...notificationRows(after, effects));
    this.#attributes.push(...attributeRows(after, effects));
  }

  async save(tx: Transaction, { definitions, environment }: Ground): Promise<void> {
    await Promise.all([
      saveTopics(tx, this.#known, this.#fresh),
      addCompletedMissions(tx, this.#completed),
      saveCompletions(tx, this.#completions),
      saveSeen(tx, this.#seen),
      writeGrants(tx, this.#grants),
      writeOwedItems(tx, this.#owedItems),
      enqueueDeliveries(tx, this.#notifications),
      saveAttributes(tx, this.#attributes),
      saveBuckets(tx, this.#buckets),
      saveStreaks(tx, this.#streaks),
    ]);
    // Last, because teams and counts are what many transactions want.
    await saveScores(tx, definitions, environment.id, this.#scores);
  }
}
