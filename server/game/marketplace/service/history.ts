import { pageOf } from "#server/model/kernel/page.ts";
import type { RewardItem } from "#server/model/rules/reward.ts";
import type { Database, Sql } from "#db/client.ts";
import type { Below } from "#server/model/kernel/stored.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import { findDeliveryStates, type DeliveryState } from "#server/delivery/service/deliveries.ts";
import { owedItemId } from "#server/model/marketplace/sale.ts";
import {
  type KeptPurchase,
  type PurchasedItem,
  type PurchaseCursor,
  selectOwedBelow,
  selectOwedSince,
  selectPurchasesBelow,
} from "../store/history.ts";

export type { PurchaseCursor };

/** A purchase with the status of its fulfillment webhooks. */
export interface SeenPurchase extends KeptPurchase {
  /** As `contents`, in their order; `notification` is null if no present endpoint was notified. */
  handedOver: (RewardItem & { notification: DeliveryState | null })[];
}

/** A page of a player's purchases, newest first, including reversed ones; `next` is the next page's cursor. Empty for an unknown player. */
export async function readPurchases(
  { sql }: Database,
  environment: Pick<Environment, "id">,
  externalId: string,
  below: PurchaseCursor | null,
  limit: number,
): Promise<{ purchases: SeenPurchase[]; next: PurchaseCursor | null }> {
  const key = playerKey(environment.id, externalId);
  const { page, next } = pageOf(await selectPurchasesBelow(sql, key, below, limit + 1), limit);
  const purchases = page.map((purchase) => ({ ...purchase, ...key }));
  return { purchases: await withHandedOver(sql, environment.id, purchases), next };
}

/** Purchases with the status of their fulfillment webhooks. */
export async function withHandedOver<Kept extends KeptPurchase & PlayerKey>(
  sql: Sql,
  environmentId: number,
  purchases: readonly Kept[],
): Promise<(Kept & Pick<SeenPurchase, "handedOver">)[]> {
  const idsOf = ({ playerId, id, contents }: Kept) => contents.map((_, ordinal) => owedItemId(playerId, id, ordinal));
  const since = await selectOwedSince(
    sql,
    purchases.flatMap((purchase) => idsOf(purchase).map((id) => ({ part: purchase.part, playerId: purchase.playerId, id }))),
  );
  const items = Array.from(since, ([sourceId, createdAt]) => ({ sourceId, createdAt }));
  const states = await findDeliveryStates(sql, environmentId, items);
  return purchases.map((purchase) => ({
    ...purchase,
    handedOver: idsOf(purchase).map((id, ordinal) => ({ ...purchase.contents[ordinal]!, notification: states.get(id) ?? null })),
  }));
}

export { selectListingsOf as listingsOfPurchases, selectPurchasesBelow } from "../store/history.ts";

/** An item granted to a player, with the status of its fulfillment webhook; null if no endpoint was notified. */
export type GivenItem = PurchasedItem & { notification: DeliveryState | null };

/** The items granted to a player below a cursor, newest first. */
export async function givenItemsBelow(sql: Sql, environmentId: number, key: PlayerKey, below: Below, limit: number): Promise<GivenItem[]> {
  const items = await selectOwedBelow(sql, key, below, limit);
  const facts = items.map(({ id, createdAt }) => ({ sourceId: id, createdAt }));
  const states = await findDeliveryStates(sql, environmentId, facts);
  return items.map((item) => ({ ...item, notification: states.get(item.id) ?? null }));
}
