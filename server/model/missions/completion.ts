import type { Mission } from "./definition.ts";
import type { Effect } from "../rules/effects.ts";
import type { Occurrence, Player } from "../kernel/player.ts";
import { derivedId } from "../players/identity.ts";
import { rewardEffect } from "../rules/reward.ts";
import { occurrenceKey } from "./occurrences.ts";
import { encodeObjectives } from "./state.ts";

/** The id of a player's occurrence, derived so that it completes once. */
export const occurrenceIdOf = (player: Pick<Player, "playerId">, mission: Mission, occurrence: Occurrence): string =>
  derivedId("occurrence", player.playerId, mission.id, occurrenceKey(occurrence));

/** A completed occurrence and its rewards, copied as they are now. */
export function completionEffects(player: Player, mission: Mission, occurrence: Occurrence, at: number): Effect[] {
  const occurrenceId = occurrenceIdOf(player, mission, occurrence);
  const rewards = mission.rewards.map((reward, ordinal) =>
    rewardEffect(reward, { sourceType: "Mission", sourceId: occurrenceId, sourceDefinitionId: mission.id, ordinal, at }),
  );
  return [
    {
      kind: "completion",
      missionId: mission.id,
      missionKey: mission.key,
      occurrenceId,
      occurrenceKey: occurrenceKey(occurrence),
      occurrenceNumber: occurrence.number,
      startedAt: occurrence.startedAt,
      acceptedAt: occurrence.accepted?.at ?? occurrence.startedAt,
      completedAt: at,
      objectives: encodeObjectives(occurrence.objectives),
      rewards: mission.rewards,
    },
    ...rewards,
  ];
}
