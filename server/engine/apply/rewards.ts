import type { Transaction } from "#db/client.ts";
import type { Effect } from "../../model/kernel/effects.ts";
import type { WebhookNotification } from "../../model/webhooks/notification.ts";
import { grantRows, type Identified, notificationRows, owedItemRows } from "../effects.ts";
import { writeOwedItems } from "../store/owed-items.ts";
import { writeGrants } from "../store/grants.ts";
import { enqueueDeliveries } from "../store/outbox.ts";

/** A player and what they are paid outside a fold of facts, such as the prizes of a period. */
export interface Rewarded {
  player: Identified;
  effects: readonly Effect[];
}

/** Writes grants, owed items and webhooks; a grant that a full balance has no room for is cut, so that it keeps nobody else from theirs. */
export async function writeRewards(tx: Transaction, rewarded: readonly Rewarded[]): Promise<void> {
  const rows = <Row>(make: (player: Identified, effects: readonly Effect[]) => Row[]): Row[] =>
    rewarded.flatMap(({ player, effects }) => make(player, effects));
  await writeGrants(tx, rows(grantRows), { isCut: true });
  await writeOwedItems(tx, rows(owedItemRows));
  await enqueueDeliveries(tx, rows(notificationRows));
}

/** Writes the deliveries of webhooks, in the transaction of what they tell of. */
export const notify = (tx: Transaction, notifications: readonly WebhookNotification[]): Promise<void> =>
  enqueueDeliveries(tx, notifications);
