import type { Transaction } from "#db/client.ts";
import { type Identified, notificationRows, rewardRows } from "./effects.ts";
import type { Effect } from "../model/rules/effects.ts";
import type { WebhookNotification } from "../model/webhooks/subscriptions.ts";
import { enqueueDeliveries } from "./store/outbox.ts";
import { type RewardRow, type WriteOptions, writeByKind } from "./store/rewards.ts";

/** Empty lists for the rows of rewards and for their webhooks. */
export const noRewardRows = () => ({
  rewards: [] as RewardRow[],
  notifications: [] as WebhookNotification[],
});

type RewardRows = ReturnType<typeof noRewardRows>;

export function addRewardRows(rows: RewardRows, player: Identified, effects: readonly Effect[]): void {
  rows.rewards.push(...rewardRows(player, effects));
  rows.notifications.push(...notificationRows(player, effects));
}

export const writeRewardRows = (tx: Transaction, { rewards, notifications }: RewardRows, options: WriteOptions) =>
  Promise.all([writeByKind(tx, rewards, options), enqueueDeliveries(tx, notifications)]);

/** A player and their rewards outside a fold, such as the prizes of a period. */
export interface Rewarded {
  player: Identified;
  effects: readonly Effect[];
}

/** Writes rewards outside a fold. A grant beyond the room in a balance is cut, so that it does not fail the other players' grants. */
export async function writeRewards(tx: Transaction, rewarded: readonly Rewarded[]): Promise<void> {
  const rows = noRewardRows();
  for (const { player, effects } of rewarded) addRewardRows(rows, player, effects);
  await writeRewardRows(tx, rows, { isCut: true, epoch: null });
}
