import type { Definitions, Mission } from "../model/definitions/compiled.ts";
import type { Effect } from "../model/rules/effects.ts";
import type { Fact } from "../model/kernel/facts.ts";
import type { MissionState, Player, PartitionState } from "../model/kernel/player.ts";
import { onScores } from "../model/leaderboards/advance.ts";
import { type Fold, onAccept, onAttribute, onAward, onEntry, onEvent } from "../model/missions/advance.ts";
import { entriesBefore } from "../model/missions/automatic-entries.ts";
import { NOT_ENTERED } from "../model/missions/state.ts";
import { isReward, pointsOf } from "../model/rules/reward.ts";
import { onHistory } from "../model/segments/rollups.ts";
import { onPeriodBegun, onStreaks } from "../model/streaks/advance.ts";

/** Receives a recorded fact: the player before it and before the automatic entries that it causes, the player after it, and the effects. */
export type OnRecorded = (fact: Fact, before: Player, after: Player, effects: readonly Effect[]) => void;

export interface Advanced {
  player: Player;
  effects: Effect[];
}

/**
 * The state machine of a player. It applies facts in order, and returns the new state and the effects. It has no I/O, so simulating,
 * explaining and replaying use the same function. With `cutsGrants`, grants are cut to the room in the balance; `player.balance` must then
 * be loaded. `onRecorded` is called with each recorded fact.
 */
export function advance(
  player: Player,
  definitions: Definitions,
  facts: readonly Fact[],
  { cutsGrants = false, onRecorded }: { cutsGrants?: boolean; onRecorded?: OnRecorded } = {},
): Advanced {
  const fold: PlayerFold = { definitions, seen: new Set(player.seen), effects: [], cutsGrants };
  let next = player;
  for (const fact of facts) {
    const firstEffect = fold.effects.length;
    const before = next;
    next = step(fold, enterContinuing(fold, next, fact), fact);
    if (fact.isQuiet) silence(fold.effects, firstEffect);
    if (fact.isRecorded) onRecorded?.(fact, before, next, fold.effects.slice(firstEffect));
  }
  return { player: fold.seen.size === player.seen.size ? next : { ...next, seen: fold.seen }, effects: fold.effects };
}

/** Marks effects as quiet: endpoints are not notified of them. */
function silence(effects: Effect[], first: number): void {
  for (let at = first; at < effects.length; at++) {
    const effect = effects[at]!;
    if (effect.kind === "completion" || effect.kind === "milestone" || isReward(effect)) effects[at] = { ...effect, isQuiet: true };
  }
}

interface PlayerFold extends Fold {
  cutsGrants: boolean;
}

/** Enters missions that continue automatically, before a fact. Repeats, since the rewards of one mission may qualify for another. */
function enterContinuing(fold: PlayerFold, player: Player, fact: Fact): Player {
  let next = player;
  for (
    let entries = entriesBefore(next, fold.definitions, fact);
    entries.length > 0;
    entries = entriesBefore(next, fold.definitions, fact)
  ) {
    for (const entry of entries) next = step(fold, next, entry);
  }
  return next;
}

/** Applies one fact, and the score changes that it causes on leaderboards. */
function step(fold: PlayerFold, player: Player, fact: Fact): Player {
  const firstEffect = fold.effects.length;
  const moved = move(fold, player, fact);
  if (fold.cutsGrants) cutGrants(fold.effects, firstEffect, Number.MAX_SAFE_INTEGER - player.balance);
  const next = withGrants(moved, fold.effects.slice(firstEffect));
  onScores(next, fold.definitions, fact, fold.effects, firstEffect);
  return next;
}

/** Cuts grants of points to the room in the balance. */
function cutGrants(effects: Effect[], first: number, room: number): void {
  let left = room;
  for (let at = first; at < effects.length; at++) {
    const effect = effects[at]!;
    if (effect.kind !== "grant") continue;
    const points = Math.min(effect.points, left);
    if (points < effect.points) effects[at] = { ...effect, points };
    left -= points;
  }
}

/** Adds the granted points to the balance, which boards and audiences read next. */
function withGrants(player: Player, effects: readonly Effect[]): Player {
  if (effects.length === 0) return player;
  const granted = pointsOf(effects);
  return granted === 0 ? player : { ...player, balance: player.balance + granted };
}

