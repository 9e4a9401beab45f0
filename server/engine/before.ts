import type { Sql, Transaction } from "#db/client.ts";
import type { LockedEnvironment } from "./locked.ts";
import { NO_INPUTS, NO_STREAKS } from "./whole-player.ts";
import { resolveOrCreateInputs } from "./inputs.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import { type EventFact, isEvent } from "../model/kernel/facts.ts";
import type { Player } from "../model/kernel/player.ts";
import { boardsReadingPlayer, inputsOfBoards } from "../model/leaderboards/lookups.ts";
import { asksForDistinctValues, distinctValueName, distinctValuesOf } from "../model/missions/distinct.ts";
import { mayReadPlayer, missionsReadingPlayer } from "../model/missions/automatic-entries.ts";
import { inputsOfAudiences } from "../model/rules/audience.ts";
import type { ConditionInput } from "../model/rules/condition.ts";
import { bucketsOf, rollupStates } from "../model/segments/rollups.ts";
import { fallsInto, lackingStreaks, statesBefore, streakStates } from "../model/streaks/loading.ts";
import { loadAudienceInputs } from "./store/players.ts";
import { loadDistinctValues } from "./store/missions.ts";
import { completedMissions } from "./store/players.ts";
import type { PlayerFacts } from "./store/queue.ts";
import { loadBuckets } from "./store/rollups.ts";
import { loadAllPeriods, loadBefore, loadRuns } from "./store/streaks.ts";

/** The distinct values that were seen before, by player. Runs no statement if no mission counts distinct values. */
export async function seenBefore(
  tx: Sql,
  definitions: Definitions,
  work: readonly PlayerFacts[],
  readPlayer: (playerId: string) => Player,
): Promise<Map<string, Set<string>>> {
  const asking = work.filter(({ facts }) => facts.some((fact) => isEvent(fact) && asksForDistinctValues(definitions, fact)));
  if (asking.length === 0) return new Map();
  const asked = asking.map(({ part, playerId, facts }) => ({
    part,
    playerId,
    distinctValues: distinctValuesOf(readPlayer(playerId), definitions, facts.filter(isEvent)),
  }));
  const rows = asked.flatMap(({ part, playerId, distinctValues }) => distinctValues.map((distinct) => ({ part, playerId, ...distinct })));
  const seen = await loadDistinctValues(tx, rows);
  return new Map(
    asked.map(({ playerId, distinctValues }) => [
      playerId,
      new Set(distinctValues.map(distinctValueName).filter((name) => seen.has(name))),
    ]),
  );
}

/** The buckets that the facts can change, of the rollups kept for their players. Runs no statement if no rollup reads the events. */
export async function rollupsBefore(
  tx: Transaction,
  definitions: Definitions,
  work: readonly PlayerFacts[],
  zoneOf: (playerId: string) => string,
): Promise<Map<string, Player["rollups"]>> {
  if (definitions.rollupsByEvent.size === 0) return new Map();
  const wanted = work.flatMap(({ part, playerId, facts }) =>
    bucketsOf(definitions, facts.filter(isEvent), zoneOf(playerId)).map((bucket) => ({ part, playerId, ...bucket })),
  );
  const byPlayer = Map.groupBy(await loadBuckets(tx, wanted), ({ playerId }) => playerId);
  return new Map([...byPlayer].map(([playerId, rows]) => [playerId, rollupStates(rows)]));
}

/** The streak states that the facts can change: the last runs and the periods of the facts; if that is not enough, all runs and periods. */
export async function streaksBefore(
  tx: Transaction,
  definitions: Definitions,
  work: readonly PlayerFacts[],
  zoneOf: (playerId: string) => string,
): Promise<Map<string, Player["streaks"]>> {
  if (definitions.streaks.length === 0) return new Map();
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

/** The audience inputs of a player before their facts are folded, and the instant they are read at. */
interface Look {
  wanted: readonly ConditionInput[];
  facts: PlayerFacts["facts"];
  now: number;
}

/**
 * The missions that continue automatically with these facts and whose entry reads the player, and the instant at which the first of them is
 * entered; null if there is none. A slice that opens periods of several days judges all of them as of that instant.
 */
function continuedBy(definitions: Definitions, facts: PlayerFacts["facts"], readPlayer: () => Player) {
  const naming = facts.filter((fact) => isEvent(fact) && mayReadPlayer(definitions, fact)) as EventFact[];
  if (naming.length === 0) return null;
  const player = readPlayer();
  const opening = naming.map((fact) => ({ fact, missions: missionsReadingPlayer(player, definitions, [fact]) }));
  const first = opening.find(({ missions }) => missions.length > 0);
  return first === undefined ? null : { missions: opening.flatMap(({ missions }) => missions), receivedAt: first.fact.receivedAt };
}

/**
 * The inputs that leaderboards, and missions that continue automatically, read of the players: attributes, balance and condition inputs.
 * Loads nothing if no audience reads anything. It runs last: a rollup that is created now already contains this slice's facts, and the fold
 * must not count them twice. Condition inputs reflect the state before this slice.
 */
export async function judgedBefore(
  tx: Transaction,
  { definitions, now }: LockedEnvironment,
  work: readonly PlayerFacts[],
  readPlayer: (playerId: string) => Player,
): Promise<Map<string, Pick<Player, "attributes" | "balance" | "completedMissions" | "inputs">>> {
  const looks = new Map<string, Look>();
  for (const { playerId, facts } of work) {
    const boards = boardsReadingPlayer(definitions, facts);
    const continued = continuedBy(definitions, facts, () => readPlayer(playerId));
    if (boards.length === 0 && continued === null) continue;
    const wanted = [...inputsOfBoards(boards), ...inputsOfAudiences(continued?.missions ?? [])];
    looks.set(playerId, { wanted, facts, now: continued?.receivedAt ?? now });
  }
  const parts = await loadAudienceInputs(
    tx,
    work.filter(({ playerId }) => looks.has(playerId)),
  );
  const judged = parts.map(async ({ playerId, attributes, balance, ...row }) => {
    const player = { ...readPlayer(playerId), attributes, balance, completedMissions: completedMissions(row) };
    const look = looks.get(playerId);
    const isAsked = look !== undefined && look.wanted.length > 0;
    const inputs = isAsked ? await resolveOrCreateInputs(tx, definitions, look.now, player, look.wanted, look.facts) : NO_INPUTS;
    return [playerId, { attributes, balance, completedMissions: player.completedMissions, inputs }] as const;
  });
  return new Map(await Promise.all(judged));
}
