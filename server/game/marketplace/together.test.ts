import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { withTraceScope } from "#db/trace-scope.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { roundAt } from "../../model/marketplace/eligibility.ts";
import { saleOf } from "../../model/marketplace/sale.ts";
import { playerKey } from "../../model/players/identity.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { savePlayer } from "../players/service/players.ts";
import { adjustPoints } from "../points/service.ts";
import { purchase } from "./service/shop.ts";
import { type SaleAttempt, buyer } from "./store/sales.ts";

const database = await testDatabase();
const { sql } = database;
const NOW = Date.parse("2026-03-02T12:00:00Z");
const names = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);

/** A shop with one listing for 30 points, and players with their points. */
async function shopWith(listing: object, balances: Record<string, number>) {
  const project = await testProject(database);
  const define = (more: object) =>
    importDefinitions(database, project.sandbox, {
      version: 1,
      catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
      marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 30, contents: [{ catalogItem: "coffee", value: 1 }], ...more }],
    });
  await define(listing);
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  for (const [externalId, amount] of Object.entries(balances)) {
    await savePlayer(database, sandbox, NOW, externalId, {});
    if (amount > 0) await adjustPoints(database, sandbox, NOW, { externalId, amount, reason: "gift", idempotencyKey: null });
  }
  let statements = 0;
  const counted = new Proxy(sql, {
    apply(target, self, asked: [TemplateStringsArray, ...never[]]) {
      if (asked[0].join("").includes("from marketplace_buy")) statements += 1;
      return Reflect.apply(target, self, asked) as unknown;
    },
  });
  const buy = async (externalId: string, idempotencyKey: string | null = null) => {
    try {
      return await purchase({ ...database, sql: counted }, sandbox, NOW, { externalId, listingKey: "voucher", idempotencyKey });
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const written = async () => {
    const [row] = await sql<Record<"purchases" | "owed" | "sold" | "paid", number>[]>`
      select (select count(*)::int from marketplace_purchases where environment_id = ${sandbox.id}) as purchases,
        (select count(*)::int from owed_items where environment_id = ${sandbox.id}) as owed,
        (select coalesce(sum(sold), 0)::int from marketplace_rounds where environment_id = ${sandbox.id}) as sold,
        (select coalesce(-sum(amount), 0)::int from points_transactions where environment_id = ${sandbox.id} and type = 'Spend') as paid`;
    return { ...row!, statements };
  };
  return { sandbox, buy, define, written };
}

test("buyers who arrive together share statements; each has their own purchase or refusal, and the earlier get the last units", async () => {
  const buyers = names(30);
  const balances = Object.fromEntries(buyers.map((name, at) => [name, at === 3 ? 0 : 29 + at]));
  const { buy, written } = await shopWith({ stock: 20, limitPerPlayer: 1 }, balances);
  expect(await buy("p4")).toMatchObject({ price: 30, balance: 3 });
  const answers = await Promise.all([...buyers, "nobody"].map((name) => buy(name)));
  const expected = buyers.map((_, at) => {
    if (at === 0 || at === 3) return "points.insufficient_balance";
    if (at === 4) return "marketplace_item.purchase_limit_reached";
    return at < 22 ? expect.objectContaining({ price: 30, balance: at - 1 }) : "marketplace_item.out_of_stock";
  });
  expect(answers).toEqual([...expected, "player.not_found"]);
  const books = await written();
  expect(books).toMatchObject({ purchases: 20, owed: 20, sold: 20, paid: 600 });
  expect(books.statements).toBeLessThan(5);
});

test("a single purchase starts immediately, and a locked balance delays later purchases only briefly", async () => {
  const { sandbox, buy, written } = await shopWith({}, { ann: 90, bob: 90 });
  expect(await buy("bob")).toMatchObject({ balance: 60 });
  expect(await buy("bob")).toMatchObject({ balance: 30 });
  expect(await written()).toMatchObject({ purchases: 2, statements: 2 });
  const { part, playerId } = playerKey(sandbox.id, "ann");
  const waiting = await sql.begin(async (tx) => {
    await tx`select from balances where part = ${part} and player_id = ${playerId} for update`;
    const ann = buy("ann");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await buy("bob")).toMatchObject({ balance: 0 });
    return { ann };
  });
  expect(await waiting.ann).toMatchObject({ balance: 60 });
});