function move(fold: Fold, player: Player, fact: Fact): Player {
  const { definitions } = fold;
  switch (fact.kind) {
    case "event": {
      const missions = definitions.missionsByEvent.get(fact.definitionId) ?? [];
      const moved = moveMissions(fold, player, missions, (mission, state) => onEvent(fold, player, mission, state, fact));
      const rollups = player.rollups.size === 0 ? player.rollups : onHistory(player, definitions, fact);
      const streaks = onStreaks(player, definitions, fact, fold.effects);
      return rollups === player.rollups && streaks === player.streaks ? moved : { ...moved, rollups, streaks };
    }
    case "streakPeriod": {
      const streaks = onPeriodBegun(player, definitions, fact, fold.effects);
      return streaks === player.streaks ? player : { ...player, streaks };
    }
    case "attribute": {
      const { attributeId, value, occurredAt, seq } = fact;
      fold.effects.push({ kind: "attributeValue", attributeId, value, occurredAt, seq });
      const changed = { ...player, attributes: new Map(player.attributes).set(attributeId, { value, occurredAt }) };
      const missions = definitions.missionsByAttribute.get(attributeId) ?? [];
      return moveMissions(fold, changed, missions, (mission, state) => onAttribute(fold, changed, mission, state, fact));
    }
    case "entry":
      return moveMissions(fold, player, missionOf(definitions, fact.missionId), (mission, state) =>
        onEntry(fold, player, mission, state, fact),
      );
    case "accept":
      return moveMissions(fold, player, missionOf(definitions, fact.missionId), (mission, state) =>
        onAccept(fold, player, mission, state, fact),
      );
    case "award":
      return moveMissions(fold, player, missionOf(definitions, fact.missionId), (mission, state) =>
        onAward(fold, player, mission, state, fact),
      );
  }
}

const missionOf = (definitions: Definitions, missionId: number): Mission[] => {
  const mission = definitions.missionsById.get(missionId);
  return mission === undefined ? [] : [mission];
};

/** Moves some missions of a player. Unchanged partitions stay the same object, so that a save can tell what to write. */
function moveMissions(
  fold: Fold,
  player: Player,
  missions: readonly Mission[],
  move: (mission: Mission, state: MissionState) => MissionState,
): Player {
  const partitions = new Map<number, Map<number, MissionState>>();
  const firstEffect = fold.effects.length;
  let partitionId: number | null = null;
  let partition: PartitionState | undefined;
  let copy: Map<number, MissionState> | undefined;
  for (const mission of missions) {
    // Neighbouring missions mostly share a partition.
    if (mission.partitionId !== partitionId) {
      partitionId = mission.partitionId;
      copy = partitions.get(partitionId);
      partition = copy ?? player.missions.get(partitionId);
    }
    const state = partition?.get(mission.id) ?? NOT_ENTERED;
    const next = move(mission, state);
    if (next === state) continue;
    if (copy === undefined) {
      copy = copyOf(partition);
      partition = copy;
      partitions.set(partitionId, copy);
    }
    put(copy, mission.id, next);
  }
  if (partitions.size === 0) return player;
  const effects = fold.effects.slice(firstEffect);
  const others = new Map(player.missions);
  for (const [partitionId, partition] of partitions) others.set(partitionId, partition);
  return { ...player, missions: others, completedMissions: withCompleted(player.completedMissions, effects) };
}

/** A copy made by `new Map` leaves an array of each entry, for 20 missions a tenth of a fold's garbage. */
function copyOf(partition: PartitionState | undefined): Map<number, MissionState> {
  const copy = new Map<number, MissionState>();
  partition?.forEach((state, missionId) => copy.set(missionId, state));
  return copy;
}

/** Stores a mission's state. A mission with neither live occurrences nor a last one needs no entry. */
function put(partition: Map<number, MissionState>, missionId: number, state: MissionState): void {
  if (state.live.length === 0 && state.last === null) partition.delete(missionId);
  else partition.set(missionId, state);
}

function withCompleted(completed: ReadonlySet<number>, effects: readonly Effect[]): ReadonlySet<number> {
  if (effects.length === 0) return completed;
  const added = effects.flatMap((effect) => (effect.kind === "completion" ? [effect.missionId] : []));
  return added.length === 0 ? completed : new Set([...completed, ...added]);
}
