import type { Database } from "../../db/client.ts";
import type { Environment } from "../kernel/environment.ts";
import { Problem } from "../kernel/problem.ts";
import { purchase, readShop } from "../marketplace/service.ts";
import { environmentNow } from "../projects/find-environment.ts";
import { PERSONAS } from "./personas.ts";

/** Every so many of the personas spend what they have earned. */
const SHOPPERS = 3;

/** Some of the personas buy the dearest listing that they can; one that has bought already buys nothing more. */
export async function goShopping(database: Database, environment: Environment): Promise<void> {
  const now = await environmentNow(database.sql, environment);
  for (const { id: playerId } of PERSONAS.filter((_, index) => index % SHOPPERS === 0)) {
    const shop = await readShop(database, environment, now, { externalId: playerId, language: null, take: null });
    const [dearest] = shop.filter((row) => row.isPurchasable).sort((a, b) => b.priceInPoints - a.priceInPoints);
    if (dearest === undefined) continue;
    const order = { externalId: playerId, listingKey: dearest.marketplaceItemKey, idempotencyKey: "demo" };
    await purchase(database, environment, now, order).catch(unlessBoughtBefore);
  }
}

/** An earlier start that broke off may have come as far as here. */
function unlessBoughtBefore(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== "marketplace_purchase.idempotency_key_conflict") throw error;
}
