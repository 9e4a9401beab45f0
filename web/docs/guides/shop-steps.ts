import { type Exchange, inDays, type Steps } from "./exchange.ts";

const ID = "0197f1c4-6f5b-7c3a-9d2e-5b1f0a7c4e21";
const COFFEE = [{ catalogItemKey: "free_coffee", value: { type: "number", value: 1 } }];

export function shopSteps(now: number) {
  const buy = {
    method: "POST",
    path: "/v1/marketplace-items/coffee_on_us/purchases",
    body: { playerId: "carla", idempotencyKey: "checkout-77" },
    status: 200,
    answer: {
      purchaseId: ID,
      marketplaceItemKey: "coffee_on_us",
      contents: COFFEE,
      occurrenceNumber: 0,
      pricePaidInPoints: 100,
      remainingBalance: 200,
    },
  } satisfies Exchange;
  return {
    player: {
      method: "POST",
      path: "/v1/players",
      body: { playerId: "carla", displayName: "Carla" },
      status: 200,
      answer: { playerId: "carla", displayName: "Carla", timeZoneId: null, createdAtUtc: inDays(now) },
    },
    gift: {
      method: "POST",
      path: "/v1/points/adjustments",
      body: { playerId: "carla", amount: 300, reason: "Welcome gift", idempotencyKey: "welcome-carla" },
      status: 200,
      answer: { transactionId: ID, amount: 300, reason: "Welcome gift", balance: 300, occurredAtUtc: inDays(now) },
    },
    shop: {
      method: "GET",
      path: "/v1/marketplace-items?PlayerId=carla&LanguageCode=en",
      status: 200,
      answer: [
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
      ],
    },
    buy,
    replay: buy,
    conflict: {
      method: "POST",
      path: "/v1/marketplace-items/pastry/purchases",
      body: { playerId: "carla", idempotencyKey: "checkout-77" },
      status: 409,
      answer: { status: 409, code: "marketplace_purchase.idempotency_key_conflict" },
    },
    tooDear: {
      method: "POST",
      path: "/v1/marketplace-items/breakfast_for_two/purchases",
      body: { playerId: "carla", idempotencyKey: "checkout-78" },
      status: 409,
      answer: { status: 409, title: "Insufficient balance", code: "points.insufficient_balance" },
    },
    history: {
      method: "GET",
      path: "/v1/marketplace-purchases?PlayerId=carla&Take=10",
      status: 200,
      answer: [
        {
          purchaseId: ID,
          marketplaceItemKey: "coffee_on_us",
          name: "A coffee on us",
          contents: COFFEE,
          pricePaidInPoints: 100,
          idempotencyKey: "checkout-77",
          purchasedAtUtc: inDays(now),
        },
      ],
    },
  } satisfies Steps;
}
