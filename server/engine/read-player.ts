import { type Database, type Sql, transact, type Transaction } from "#db/client.ts";
import { openLocked } from "./locked.ts";
import { NO_STREAKS, NOTHING_SEEN, unknownPlayer, wholePlayer } from "./whole-player.ts";
import { seenBefore } from "./before.ts";
import { resolveInputs, resolveOrCreateInputs } from "./inputs.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { Environment } from "../model/kernel/environment.ts";
import type { EventFact } from "../model/kernel/facts.ts";
import type { Player, PlayerKey } from "../model/kernel/player.ts";
import type { ConditionInput } from "../model/rules/condition.ts";
import { streakStates } from "../model/streaks/loading.ts";
import { lockPlayer, readPartsTogether, readPlayerParts } from "./store/players.ts";
import { loadAllPeriods, loadRuns } from "./store/streaks.ts";

/** A player with their whole current state; null if unknown. */
export async function readWholePlayer(sql: Sql, environmentId: number, key: PlayerKey): Promise<Player | null> {
  const parts = await readPlayerParts(sql, key);
  return parts === null ? null : wholePlayer(environmentId, parts);
}

/** As `readWholePlayer`, in one statement with other reads of players of the environment that arrive at the same time. */
export async function readPlayerTogether({ sql }: Database, environmentId: number, key: PlayerKey): Promise<Player | null> {
  const parts = await readPartsTogether(sql)(environmentId, key);
  return parts === null ? null : wholePlayer(environmentId, parts);
}

/**
 * A player with everything that a fold of these facts may read, for a dry run: it locks and writes nothing. Streaks come with every run and
 * period. The caller loads condition inputs. Null if unknown.
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
 * A player for judging audiences without entering anything, with the inputs that are `wanted`. An unknown player has an empty history and
 * is not created. It takes the player's lock only to create a missing rollup.
 */
export async function readJudgedPlayer(
  database: Database,
  environment: Environment,
  definitions: Definitions,
  now: number,
  key: PlayerKey & { externalId: string },
  wanted: readonly ConditionInput[],
): Promise<Player> {
  const known = await readPlayerTogether(database, environment.id, key);
  if (known === null) return unknownPlayer(environment.id, key, wanted);
  const inputs = await resolveInputs(database.sql, definitions, now, known, wanted);
  if (inputs !== null) return { ...known, inputs };
  return transact(database, async (tx) => {
    await openLocked(tx, environment.id);
    const isThere = await holdPlayer(tx, key);
    return isThere ? readHeldPlayer(tx, environment, definitions, now, key, wanted) : unknownPlayer(environment.id, key, wanted);
  });
}

/** Locks a player for a decision; false if unknown: no player is created. */
export const holdPlayer = async (tx: Transaction, key: PlayerKey): Promise<boolean> => (await lockPlayer(tx, key)) !== null;

/** `readJudgedPlayer` of a player locked by this transaction: the judgement holds until it commits. */
export async function readHeldPlayer(
  tx: Transaction,
  environment: Environment,
  definitions: Definitions,
  now: number,
  key: PlayerKey,
  wanted: readonly ConditionInput[],
): Promise<Player> {
  const player = await readWholePlayer(tx, environment.id, key);
  if (player === null) throw new Error(`Player ${key.playerId} is locked and gone.`);
  return { ...player, inputs: await resolveOrCreateInputs(tx, definitions, now, player, wanted) };
}
