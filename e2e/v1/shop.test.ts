import { describe, expect, test } from "vitest";
import { atLeast, listing, market, mission, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const TIER = { attributes: [{ key: "tier", name: "Tier", type: "String" }] };
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const LATER = { onSale: { startsAt: "2999-01-01T00:00:00Z" } };
const keysOf = (rows: any[]): string[] => rows.map(({ marketplaceItemKey }) => marketplaceItemKey);
const [status, remaining] = [(row: any) => row.status, (row: any) => [row.remainingStock, row.remainingPurchases]];

describe("a row of the shop", () => {
  test("has every field, and its contents with their values", async () => {
    const backend = await service.sandbox(
      market(
        listing("bundle", {
          name: { default: "en", texts: { en: "Bundle", nl: "Bundel" } },
          description: "All of it",
          images: { icon: "https://example.com/b.png" },
          contents: [
            { catalogItem: "free_coffee", value: 5 },
            { catalogItem: "cup_colours", value: ["gold", 2, true] },
            { catalogItem: "voucher", value: "ten off" },
            { catalogItem: "early_entry", value: true },
            { catalogItem: "table_at", value: "2026-01-31T10:00:00+01:00" },
          ],
          stock: 500,
          limitPerPlayer: 2,
          onSale: { endsAt: "2999-01-01T00:00:00+01:00" },
        }),
      ),
    );
    expect(await backend.shop("ann", "&LanguageCode=nl-BE")).toEqual([
      {
        marketplaceItemKey: "bundle",
        name: "Bundel",
        description: "All of it",
        images: { icon: "https://example.com/b.png" },
        priceInPoints: 100,
        contents: [
          { catalogItemKey: "free_coffee", value: { type: "number", value: 5 } },
          {
            catalogItemKey: "cup_colours",
            value: {
              type: "collection",
              items: [
                { type: "string", value: "gold" },
                { type: "number", value: 2 },
                { type: "boolean", value: true },
              ],
            },
          },
          { catalogItemKey: "voucher", value: { type: "string", value: "ten off" } },
          { catalogItemKey: "early_entry", value: { type: "boolean", value: true } },
          { catalogItemKey: "table_at", value: { type: "dateTime", value: "2026-01-31T09:00:00.000Z" } },
        ],
        status: "InsufficientBalance",
        isPurchasable: false,
        occurrenceNumber: 0,
        remainingStock: 500,
        remainingPurchases: 2,
        availableUntilUtc: "2998-12-31T23:00:00.000Z",
      },
    ]);
  });

  test("has null for a missing description, stock, limit or end, and an empty object for no images", async () => {
    const backend = await service.sandbox(market(listing("plain")));
    await backend.customer("ann", 100);
    expect(await backend.shop("ann")).toEqual([
      expect.objectContaining({
        description: null,
        images: {},
        status: "Purchasable",
        isPurchasable: true,
        remainingStock: null,
        remainingPurchases: null,
        availableUntilUtc: null,
      }),
    ]);
  });

  test("has exact values, digit for digit", async () => {
    const backend = await service.sandbox(
      market(listing("wide", { contents: [{ catalogItem: "free_coffee", value: exact("12345678901234567890.12345678") }] })),
    );
    expect((await backend.get("/v1/marketplace-items?PlayerId=ann")).text).toContain('"value":12345678901234567890.12345678}');
  });
});

describe("GET /v1/marketplace-items", () => {
  test("has the listings on sale now, in the order of creation; no inactive, closed, future or collection-only ones", async () => {
    const backend = await service.sandbox(
      market(
        listing("z"),
        listing("off", { active: false }),
        listing("closed", { onSale: { endsAt: "2020-01-01T00:00:00Z" } }),
        listing("later", LATER),
        listing("hidden_away", { appearsIn: "CollectionOnly" }),
        listing("a"),
      ),
    );
    await backend.define({ marketplaceItems: [listing("m"), listing("z", { priceInPoints: 7 })] });
    expect(keysOf(await backend.shop("ann"))).toEqual(["z", "a", "m"]);
  });

  test("has a listing from the start of its sale until just before the end, on the environment's clock", async () => {
    const backend = await service.sandbox(
      market(listing("season", { onSale: { startsAt: "2100-06-01T00:00:00Z", endsAt: "2100-06-02T00:00:00Z" } })),
    );
    const seen: number[] = [];
    for (const instant of ["2100-05-31T23:59:00Z", "2100-06-01T00:00:00Z", "2100-06-01T23:59:00Z", "2100-06-02T00:00:00Z"]) {
      await backend.moveTo(instant);
      seen.push((await backend.shop("ann")).length);
    }
    expect(seen).toEqual([0, 1, 1, 0]);
  });

  test("Take cuts after filtering", async () => {
    const backend = await service.sandbox({
      ...TIER,
      ...market(
        listing("off", { active: false }),
        listing("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } }),
        listing("one"),
        listing("locked", { audience: { rule: GOLD, otherwise: "Locked" } }),
        listing("two"),
      ),
    });
    expect(keysOf(await backend.shop("ann", "&take=2"))).toEqual(["one", "locked"]);
    expect(keysOf(await backend.shop("ann", "&Take=99"))).toEqual(["one", "locked", "two"]);
    for (const take of ["0", "-1", "x", "1.5", "2147483648", ""]) {
      const { status, json } = await backend.get(`/v1/marketplace-items?PlayerId=ann&Take=${take}`);
      expect([status, json.errors[0].parameter], take).toEqual([400, "Take"]);
    }
  });

  test("of an ineligible player: a Locked listing is NotEligible, a Hidden one is left out", async () => {
    const backend = await service.sandbox({
      ...TIER,
      ...market(
        listing("locked", { audience: { rule: GOLD, otherwise: "Locked" } }),
        listing("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } }),
      ),
    });
    await backend.setAttributes("ann", { tier: "silver" });
    expect((await backend.shop("ann")).map((row) => [row.marketplaceItemKey, row.status, row.isPurchasable])).toEqual([
      ["locked", "NotEligible", false],
    ]);
    await backend.setAttributes("ann", { tier: "gold" });
    expect((await backend.shop("ann")).map((row) => [row.marketplaceItemKey, row.status])).toEqual([
      ["locked", "InsufficientBalance"],
      ["hidden", "InsufficientBalance"],
    ]);
  });

  test("judges an audience by history, balance, missions and segments, and needs no mission read for it", async () => {
    const orders = (value: number, more: object = {}) => ({ event: "order_placed", operator: "GreaterThanOrEqualTo", value, ...more });
    const rules = {
      ever: orders(2),
      lately: orders(1, { lastDays: 7 }),
      spender: orders(10, { measure: { kind: "Sum", property: "amount" } }),
      rich: { points: "Balance", operator: "GreaterThanOrEqualTo", value: 5 },
      done: { missionCompleted: "m" },
      segment: { segment: "vip" },
      nobody: { not: { any: [orders(1), { points: "Balance", operator: "GreaterThan", value: 0 }] } },
    };
    const backend = await service.sandbox({
      ...shop(mission("m", { objectives: [atLeast(2)], rewards: [{ kind: "Points", points: 5 }] })),
      segments: [{ key: "vip", name: "VIP", rule: rules.ever }],
      marketplaceItems: Object.entries(rules).map(([key, rule]) =>
        listing(key, { priceInPoints: 0, audience: { rule, otherwise: "Locked" } }),
      ),
    });
    const eligible = async (playerId: string) =>
      (await backend.shop(playerId)).filter(({ status }) => status === "Purchasable").map((row) => row.marketplaceItemKey);
    expect(await eligible("ann")).toEqual(["nobody"]);
    await backend.play({ playerId: "ann", properties: { amount: 4 } });
    expect(await eligible("ann")).toEqual(["lately"]);
    await backend.missions("ann");
    await backend.play({ playerId: "ann", properties: { amount: 6 } }, { playerId: "ann" });
    expect(await eligible("ann")).toEqual(["ever", "lately", "spender", "rich", "done", "segment"]);
    await backend.advance("P8D");
    expect(await eligible("ann")).toEqual(["ever", "spender", "rich", "done", "segment"]);
    expect(await eligible("bob")).toEqual(["nobody"]);
  });

  test("creates no player, and shows an unknown one a normal shop", async () => {
    const backend = await service.sandbox({
      ...TIER,
      ...market(listing("free", { priceInPoints: 0 }), listing("dear"), listing("gold", { audience: { rule: GOLD, otherwise: "Locked" } })),
    });
    expect((await backend.shop("nobody")).map(status)).toEqual(["Purchasable", "InsufficientBalance", "NotEligible"]);
    await backend.listing("nobody", "free");
    expect(await backend.purchases("nobody")).toEqual([]);
    expect((await backend.adjust("nobody", 1)).code).toBe("player.not_found");
  });

  test("without a player id is refused", async () => {
    const backend = await service.sandbox(market(listing("one")));
    for (const path of ["marketplace-items", "marketplace-items/one", "marketplace-collections/c", "marketplace-purchases"]) {
      expect(await backend.get(`/v1/${path}`)).toMatchObject({ status: 400, code: "player.external_id_missing" });
      expect(await backend.get(`/v1/${path}?PlayerId=${"x".repeat(201)}`)).toMatchObject({
        status: 400,
        code: "player.external_id_too_long",
      });
    }
  });
});

describe("the status", () => {
  test("is the first check that fails: audience, stock, limit, balance", async () => {
    const backend = await service.sandbox({
      ...TIER,
      ...market(listing("one", { stock: 2, limitPerPlayer: 1, audience: { rule: GOLD, otherwise: "Locked" } })),
    });
    const [both] = [async (playerId: string) => (await backend.shop(playerId))[0]];
    for (const playerId of ["ann", "bob", "cid"]) {
      await backend.customer(playerId, 100);
      await backend.setAttributes(playerId, { tier: "gold" });
    }
    expect([status(await both("ann")), remaining(await both("ann"))]).toEqual(["Purchasable", [2, 1]]);
    await backend.buy("ann", "one");
    // No points left, and the limit reached: the limit comes first.
    expect([status(await both("ann")), remaining(await both("ann"))]).toEqual(["PurchaseLimitReached", [1, 0]]);
    await backend.adjust("cid", -100);
    expect([status(await both("cid")), remaining(await both("cid"))]).toEqual(["InsufficientBalance", [1, 1]]);
    await backend.buy("bob", "one");
    for (const playerId of ["ann", "bob", "cid"]) expect(status(await both(playerId))).toBe("OutOfStock");
    expect(remaining(await both("cid"))).toEqual([0, 1]);
    await backend.setAttributes("ann", { tier: "silver" });
    expect([status(await both("ann")), remaining(await both("ann"))]).toEqual(["NotEligible", [0, 0]]);
  });

  test("of a stock or a limit lowered below the sold number shows zero left, never less", async () => {
    const backend = await service.sandbox(market(listing("one", { priceInPoints: 0, stock: 5, limitPerPlayer: 5 })));
    await backend.customer("ann");
    for (let time = 0; time < 3; time++) expect((await backend.buy("ann", "one")).status).toBe(200);
    await backend.define({ marketplaceItems: [listing("one", { priceInPoints: 0, stock: 1, limitPerPlayer: 1 })] });
    const [row] = await backend.shop("ann");
    expect([row.status, row.remainingStock, row.remainingPurchases]).toEqual(["OutOfStock", 0, 0]);
    await backend.define({ marketplaceItems: [listing("one", { priceInPoints: 0, stock: 4, limitPerPlayer: 9 })] });
    expect((await backend.shop("ann")).map(remaining)).toEqual([[1, 6]]);
    expect((await backend.buy("ann", "one")).status).toBe(200);
    expect((await backend.buy("ann", "one")).code).toBe("marketplace_item.out_of_stock");
  });

  test("of a stock that was set when something was sold already counts that", async () => {
    const backend = await service.sandbox(market(listing("one", { priceInPoints: 0 })));
    await backend.customer("ann");
    for (let time = 0; time < 3; time++) await backend.buy("ann", "one");
    await backend.define({ marketplaceItems: [listing("one", { priceInPoints: 0, stock: 4, limitPerPlayer: 10 })] });
    expect((await backend.shop("ann")).map(remaining)).toEqual([[1, 7]]);
  });
});

describe("GET /v1/marketplace-items/{key}", () => {
  test("has the row of the shop, also of collection-only listings", async () => {
    const backend = await service.sandbox(market(listing("one"), listing("secret", { appearsIn: "CollectionOnly" })));
    expect((await backend.listing("ann", "one")).json).toEqual((await backend.shop("ann"))[0]);
    expect((await backend.listing("ann", "secret")).json).toMatchObject({ marketplaceItemKey: "secret", status: "InsufficientBalance" });
  });

  test("is 404 for unknown, malformed, inactive, off-sale and hidden ones alike; a Locked one is shown", async () => {
    const backend = await service.sandbox({
      ...TIER,
      ...market(
        listing("off", { active: false }),
        listing("later", LATER),
        listing("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } }),
        listing("locked", { audience: { rule: GOLD, otherwise: "Locked" } }),
      ),
    });
    for (const key of ["none", "Off", "%20", "%00", "%FF", "a".repeat(300), "off", "later", "hidden", "__proto__"]) {
      expect(await backend.listing("ann", key), key).toMatchObject({ status: 404, code: "marketplace_item.not_found" });
    }
    expect((await backend.listing("ann", "locked")).json.status).toBe("NotEligible");
    await backend.setAttributes("ann", { tier: "gold" });
    expect((await backend.listing("ann", "hidden")).status).toBe(200);
    expect((await backend.get("/v1/marketplace-items/?PlayerId=ann")).code).toBe("route.not_found");
  });
});

describe("GET /v1/marketplace-collections/{key}", () => {
  const collection = (key: string, items: string[], more: object = {}) => ({ key, name: `Collection ${key}`, items, ...more });
  const read = async (backend: any, key: string, more = "") => backend.get(`/v1/marketplace-collections/${key}?PlayerId=ann${more}`);

  test("has all of its items in its own order, and skips those that the player cannot see now", async () => {
    const backend = await service.sandbox({
      ...TIER,
      ...market(
        listing("one"),
        listing("off", { active: false }),
        listing("later", LATER),
        listing("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } }),
        listing("locked", { audience: { rule: GOLD, otherwise: "Locked" } }),
        listing("secret", { appearsIn: "CollectionOnly" }),
      ),
      marketplaceCollections: [
        collection("all", ["secret", "later", "locked", "hidden", "off", "one"], { images: { icon: "https://example.com/c.png" } }),
      ],
    });
    const { status, json } = await read(backend, "all", "&Take=1");
    expect(status).toBe(200);
    expect({ ...json, items: keysOf(json.items) }).toEqual({
      key: "all",
      name: "Collection all",
      description: null,
      images: { icon: "https://example.com/c.png" },
      items: ["secret", "locked", "one"],
    });
    expect(json.items[2]).toEqual((await backend.listing("ann", "one")).json);
  });

  test("is 404 if unknown, malformed or inactive", async () => {
    const backend = await service.sandbox({
      ...market(listing("one")),
      marketplaceCollections: [collection("off", ["one"], { active: false }), collection("empty", [])],
    });
    for (const key of ["none", "off", "Empty", "%20", "%00", "a".repeat(300)]) {
      expect(await read(backend, key), key).toMatchObject({ status: 404, code: "marketplace_collection.not_found" });
    }
    expect((await read(backend, "empty")).json.items).toEqual([]);
  });

  test("is in the requested language", async () => {
    const name = { default: "en", texts: { en: "One", nl: "Een" } };
    const backend = await service.sandbox({
      ...market(listing("one", { name, description: name })),
      marketplaceCollections: [collection("all", ["one"], { name, description: name })],
    });
    const words = async (query: string) => {
      const { json } = await read(backend, "all", query);
      return [json.name, json.description, json.items[0].name, json.items[0].description];
    };
    expect(await words("&LanguageCode=nl-BE")).toEqual(["Een", "Een", "Een", "Een"]);
    expect(await words("&languagecode=fr")).toEqual(["One", "One", "One", "One"]);
    expect(await words("&LanguageCode=")).toEqual(["One", "One", "One", "One"]);
  });
});

test("Sandbox and Live share no listing, and no purchase", async () => {
  const { sandbox, live } = await service.customer();
  await sandbox.define(market(listing("one", { priceInPoints: 0 })));
  await live.define(market(listing("two", { priceInPoints: 0 })));
  for (const backend of [sandbox, live]) await backend.customer("ann");
  await sandbox.buy("ann", "one");
  expect([keysOf(await sandbox.shop("ann")), keysOf(await live.shop("ann"))]).toEqual([["one"], ["two"]]);
  expect([(await sandbox.purchases("ann")).length, (await live.purchases("ann")).length]).toEqual([1, 0]);
});
