import { pageOf } from "#server/model/kernel/page.ts";
import type { Database, Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { type HandingOver, handingOverOf } from "#server/model/marketplace/handing-over.ts";
import { type AnyPurchase, type PurchaseFilter, selectAllPurchases } from "../store/all-purchases.ts";
import type { PurchaseCursor } from "../store/history.ts";
import { type SeenPurchase, withHandedOver } from "./history.ts";

export type { PurchaseFilter };

/** A purchase of any player, with its fulfillment status. */
export type ListedPurchase = AnyPurchase & Pick<SeenPurchase, "handedOver"> & { handingOver: HandingOver };

/** Filters without an index, applied by scanning purchases. */
export interface LookedFor {
  handingOver: HandingOver | null;
  /** Only purchases close to another one of the same listing by the same player. */
  isRepeated: boolean;
}

/** Purchases scanned per call for filters without an index: some tens of milliseconds. */
const LOOKED_THROUGH = 2_000;
const BATCH = 500;

export interface PurchasePage {
  purchases: ListedPurchase[];
  /** The cursor of the next page, which may be set even if this page is empty. */
  next: PurchaseCursor | null;
}

/** A page of all purchases of an environment, the newest first. */
export async function listPurchases(
  { sql }: Database,
  environment: Pick<Environment, "id">,
  filter: PurchaseFilter,
  lookedFor: LookedFor,
  below: PurchaseCursor | null,
  limit: number,
): Promise<PurchasePage> {
  if (lookedFor.handingOver === null && !lookedFor.isRepeated) {
    const { page, next } = pageOf(await selectAllPurchases(sql, environment.id, filter, below, limit + 1), limit);
    return { purchases: await withHandingOver(sql, environment.id, page), next };
  }
  const found: ListedPurchase[] = [];
  let at = below;
  for (let looked = 0; looked < LOOKED_THROUGH; looked += BATCH) {
    const rows = await selectAllPurchases(sql, environment.id, filter, at, BATCH);
    for (const purchase of await withHandingOver(sql, environment.id, rows.filter(isFound(lookedFor)))) {
      if (lookedFor.handingOver !== null && purchase.handingOver !== lookedFor.handingOver) continue;
      found.push(purchase);
      if (found.length === limit) return { purchases: found, next: purchase };
    }
    if (rows.length < BATCH) return { purchases: found, next: null };
    at = rows.at(-1)!;
  }
  return { purchases: found, next: at };
}

const isFound =
  ({ isRepeated }: LookedFor) =>
  ({ sinceLast, untilNext }: AnyPurchase): boolean =>
    !isRepeated || sinceLast !== null || untilNext !== null;

const withHandingOver = async (sql: Sql, environmentId: number, purchases: readonly AnyPurchase[]): Promise<ListedPurchase[]> =>
  (await withHandedOver(sql, environmentId, purchases)).map((purchase) => ({
    ...purchase,
    handingOver: handingOverOf(purchase.handedOver),
  }));
