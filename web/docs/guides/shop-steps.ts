import { get, inDays, post, type Steps } from "./exchange.ts";

const ID = "0197f1c4-6f5b-7c3a-9d2e-5b1f0a7c4e21";
const COFFEE = [{ catalogItemKey: "free_coffee", value: { type: "number", value: 1 } }];

const buying = (item: string, idempotencyKey: string, answer: object, status?: number) =>
  post(`/v1/marketplace-items/${item}/purchases`, { playerId: "carla", idempotencyKey }, answer, status);

export function shopSteps(now: number) {
  const buy = buying("coffee_on_us", "checkout-77", {
    purchaseId: ID,
    marketplaceItemKey: "coffee_on_us",
    contents: COFFEE,
    occurrenceNumber: 0,
    pricePaidInPoints: 100,
    remainingBalance: 200,
  });
  return {
    player: post(
      "/v1/players",
      { playerId: "carla", displayName: "Carla" },
      { playerId: "carla", displayName: "Carla", timeZoneId: null, createdAtUtc: inDays(now) },
    ),
    gift: post(
      "/v1/points/adjustments",
      { playerId: "carla", amount: 300, reason: "Welcome gift", idempotencyKey: "welcome-carla" },
      { transactionId: ID, amount: 300, reason: "Welcome gift", balance: 300, occurredAtUtc: inDays(now) },
    ),
    shop: get("/v1/marketplace-items?PlayerId=carla&LanguageCode=en", [
      {
        marketplaceItemKey: "coffee_on_us",
        name: "A coffee on us",
        priceInPoints: 100,
        contents: COFFEE,
        status: "Purchasable",
        isPurchasable: true,
        remainingStock: null,
        remainingPurchases: 4,
      },
      { marketplaceItemKey: "roasters_table", priceInPoints: 400, status: "NotEligible", isPurchasable: false },
    ]),
    buy,
    replay: buy,
    conflict: buying("pastry", "checkout-77", { status: 409, code: "marketplace_purchase.idempotency_key_conflict" }, 409),
    tooDear: buying(
      "breakfast_for_two",
      "checkout-78",
      { status: 409, title: "Insufficient balance", code: "points.insufficient_balance" },
      409,
    ),
    history: get("/v1/marketplace-purchases?PlayerId=carla&Take=10", [
      {
        purchaseId: ID,
        marketplaceItemKey: "coffee_on_us",
        name: "A coffee on us",
        contents: COFFEE,
        pricePaidInPoints: 100,
        idempotencyKey: "checkout-77",
        purchasedAtUtc: inDays(now),
      },
    ]),
  } satisfies Steps;
}
