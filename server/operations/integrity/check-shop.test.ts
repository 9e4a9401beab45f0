import { beforeEach, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { checkIntegrity } from "./check.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;
let environment: Environment;
let kept: string;
let reversed: string;

const buy = async (externalId: string): Promise<string> =>
  (await purchase(database, environment, Date.now(), { externalId, listingKey: "voucher", idempotencyKey: "k" })).purchaseId;

/** Two players bought the one listing; one of the purchases was reversed. */
beforeEach(async () => {
  environment = (await testProject(database)).sandbox;
  const contents = [{ catalogItem: "coffee", value: 2 }];
  await importDefinitions(database, environment, {
    version: 1,
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 5, contents, stock: 2, limitPerPlayer: 1 }],
  });
  for (const externalId of ["ann", "bob"]) {
    await savePlayer(database, environment, Date.now(), externalId, {});
    await adjustPoints(database, environment, Date.now(), { externalId, amount: 10, reason: "test", idempotencyKey: null });
  }
  [kept, reversed] = [await buy("ann"), await buy("bob")];
  await reversePurchase(database, environment, reversed, "test");
});

test("nothing is broken after purchases and reversals, nor by lowering stock and limit later", async () => {
  expect(await checkIntegrity(database, environment)).toEqual([]);
  const listing = { key: "voucher", name: "Voucher", priceInPoints: 5, contents: [{ catalogItem: "coffee", value: 1 }], stock: 0 };
  expect(await importDefinitions(database, environment, { version: 1, marketplaceItems: [listing] })).not.toHaveProperty("problems");
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

/** Changes made directly to the tables, and the integrity check's lines about them. */
const TAMPERING: [what: string, statement: (id: number) => string, line: () => string][] = [
  [
    "a sold unit without a purchase",
    (id) => `update marketplace_rounds set sold = 2 where environment_id = ${id}`,
    () => "listing voucher: 2 units sold of 2, but there are 1 purchases that were not reversed",
  ],
  [
    "a round that is gone",
    (id) => `delete from marketplace_rounds where environment_id = ${id}`,
    () => "listing voucher: 0 units sold of any number, but there are 1 purchases that were not reversed",
  ],
  [
    "a purchase over the limit",
    (id) => `update marketplace_purchases set limit_per_player = 0 where environment_id = ${id} and reversed_at is null`,
    () => 'player "ann": 1 of listing voucher, over the limit of 0',
  ],
  [
    "a purchase that was paid with another price",
    (id) => `update marketplace_purchases set price = 4 where environment_id = ${id} and reversed_at is null`,
    () => `purchase ${kept}: the ledger's Spend of 4 points is not as it should be`,
  ],
  [
    "a purchase with another key",
    (id) => `update marketplace_purchases set idempotency_key = 'x' where environment_id = ${id} and reversed_at is null`,
    () => `purchase ${kept}: the ledger's Spend of 5 points is not as it should be`,
  ],
  [
    "a refund of what was not taken back",
    (id) =>
      `update marketplace_purchases set reversed_at = null where environment_id = ${id}; update marketplace_rounds set sold = 2 where environment_id = ${id}`,
    () => `purchase ${reversed}: the ledger's Refund of 5 points is not as it should be`,
  ],
  [
    "an item that is not owed",
    (id) => `delete from owed_items where environment_id = ${id} and source_id = '${kept}'`,
    () => `purchase ${kept}: its item 0 is not owed`,
  ],
];

/** Without the sums of purchases, which then differ as well. */
const checkShop = async () => (await checkIntegrity(database, environment)).filter((line) => !line.startsWith("analytics, "));

test.each(TAMPERING)("%s is found", async (_, statement, line) => {
  await sql.unsafe(statement(environment.id));
  expect(await checkShop()).toEqual([line()]);
});

test("points spent or items owed without a purchase are found", async () => {
  await sql`delete from marketplace_purchases where environment_id = ${environment.id} and id = ${reversed}`;
  const found = await checkShop();
  expect(found.filter((line) => line.endsWith("there is no such purchase")).length).toBe(2);
  expect(found).toContain(`item 0 of purchase ${reversed} is owed, but not by what was bought`);
  expect(found).toHaveLength(3);
});

test("the database itself refuses to oversell", async () => {
  await expect(sql`update marketplace_rounds set sold = 3 where environment_id = ${environment.id}`).rejects.toThrow("sold_within_stock");
  await expect(sql`update marketplace_rounds set sold = -1 where environment_id = ${environment.id}`).rejects.toThrow("sold_within_stock");
});
