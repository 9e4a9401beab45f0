import { describe, expect, test } from "vitest";
import { reversePurchase } from "../../server/game/marketplace/service/reversal.ts";
import { startReceiver } from "../../server/delivery/testing.ts";
import type { Backend } from "../backend.ts";
import { listing, market, mission, points, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIER = { attributes: [{ key: "tier", name: "Tier", type: "String" }] };
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const reverse = (backend: Backend, purchaseId: string, reason = "by mistake") =>
  reversePurchase(service.database, backend.environment, purchaseId, reason);
const owed = (backend: Backend) => service.database.sql`
  select o.source_type, o.source_id, o.ordinal, o.catalog_item_key as key, o.value_type as type, o.value
  from owed_items o where environment_id = ${backend.environment.id} order by source_id, ordinal`;

/** A shop with one listing, `one`, and a customer, ann, with a thousand points. */
async function shopWith(more: object = {}, file: object = {}): Promise<Backend> {
  const backend = await service.sandbox({ ...market(listing("one", more), listing("other")), ...file });
  await backend.customer("ann", 1_000);
  return backend;
}

describe("a purchase", () => {
  test("spends the price, answers with its items, and is in ledger and history", async () => {
    const backend = await shopWith({
      name: { default: "en", texts: { en: "One", nl: "Een" } },
      contents: [
        { catalogItem: "free_coffee", value: 5 },
        { catalogItem: "cup_colours", value: ["gold"] },
      ],
    });
    const { status, json } = await backend.buy("ann", "one", { idempotencyKey: "k" });
    const contents = [
      { catalogItemKey: "free_coffee", value: { type: "number", value: 5 } },
      { catalogItemKey: "cup_colours", value: { type: "collection", items: [{ type: "string", value: "gold" }] } },
    ];
    expect([status, json]).toEqual([
      200,
      {
        purchaseId: expect.stringMatching(UUID),
        marketplaceItemKey: "one",
        contents,
        occurrenceNumber: 0,
        pricePaidInPoints: 100,
        remainingBalance: 900,
      },
    ]);
    expect(await backend.points("ann")).toEqual({ balance: 900, totalGranted: 0, totalSpent: 100 });
    const [spend] = await backend.transactions("ann", "&Take=1");
    expect(spend).toEqual({
      id: expect.stringMatching(UUID),
      type: "Spend",
      amount: -100,
      reason: null,
      sourceType: "MarketplacePurchase",
      sourceId: json.purchaseId,
      occurredAtUtc: expect.any(String),
    });
    expect(await backend.purchases("ann", "&LanguageCode=nl")).toEqual([
      {
        purchaseId: json.purchaseId,
        marketplaceItemKey: "one",
        name: "Een",
        contents,
        pricePaidInPoints: 100,
        idempotencyKey: "k",
        purchasedAtUtc: spend.occurredAtUtc,
      },
    ]);
  });

  test("of a free item is in the ledger too, with an amount of 0", async () => {
    const backend = await shopWith({ priceInPoints: 0 });
    await backend.customer("bob");
    const { json } = await backend.buy("bob", "one");
    expect(json).toMatchObject({ pricePaidInPoints: 0, remainingBalance: 0 });
    expect(await backend.transactions("bob")).toMatchObject([{ type: "Spend", amount: 0, sourceId: json.purchaseId }]);
    expect(await backend.points("bob")).toEqual({ balance: 0, totalGranted: 0, totalSpent: 0 });
  });

  test("for the largest possible balance", async () => {
    const backend = await shopWith({ priceInPoints: Number.MAX_SAFE_INTEGER });
    await backend.customer("rich", Number.MAX_SAFE_INTEGER);
    expect((await backend.buy("rich", "one")).json).toMatchObject({ pricePaidInPoints: Number.MAX_SAFE_INTEGER, remainingBalance: 0 });
  });

  test("spends points from missions", async () => {
    const backend = await service.sandbox({ ...shop(mission("m", { rewards: [points(100)] })), marketplaceItems: [listing("one")] });
    await backend.missions("ann");
    expect((await backend.buy("ann", "one")).code).toBe("points.insufficient_balance");
    await backend.play({ playerId: "ann" });
    expect((await backend.buy("ann", "one")).json.remainingBalance).toBe(0);
    expect(await backend.points("ann")).toEqual({ balance: 0, totalGranted: 100, totalSpent: 100 });
  });

  test("owes every entry of its contents, also without an endpoint, and grants no points", async () => {
    const backend = await shopWith({
      contents: [
        { catalogItem: "free_coffee", value: exact("12345678901234567890.12345678") },
        { catalogItem: "free_coffee", value: 1 },
        { catalogItem: "table_at", value: "2026-01-31T10:00:00+01:00" },
      ],
    });
    const { text, json } = await backend.buy("ann", "one");
    expect(text).toContain('"value":12345678901234567890.12345678}');
    const base = { sourceType: "MarketplacePurchase", sourceId: json.purchaseId };
    expect(JSON.parse(JSON.stringify(await owed(backend)))).toMatchObject([
      { ...base, ordinal: 0, key: "free_coffee", type: "Number" },
      { ...base, ordinal: 1, key: "free_coffee", type: "Number", value: 1 },
      { ...base, ordinal: 2, key: "table_at", type: "DateTime", value: "2026-01-31T09:00:00.000Z" },
    ]);
  });

  test("sends one webhook for each entry of its contents, with unchanged values", async () => {
    const receiver = await startReceiver();
    const backend = await shopWith({
      contents: [
        { catalogItem: "free_coffee", value: exact("12345678901234567890.5") },
        { catalogItem: "cup_colours", value: ["red", 2] },
      ],
    });
    await backend.subscribe(receiver.url);
    const { json } = await backend.buy("ann", "one", { idempotencyKey: "k" });
    await backend.buy("ann", "one", { idempotencyKey: "k" });
    await backend.delivered();
    expect(receiver.received.flatMap((one) => service.conformance.ofWebhook(one))).toEqual([]);
    const bodies = receiver.received.map(({ body }) => body).sort();
    expect(bodies.map((body) => JSON.parse(body).event)).toEqual(Array(2).fill("catalog_item.fulfillment_requested"));
    const data = bodies.map((body) => JSON.parse(body).data).sort((a, b) => (a.catalogItemKey < b.catalogItemKey ? -1 : 1));
    const base = { playerExternalId: "ann", sourceType: "MarketplacePurchase", sourceId: json.purchaseId };
    expect(data[0]).toEqual({ ...base, catalogItemKey: "cup_colours", valueType: "Collection", value: ["red", 2] });
    expect(bodies.join()).toContain('"valueType":"Number","value":12345678901234567890.5,');
    await receiver.close();
  });
});

describe("is checked in this order, and the first failure is reported:", () => {
  const attempt = async (backend: Backend, playerId: string, key: string, more?: object) => {
    const before = await backend.points(playerId);
    const { status, code, json } = await backend.buy(playerId, key, more);
    expect(await backend.points(playerId)).toEqual(before);
    return [status, code, json.errors[0].parameter ?? json.errors[0].pointer];
  };

  test("the shape of the request, with all problems", async () => {
    const backend = await shopWith();
    const wrong = await backend.buy("", "a".repeat(101), { idempotencyKey: "😀".repeat(201) });
    expect([wrong.status, wrong.json.errors.map(({ code, parameter, pointer }: any) => [code, parameter ?? pointer])]).toEqual([
      400,
      [
        ["marketplace_purchase.marketplace_item_key_too_long", "marketplaceItemKey"],
        ["player.external_id_missing", "#/playerId"],
        ["marketplace_purchase.idempotency_key_too_long", "#/idempotencyKey"],
      ],
    ]);
    const MISSING = [400, "marketplace_purchase.marketplace_item_key_missing", "marketplaceItemKey"];
    for (const key of ["", "%20", "%20%09"]) expect(await attempt(backend, "ann", key)).toEqual(MISSING);
    expect(await attempt(backend, "ann", "%F0%9F%98%80".repeat(100))).toEqual([404, "marketplace_item.not_found", "marketplaceItemKey"]);
    for (const body of [{}, { playerId: null }, { playerId: " " }]) {
      expect((await backend.post("/v1/marketplace-items/one/purchases", body)).code).toBe("player.external_id_missing");
    }
    expect((await backend.buy("x".repeat(201), "one")).code).toBe("player.external_id_too_long");
    for (const idempotencyKey of [5, {}, ["k"]]) expect((await backend.buy("ann", "one", { idempotencyKey })).code).toBe("request.invalid");
    expect((await backend.buy("ann", "one", { idempotencyKey: "😀".repeat(200) })).status).toBe(200);
  });

  test("the player, who must exist", async () => {
    const backend = await shopWith({ priceInPoints: 0 });
    for (const key of ["one", "none", "MALFORMED", "%00"])
      expect(await attempt(backend, "bob", key)).toEqual([404, "player.not_found", "#/playerId"]);
    expect((await backend.adjust("bob", 1)).code).toBe("player.not_found");
  });

  test("the item: existing, active, on sale", async () => {
    const backend = await shopWith(
      {},
      market(
        listing("off", { active: false, onSale: { endsAt: "2020-01-01T00:00:00Z" } }),
        listing("over", { stock: 0, onSale: { endsAt: "2020-01-01T00:00:00Z" } }),
        listing("later", { onSale: { startsAt: "2999-01-01T00:00:00Z" } }),
      ),
    );
    for (const key of ["none", "Off", "%00", "%FF", "a%2Fb", "__proto__"])
      expect(await attempt(backend, "ann", key), key).toEqual([404, "marketplace_item.not_found", "marketplaceItemKey"]);
    expect(await attempt(backend, "ann", "off")).toEqual([409, "marketplace_item.inactive", "marketplaceItemKey"]);
    for (const key of ["over", "later"])
      expect(await attempt(backend, "ann", key)).toEqual([409, "marketplace_item.not_available", "marketplaceItemKey"]);
  });

  test("the audience, Hidden or Locked", async () => {
    const rule = { audience: { rule: GOLD, otherwise: "Locked" }, stock: 0 };
    const backend = await shopWith(rule, {
      ...TIER,
      ...market(listing("one", rule), listing("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } })),
    });
    for (const key of ["one", "hidden"])
      expect(await attempt(backend, "ann", key)).toEqual([403, "marketplace_item.not_eligible", "marketplaceItemKey"]);
    expect(await attempt(backend, "bob", "one")).toEqual([404, "player.not_found", "#/playerId"]);
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await attempt(backend, "ann", "one")).toEqual([409, "marketplace_item.out_of_stock", "marketplaceItemKey"]);
    expect((await backend.buy("ann", "hidden")).status).toBe(200);
  });

  test("stock, limit, balance", async () => {
    const backend = await shopWith({ stock: 2, limitPerPlayer: 1, priceInPoints: 600 });
    await backend.customer("bob", 599);
    await backend.customer("cid", 600);
    expect((await backend.buy("ann", "one")).json.remainingBalance).toBe(400);
    // The limit comes before the balance.
    expect(await attempt(backend, "ann", "one")).toEqual([409, "marketplace_item.purchase_limit_reached", "marketplaceItemKey"]);
    expect((await attempt(backend, "bob", "one")).slice(0, 2)).toEqual([409, "points.insufficient_balance"]);
    expect((await backend.buy("cid", "one")).status).toBe(200);
    // And the stock before both.
    for (const playerId of ["ann", "bob", "cid"])
      expect((await attempt(backend, playerId, "one"))[1]).toBe("marketplace_item.out_of_stock");
  });

  test("a longer or shorter path is another one", async () => {
    const backend = await shopWith();
    for (const path of ["one/purchases/", "one//purchases", "purchases", "one/Purchases", "one%2Fpurchases"])
      expect((await backend.post(`/v1/marketplace-items/${path}`, { playerId: "ann" })).code, path).toBe("route.not_found");
    expect((await backend.get("/v1/marketplace-items/one/purchases")).code).toBe("route.not_found");
  });
});

describe("an idempotency key", () => {
  test("replays the purchase with the current balance, and charges once", async () => {
    const backend = await shopWith();
    const first = await backend.buy("ann", "one", { idempotencyKey: "k" });
    await backend.adjust("ann", 5);
    const again = await backend.buy("ann", "one", { idempotencyKey: "k" });
    expect([again.status, again.json]).toEqual([200, { ...first.json, remainingBalance: 905 }]);
    expect(await backend.purchases("ann")).toHaveLength(1);
  });

  test("replays it after any change of the item and the player", async () => {
    const backend = await shopWith({ limitPerPlayer: 1, stock: 1 }, TIER);
    const { json } = await backend.buy("ann", "one", { idempotencyKey: "k" });
    const replay = async () => (await backend.buy("ann", "one", { idempotencyKey: "k" })).json;
    await backend.adjust("ann", -900);
    const original = { ...json, remainingBalance: 0 };
    for (const more of [
      { priceInPoints: 7, contents: [{ catalogItem: "voucher", value: "x" }], name: "New" },
      { audience: { rule: GOLD, otherwise: "Hidden" } },
      { onSale: { endsAt: "2020-01-01T00:00:00Z" } },
      { active: false },
    ]) {
      await backend.define({ marketplaceItems: [listing("one", { limitPerPlayer: 1, stock: 1, ...more })] });
      expect(await replay()).toEqual(original);
    }
    await reverse(backend, json.purchaseId);
    expect(await replay()).toEqual({ ...original, remainingBalance: 100 });
    expect(await backend.purchases("ann")).toHaveLength(1);
  });

  test("of another item, known or not, is a conflict", async () => {
    const backend = await shopWith();
    await backend.buy("ann", "one", { idempotencyKey: "k" });
    for (const key of ["other", "none", "MALFORMED", "%00"])
      expect(await backend.buy("ann", key, { idempotencyKey: "k" }), key).toMatchObject({
        status: 409,
        code: "marketplace_purchase.idempotency_key_conflict",
        json: { errors: [{ pointer: "#/idempotencyKey" }] },
      });
    expect((await backend.points("ann")).balance).toBe(900);
  });

  test("are shared with those of adjustments", async () => {
    const backend = await shopWith();
    await backend.adjust("ann", -100, { idempotencyKey: "adjusted" });
    expect((await backend.buy("ann", "one", { idempotencyKey: "adjusted" })).code).toBe("marketplace_purchase.idempotency_key_conflict");
    await backend.buy("ann", "one", { idempotencyKey: "bought" });
    expect((await backend.adjust("ann", -100, { idempotencyKey: "bought" })).code).toBe("points_adjustment.idempotency_key_conflict");
    expect((await backend.points("ann")).balance).toBe(800);
  });

  test("belongs to one player; a blank one counts as none; a header is not one", async () => {
    const backend = await shopWith();
    await backend.customer("bob", 100);
    for (const playerId of ["ann", "bob"]) expect((await backend.buy(playerId, "one", { idempotencyKey: "k" })).status).toBe(200);
    for (const idempotencyKey of ["", "  ", null, undefined]) await backend.buy("ann", "one", { idempotencyKey });
    const headers = { "idempotency-key": "h" };
    for (let time = 0; time < 2; time++)
      await backend.call("POST", "/v1/marketplace-items/one/purchases", { body: { playerId: "ann" }, headers });
    expect((await backend.points("ann")).balance).toBe(300);
    expect((await backend.purchases("ann")).filter(({ idempotencyKey }) => idempotencyKey === null)).toHaveLength(6);
  });

  test("is not used up by an attempt that failed", async () => {
    const backend = await shopWith({ priceInPoints: 1_001 });
    expect((await backend.buy("ann", "one", { idempotencyKey: "k" })).code).toBe("points.insufficient_balance");
    expect((await backend.buy("ann", "none", { idempotencyKey: "k" })).code).toBe("marketplace_item.not_found");
    await backend.adjust("ann", 1);
    expect((await backend.buy("ann", "one", { idempotencyKey: "k" })).json.remainingBalance).toBe(0);
  });
});

describe("GET /v1/marketplace-purchases", () => {
  test("is newest first, at most Take of them, and empty for unknown players", async () => {
    const backend = await shopWith();
    const ids: string[] = [];
    for (const key of ["one", "other", "one"]) ids.unshift((await backend.buy("ann", key)).json.purchaseId);
    const listed = async (more?: string) => (await backend.purchases("ann", more)).map(({ purchaseId }) => purchaseId);
    expect(await listed()).toEqual(ids);
    expect(await listed("&take=2")).toEqual(ids.slice(0, 2));
    expect(await listed("&Take=2147483647")).toEqual(ids);
    for (const take of ["0", "-1", "x", "2147483648", ""])
      expect((await backend.get(`/v1/marketplace-purchases?PlayerId=ann&Take=${take}`)).code, take).toBe("request.invalid");
    expect(await backend.purchases("bob")).toEqual([]);
  });

  test("shows a purchase as made, after any edit or switch", async () => {
    const backend = await shopWith({ name: { default: "en", texts: { en: "Old", nl: "Oud" } } });
    await backend.buy("ann", "one");
    const before = await backend.purchases("ann");
    await backend.define({
      marketplaceItems: [
        listing("one", { name: "New", priceInPoints: 5, contents: [{ catalogItem: "voucher", value: "x" }], active: false }),
      ],
    });
    expect(await backend.purchases("ann")).toEqual(before);
    const names = async (query: string) => (await backend.purchases("ann", query)).map(({ name }) => name);
    expect([await names(""), await names("&LanguageCode=nl-BE"), await names("&LanguageCode=fr")]).toEqual([["Old"], ["Oud"], ["Old"]]);
    await backend.define({ marketplaceItems: [listing("one", { priceInPoints: 5, active: true })] });
    expect((await backend.buy("ann", "one")).json.pricePaidInPoints).toBe(5);
    expect((await backend.purchases("ann")).map(({ pricePaidInPoints }) => pricePaidInPoints)).toEqual([5, 100]);
  });
});

describe("a reversal", () => {
  test("refunds the price paid, returns the unit, frees the allowance, and leaves delivered items", async () => {
    const backend = await shopWith({ stock: 1, limitPerPlayer: 1 });
    const { json } = await backend.buy("ann", "one", { idempotencyKey: "k" });
    await backend.define({ marketplaceItems: [listing("one", { stock: 1, limitPerPlayer: 1, priceInPoints: 7 })] });
    expect((await backend.shop("ann"))[0]).toMatchObject({ status: "OutOfStock", remainingStock: 0, remainingPurchases: 0 });
    await reverse(backend, json.purchaseId, "  Wrong size ");
    expect((await backend.shop("ann"))[0]).toMatchObject({ status: "Purchasable", remainingStock: 1, remainingPurchases: 1 });
    expect(await backend.points("ann")).toEqual({ balance: 1_000, totalGranted: 0, totalSpent: 0 });
    const source = { sourceType: "MarketplacePurchase", sourceId: json.purchaseId };
    expect((await backend.transactions("ann")).slice(0, 2)).toMatchObject([
      { type: "Refund", amount: 100, reason: "Wrong size", ...source },
      { type: "Spend", amount: -100, reason: null, ...source },
    ]);
    expect(await backend.purchases("ann")).toMatchObject([{ purchaseId: json.purchaseId, pricePaidInPoints: 100 }]);
    expect(await owed(backend)).toHaveLength(1);
    expect((await backend.buy("ann", "one")).json).toMatchObject({ pricePaidInPoints: 7, remainingBalance: 993 });
  });

  test("succeeds once, for any number of concurrent attempts", async () => {
    const backend = await shopWith();
    const { json } = await backend.buy("ann", "one");
    const [id] = [json.purchaseId.toUpperCase()];
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => reverse(backend, id)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(reverse(backend, json.purchaseId)).rejects.toThrow("was reversed before");
    expect((await backend.points("ann")).balance).toBe(1_000);
  });

  test("of an unknown purchase, one of another environment, or without a reason is refused in plain words", async () => {
    const backend = await shopWith();
    const elsewhere = await shopWith();
    const { json } = await elsewhere.buy("ann", "one");
    for (const id of ["x", "00000000-0000-7000-8000-000000000000", json.purchaseId])
      await expect(reverse(backend, id)).rejects.toThrow(`This environment has no purchase ${id}.`);
    for (const reason of ["", "  ", "x".repeat(501)])
      await expect(reverse(elsewhere, json.purchaseId, reason)).rejects.toThrow("Give a reason");
    expect((await elsewhere.points("ann")).balance).toBe(900);
  });

  test("that would exceed the balance's limit is refused", async () => {
    const backend = await shopWith();
    const { json } = await backend.buy("ann", "one");
    await backend.adjust("ann", Number.MAX_SAFE_INTEGER - 900);
    await expect(reverse(backend, json.purchaseId)).rejects.toThrow("cannot be reversed");
    await backend.adjust("ann", -100);
    await reverse(backend, json.purchaseId);
    expect((await backend.points("ann")).balance).toBe(Number.MAX_SAFE_INTEGER);
  });
});