test("two concurrent purchases of one player with points for one: one pays, the other is refused", async () => {
  const { buy, written } = await shopWith({}, { ann: 59, bob: 60 });
  const [, first, second, third] = await Promise.all([buy("bob"), buy("ann"), buy("ann"), buy("bob")]);
  expect(first).toMatchObject({ balance: 29 });
  expect(second).toBe("points.insufficient_balance");
  expect(third).toMatchObject({ balance: 0 });
  expect(await written()).toMatchObject({ purchases: 3, statements: 1, paid: 90 });
});

test("one key several times concurrently: one charge, and the same answer", async () => {
  const { buy, written } = await shopWith({ stock: 2, limitPerPlayer: 1 }, { ann: 40, bob: 40 });
  const [bob, ...anns] = await Promise.all([buy("bob", "k"), buy("ann", "k"), buy("ann", "k"), buy("ann", "k")]);
  expect(anns[0]).toMatchObject({ balance: 10, price: 30 });
  const stripped = anns.map((one) => ({ ...(one as object), isTold: false }));
  expect(new Set(stripped.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(bob).not.toMatchObject({ purchaseId: (anns[0] as { purchaseId: string }).purchaseId });
  expect(await written()).toMatchObject({ purchases: 2, statements: 1, sold: 2, paid: 60 });
});

test("a limit counts purchases of the same statement, and a key that the ledger has for something else is refused there", async () => {
  const { sandbox, buy, written } = await shopWith({ limitPerPlayer: 1 }, { ann: 90, bob: 60 });
  await adjustPoints(database, sandbox, NOW, { externalId: "bob", amount: 30, reason: "gift", idempotencyKey: "k" });
  const answers = await Promise.all([buy("bob", "k"), buy("ann"), buy("ann"), buy("bob")]);
  expect(answers).toEqual([
    "marketplace_purchase.idempotency_key_conflict",
    expect.objectContaining({ balance: 60 }),
    "marketplace_item.purchase_limit_reached",
    expect.objectContaining({ balance: 60 }),
  ]);
  expect(await written()).toMatchObject({ purchases: 2, statements: 1, sold: 2, paid: 60 });
});

test("each purchase's delivery carries the trace of its own request", async () => {
  const { sandbox, buy, written } = await shopWith({}, { ann: 40, bob: 40, cid: 40 });
  const endpoint = { url: "http://127.0.0.1:9/hooks", events: ["catalog_item.fulfillment_requested"] };
  await createEndpoint(database, sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  const traceOf = (name: string) => `00-${playerKey(sandbox.id, name).playerId.replaceAll("-", "")}-b7ad6b7169203331-01`;
  const traced = ["ann", "bob"].map((name) => withTraceScope({ traceparentOf: () => traceOf(name) }, () => buy(name)));
  await Promise.all([...traced, buy("cid")]);
  expect(await written()).toMatchObject({ purchases: 3, statements: 1 });
  const deliveries = await sql<{ name: string; traceparent: string | null }[]>`
    select data ->> 'playerExternalId' as name, traceparent from webhook_deliveries where environment_id = ${sandbox.id} order by name`;
  expect(deliveries.map(({ name, traceparent }) => [name, traceparent])).toEqual([
    ["ann", traceOf("ann")],
    ["bob", traceOf("bob")],
    ["cid", null],
  ]);
});

test("players without a balance yet get one, however often they are among the buyers", async () => {
  const { buy, written } = await shopWith({ priceInPoints: 0 }, { ann: 0, bob: 0 });
  const answers = await Promise.all([buy("ann"), buy("bob"), buy("ann"), buy("nobody")]);
  expect(answers).toEqual([...Array(3).fill(expect.objectContaining({ balance: 0 })), "player.not_found"]);
  expect(await written()).toMatchObject({ purchases: 3, statements: 1 });
});

test("definitions that change before the commit apply to all purchases that share it", async () => {
  const { buy, define, written } = await shopWith({}, { ann: 40, bob: 40, cid: 40 });
  await define({ priceInPoints: 35 });
  const answers = await Promise.all(["ann", "bob", "cid"].map((name) => buy(name)));
  expect(answers).toEqual(Array(3).fill(expect.objectContaining({ price: 35, balance: 5 })));
  expect(await written()).toMatchObject({ purchases: 3, paid: 105 });
});

/** Attempts as the service makes them, so that a test can spoil one. */
async function attemptsIn(sandbox: Awaited<ReturnType<typeof shopWith>>["sandbox"]): Promise<(externalId: string) => SaleAttempt> {
  const { id: environmentId, definitionsVersion, clockOffsetMs } = sandbox;
  const definitions = await definitionsOf(sql, sandbox);
  const listing = definitions.listingsByKey.get("voucher")!;
  return (externalId) => {
    const { part, playerId } = playerKey(environmentId, externalId);
    const sale = saleOf(crypto.randomUUID(), listing, roundAt(listing, NOW, "UTC"), { playerId, externalId }, NOW);
    const checked = { environmentId, definitionsVersion, clockOffsetMs, listingKey: "voucher", idempotencyKey: null, refusal: null };
    return { ...checked, part, playerId, sale };
  };
}

test("a purchase that cannot be written fails alone, not those that share its statement", async () => {
  const { sandbox, written } = await shopWith({}, { ann: 90, bob: 90, cid: 90 });
  const attempt = await attemptsIn(sandbox);
  const spoilt = attempt("bob");
  spoilt.sale!.items[0]!.id = "none";
  const answers = await Promise.allSettled([attempt("ann"), spoilt, attempt("cid")].map(buyer(sql)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await written()).toMatchObject({ purchases: 2, owed: 2, sold: 2, paid: 60 });
});

test("nothing is bought again after the answer to a shared statement was lost", async () => {
  const { sandbox, written } = await shopWith({}, { ann: 90, bob: 90 });
  const attempt = await attemptsIn(sandbox);
  let statements = 0;
  const losing = new Proxy(sql, {
    apply(target, self, asked: [TemplateStringsArray, ...never[]]) {
      const query = Reflect.apply(target, self, asked) as Promise<unknown>;
      if (!asked[0].join("").includes("from marketplace_buy")) return query;
      statements += 1;
      const lost = query.then(() => {
        throw Object.assign(new Error("The connection is gone."), { code: "CONNECTION_CLOSED" });
      });
      return Object.assign(lost, { execute: () => lost });
    },
  });
  const answers = await Promise.allSettled([attempt("ann"), attempt("bob")].map(buyer(losing)));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(statements).toBe(1);
  expect(await written()).toMatchObject({ purchases: 2, paid: 60 });
});

test("shared statements for the same players in opposite orders do not deadlock, and each unit has its price", async () => {
  const buyers = names(12);
  const { sandbox, written } = await shopWith({ priceInPoints: 1 }, Object.fromEntries(buyers.map((name) => [name, 30])));
  const attempt = await attemptsIn(sandbox);
  const [deadlocks] = await sql<{ deadlocks: number }[]>`select deadlocks from pg_stat_database where datname = current_database()`;
  // Each batches its attempts separately, as processes do.
  const processes = [0, 1, 2].map(() => buyer(new Proxy(sql, {})));
  for (let turn = 0; turn < 10; turn++) {
    const orders = processes.flatMap((buy, at) => (at % 2 === 0 ? buyers : buyers.toReversed()).map((name) => () => buy(attempt(name))));
    await Promise.all(orders.map((order) => order()));
  }
  expect(await written()).toMatchObject({ purchases: 360, sold: 360, paid: 360, owed: 360 });
  await sql`select pg_stat_force_next_flush()`;
  const [after] = await sql<{ deadlocks: number }[]>`select deadlocks from pg_stat_database where datname = current_database()`;
  expect(after).toEqual(deadlocks);
});

test("when processes sell the last units concurrently, none is sold twice, and the other buyers find the listing out of stock", async () => {
  const buyers = names(12);
  const { sandbox, written } = await shopWith({ stock: 7, priceInPoints: 1 }, Object.fromEntries(buyers.map((name) => [name, 30])));
  const attempt = await attemptsIn(sandbox);
  const processes = [0, 1, 2].map(() => buyer(new Proxy(sql, {})));
  const answers = await Promise.allSettled(processes.flatMap((buy) => buyers.map((name) => buy(attempt(name)))));
  expect(answers.filter((one) => one.status === "fulfilled" && one.value.outcome === "bought")).toHaveLength(7);
  expect(await written()).toMatchObject({ purchases: 7, sold: 7, paid: 7, owed: 7 });
});
