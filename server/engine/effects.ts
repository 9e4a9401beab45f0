import type { CompletionEffect, Effect, MilestoneEffect } from "../model/rules/effects.ts";
import type { Player } from "../model/kernel/player.ts";
import { formatInstant } from "../model/kernel/time.ts";
import { derivedId } from "../model/players/identity.ts";
import { isReward, type RewardEffect, rewardWebhook } from "../model/rules/reward.ts";
import type { WebhookNotification } from "../model/webhooks/subscriptions.ts";
import type { RewardRow } from "./store/rewards.ts";

type Addressed<Row> = Row & { part: number; playerId: string; environmentId: number };

export type Identified = Pick<Player, "part" | "playerId" | "externalId" | "environmentId">;

const addressed = <Row extends object>({ part, playerId, environmentId }: Identified, row: Row): Addressed<Row> => ({
  part,
  playerId,
  environmentId,
  ...row,
});

const ofKind = <Kind extends Effect["kind"]>(effects: readonly Effect[], kind: Kind) =>
  effects.filter((effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === kind);

/** The id of a reward, derived from player, source and ordinal, so that it is granted once. */
export const rewardId = (
  { playerId }: Pick<Identified, "playerId">,
  { kind, sourceType, sourceId, ordinal, milestone }: RewardEffect,
): string => derivedId(kind, playerId, sourceType, sourceId, ordinal, ...(milestone === undefined ? [] : [milestone]));

export const completionRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "completion").map((effect) => addressed(player, effect));

export const seenRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "distinctValue").map((effect) => addressed(player, effect));

export const rewardRows = (player: Identified, effects: readonly Effect[]): RewardRow[] =>
  effects.filter(isReward).map((effect) => addressed(player, { ...effect, id: rewardId(player, effect) }));

export const completedMissionIds = (effects: readonly Effect[]): number[] => [
  ...new Set(ofKind(effects, "completion").map(({ missionId }) => missionId)),
];

export const beginningRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "streakBeginning").map((effect) => addressed(player, effect));

/** Written out, since this runs for every score of every fact: object spread is slow here. */
export const scoreRows = ({ part, playerId, isHidden }: Pick<Player, "part" | "playerId" | "isHidden">, effects: readonly Effect[]) =>
  ofKind(effects, "scoreChange").map(({ leaderboardId, period, team, change, seq }) => ({
    part,
    playerId,
    isHidden,
    leaderboardId,
    period,
    team,
    change,
    seq,
  }));

/** Each attribute once, with its value at the end of the fold. */
export const attributeRows = (player: Identified, effects: readonly Effect[]) => [
  ...new Map(ofKind(effects, "attributeValue").map((effect) => [effect.attributeId, addressed(player, effect)])).values(),
];

/** The webhooks of the effects; quiet effects have none. The store that writes them looks up the subscriptions. */
export const notificationRows = (player: Identified, effects: readonly Effect[]): WebhookNotification[] =>
  effects.flatMap((effect) => {
    if ("isQuiet" in effect && effect.isQuiet) return [];
    if (effect.kind === "completion") return [missionCompleted(player, effect)];
    if (effect.kind === "milestone") return [milestoneReached(player, effect)];
    return isReward(effect) ? rewardGranted(player, effect) : [];
  });

const missionCompleted = (player: Identified, effect: CompletionEffect): WebhookNotification => ({
  environmentId: player.environmentId,
  event: "mission.completed",
  sourceId: effect.occurrenceId,
  occurredAt: effect.completedAt,
  data: {
    playerExternalId: player.externalId,
    missionKey: effect.missionKey,
    occurrenceId: effect.occurrenceId,
    occurrenceNumber: effect.occurrenceNumber,
    completedAtUtc: formatInstant(effect.completedAt),
  },
});

const milestoneReached = (player: Identified, effect: MilestoneEffect): WebhookNotification => ({
  environmentId: player.environmentId,
  event: "streak.milestone_reached",
  sourceId: derivedId("milestone", effect.runId, effect.milestone),
  occurredAt: effect.reachedAt,
  data: {
    playerExternalId: player.externalId,
    streakKey: effect.streakKey,
    milestone: effect.milestone,
    currentLength: effect.currentLength,
    reachedAtUtc: formatInstant(effect.reachedAt),
  },
});

function rewardGranted(player: Identified, effect: RewardEffect): WebhookNotification[] {
  const webhook = rewardWebhook(player.externalId, effect);
  if (webhook === null) return [];
  return [{ environmentId: player.environmentId, ...webhook, sourceId: rewardId(player, effect), occurredAt: effect.at }];
}
