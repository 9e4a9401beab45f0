import { unknownInputs } from "./inputs.ts";
import type { Player, PlayerKey } from "../model/kernel/player.ts";
import { decodePartition } from "../model/missions/state.ts";
import type { ConditionInput } from "../model/rules/condition.ts";
import type { PlayerParts } from "./store/players.ts";
import type { PartitionKeys, StoredPartition } from "./store/missions.ts";
import { completedMissions, type PlayerRow } from "./store/players.ts";

/** A player with their whole current state, from the rows of the stores. */
export const wholePlayer = (environmentId: number, { row, partitions, attributes, balance }: PlayerParts): Player => ({
  part: row.part,
  playerId: row.playerId,
  environmentId,
  externalId: row.externalId,
  timeZone: row.timeZone,
  isHidden: row.isHidden,
  completedMissions: completedMissions(row),
  missions: new Map(partitions.map(({ partitionId, state }) => [partitionId, decodePartition(state)])),
  seen: NOTHING_SEEN,
  attributes,
  balance,
  rollups: NO_ROLLUPS,
  streaks: NO_STREAKS,
  inputs: NO_INPUTS,
});

export const NOTHING_SEEN: Player["seen"] = new Set();
const NO_ATTRIBUTES: Player["attributes"] = new Map();
const NO_ROLLUPS: Player["rollups"] = new Map();
export const NO_STREAKS: Player["streaks"] = new Map();
export const NO_INPUTS: Player["inputs"] = new Map();

/** Reads players of a slice one at a time from the rows loaded for all. The keys must be grouped by player. */
export function playerReader(
  environmentId: number,
  rowOf: ReadonlyMap<string, PlayerRow>,
  { playerIds, partitionIds }: PartitionKeys,
  states: readonly (string | undefined)[],
): (playerId: string) => Player {
  const firstOf = new Map<string, number>();
  for (let at = playerIds.length - 1; at >= 0; at--) firstOf.set(playerIds[at]!, at);
  return (playerId) => {
    const row = rowOf.get(playerId);
    if (row === undefined) throw new Error(`Player ${playerId} is not in the database.`);
    const partitions: StoredPartition[] = [];
    for (let at = firstOf.get(playerId) ?? playerIds.length; playerIds[at] === playerId; at++) {
      const state = states[at];
      if (state !== undefined) partitions.push({ partitionId: partitionIds[at]!, state });
    }
    return wholePlayer(environmentId, { row, partitions, attributes: NO_ATTRIBUTES, balance: 0 });
  };
}

/** An unknown player, without history. */
export function unknownPlayer(environmentId: number, key: PlayerKey & { externalId: string }, wanted: readonly ConditionInput[]): Player {
  const row = { ...key, timeZone: null, completed: "{}", isHidden: false };
  return { ...wholePlayer(environmentId, { row, partitions: [], attributes: NO_ATTRIBUTES, balance: 0 }), inputs: unknownInputs(wanted) };
}
