import type { Transaction } from "#db/client.ts";
import { grantRows, type Identified, notificationRows, owedItemRows } from "./effects.ts";
import type { Effect } from "../model/kernel/effects.ts";
import type { WebhookNotification } from "../model/webhooks/subscriptions.ts";
import { writeGrants } from "./store/grants.ts";
import { enqueueDeliveries } from "./store/outbox.ts";
import { writeOwedItems } from "./store/owed-items.ts";

/** A player and their rewards outside a fold, such as the prizes of a period. */
export interface Rewarded {
  player: Identified;
  effects: readonly Effect[];
}

/**
 * Writes grants, owed items and webhooks; a grant beyond the room in a balance is cut, so that it does not fail the other players' grants.
 */
export async function writeRewards(tx: Transaction, rewarded: readonly Rewarded[]): Promise<void> {
  const rows = <Row>(make: (player: Identified, effects: readonly Effect[]) => Row[]): Row[] =>
    rewarded.flatMap(({ player, effects }) => make(player, effects));
  await writeGrants(tx, rows(grantRows), { isCut: true });
  await writeOwedItems(tx, rows(owedItemRows));
  await enqueueDeliveries(tx, rows(notificationRows));
}

/** Writes webhook deliveries, in the transaction of their facts. */
export const notify = (tx: Transaction, notifications: readonly WebhookNotification[]): Promise<void> =>
  enqueueDeliveries(tx, notifications);
