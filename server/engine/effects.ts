import type { CompletionEffect, Effect, MilestoneEffect, OwedItemEffect, RewardSource } from "../model/kernel/effects.ts";
import type { Player } from "../model/kernel/player.ts";
import { formatInstant } from "../model/kernel/time.ts";
import { fulfillmentData } from "../model/marketplace/sale.ts";
import { derivedId } from "../model/players/identity.ts";
import type { WebhookNotification } from "../model/webhooks/subscriptions.ts";

type Addressed<Row> = Row & { part: number; playerId: string; environmentId: number };

/** The player of the effects. */
export type Identified = Pick<Player, "part" | "playerId" | "externalId" | "environmentId">;

const addressed = <Row extends object>({ part, playerId, environmentId }: Identified, row: Row): Addressed<Row> => ({
  part,
  playerId,
  environmentId,
  ...row,
});

const ofKind = <Kind extends Effect["kind"]>(effects: readonly Effect[], kind: Kind) =>
  effects.filter((effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === kind);

/** The same reward of the same source has the same id, in the ledger and among the owed items. */
export const rewardId = (
  { playerId }: Pick<Identified, "playerId">,
  { kind, sourceType, sourceId, ordinal, milestone }: Omit<RewardSource, "at" | "sourceDefinitionId"> & { kind: "grant" | "owedItem" },
): string => derivedId(kind, playerId, sourceType, sourceId, ordinal, ...(milestone === undefined ? [] : [milestone]));

export const completionRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "completion").map((effect) => addressed(player, effect));

export const seenRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "distinctValue").map((effect) => addressed(player, effect));

export const grantRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "grant").map((effect) =>
    addressed(player, {
      id: rewardId(player, effect),
      amount: effect.points,
      sourceType: effect.sourceType,
      sourceId: effect.sourceId,
      sourceDefinitionId: effect.sourceDefinitionId,
      ordinal: effect.ordinal,
      occurredAt: effect.at,
    }),
  );

export const owedItemRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "owedItem").map((effect) => addressed(player, { ...effect, id: rewardId(player, effect), owedAt: effect.at }));

export const completedMissionIds = (effects: readonly Effect[]): number[] => [
  ...new Set(ofKind(effects, "completion").map(({ missionId }) => missionId)),
];

export const beginningRows = (player: Identified, effects: readonly Effect[]) =>
  ofKind(effects, "streakBeginning").map((effect) => addressed(player, effect));

export const scoreRows = ({ part, playerId, isHidden }: Pick<Player, "part" | "playerId" | "isHidden">, effects: readonly Effect[]) =>
  ofKind(effects, "scoreChange").map((effect) => ({ part, playerId, isHidden, ...effect }));

/** Each attribute once, with its value at the end of the fold. */
export const attributeRows = (player: Identified, effects: readonly Effect[]) => [
  ...new Map(ofKind(effects, "attributeValue").map((effect) => [effect.attributeId, addressed(player, effect)])).values(),
];

/** The webhooks of the effects; quiet effects have none. The store that writes them looks up the subscriptions. */
export function notificationRows(player: Identified, effects: readonly Effect[]): WebhookNotification[] {
  return effects.flatMap((effect): WebhookNotification[] => {
    switch (effect.kind) {
      case "completion":
        return effect.isQuiet ? [] : [missionCompleted(player, effect)];
      case "owedItem":
        return effect.isQuiet ? [] : [fulfillmentRequested(player, effect)];
      case "milestone":
        return effect.isQuiet ? [] : [milestoneReached(player, effect)];
      case "grant":
      case "streakBeginning":
      case "distinctValue":
      case "attributeValue":
      case "scoreChange":
        return [];
    }
  });
}

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

const fulfillmentRequested = (player: Identified, effect: OwedItemEffect): WebhookNotification => ({
  environmentId: player.environmentId,
  event: "catalog_item.fulfillment_requested",
  sourceId: rewardId(player, effect),
  occurredAt: effect.at,
  data: fulfillmentData(player.externalId, effect, effect),
});
