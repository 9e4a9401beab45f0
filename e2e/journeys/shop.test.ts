import { expect, test } from "vitest";
import { purchase } from "../../server/game/marketplace/service/shop.ts";
import { reversePurchase } from "../../server/game/marketplace/service/reversal.ts";
import type { Backend } from "../backend.ts";
import { atLeast, listing, market, mission, points, shop } from "../definitions.ts";
import type { Reply } from "../http.ts";
import { startService } from "../listening.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../server/engine/environment.ts";

const service = await startService();
/** An organization may have 24 requests in flight, of which 16 run; the next one may arrive before the last slot is released. */
const AT_ONCE = 16;

/** Runs all of this, `lanes` at a time; the responses in order. */
async function crowd<One, Answer>(
  all: readonly One[],
  run: (one: One, index: number) => Promise<Answer>,
  lanes = AT_ONCE,
): Promise<Answer[]> {
  const waiting = [...all.entries()];
  const answers: Answer[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) answers[next[0]] = await run(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
}

const times = <Answer>(count: number, run: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  crowd(Array.from({ length: count }), (_, index) => run(index));
const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
/** The number of each answer: a success, or the code of a refusal. */
const tally = (replies: Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { code = "bought" } of replies) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};
const customers = (backend: Backend, playerIds: string[], balance: number) => crowd(playerIds, (one) => backend.customer(one, balance));
const soldOf = async (backend: Backend): Promise<number> => {
  const [row] = await service.database
    .sql`select sum(sold)::int as sold from marketplace_rounds where environment_id = ${backend.environment.id}`;
  return row?.sold ?? 0;
};
const owedOf = async (backend: Backend): Promise<number> => {
  const [row] = await service.database.sql`select count(*) from owed_items where environment_id = ${backend.environment.id}`;
  return row!.count;
};

test("200 buyers, 16 at a time, on a stock of 20: 20 buy and are charged, 180 are answered sold out", async () => {
  const backend = await service.sandbox(market(listing("rare", { stock: 20, priceInPoints: 7 })));
  const buyers = names(200);
  await customers(backend, buyers, 10);
  const replies = await crowd(buyers, (playerId) => backend.buy(playerId, "rare"));
  expect(tally(replies)).toEqual({ bought: 20, "marketplace_item.out_of_stock": 180 });
  const balances = await crowd(buyers, async (playerId) => (await backend.points(playerId)).balance);
  expect(balances).toEqual(replies.map(({ status }) => (status === 200 ? 3 : 10)));
  expect([await soldOf(backend), await owedOf(backend)]).toEqual([20, 20]);
  expect((await backend.shop("p0"))[0]).toMatchObject({ status: "OutOfStock", remainingStock: 0 });
});

test("the same with an audience over history that was never queried before", async () => {
  const rule = { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 1 };
  const backend = await service.sandbox(market(listing("rare", { stock: 10, priceInPoints: 7, audience: { rule, otherwise: "Hidden" } })));
  const buyers = names(60);
  await customers(backend, buyers, 10);
  await backend.play(...buyers.filter((_, index) => index % 3 > 0).map((playerId) => ({ playerId })));
  const replies = await crowd(buyers, (playerId) => backend.buy(playerId, "rare"));
  expect(tally(replies)).toEqual({ bought: 10, "marketplace_item.out_of_stock": 30, "marketplace_item.not_eligible": 20 });
  expect(await soldOf(backend)).toBe(10);
});

test("32 replays of one key, 16 at a time, charge once, and all answer the original", async () => {
  const rule = { points: "Balance", operator: "GreaterThanOrEqualTo", value: 100 };
  const backend = await service.sandbox(
    market(listing("one", { stock: 5 }), listing("judged", { audience: { rule, otherwise: "Locked" } })),
  );
  await customers(backend, ["ann", "bob"], 199);
  for (const [playerId, key] of [
    ["ann", "one"],
    ["bob", "judged"],
  ] as const) {
    const replies = await times(32, () => backend.buy(playerId, key, { idempotencyKey: "once" }));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]!.json).toMatchObject({ pricePaidInPoints: 100, remainingBalance: 99 });
    expect(await backend.purchases(playerId)).toHaveLength(1);
  }
  expect([await soldOf(backend), await owedOf(backend)]).toEqual([2, 2]);
});

test("one key for two items and an adjustment concurrently: one of them uses it, the others are conflicts", async () => {
  const backend = await service.sandbox(market(listing("one", { priceInPoints: 5 }), listing("other", { priceInPoints: 5 })));
  await customers(backend, ["ann"], 100);
  const more = { idempotencyKey: "k" };
  const replies = await times(30, (index) =>
    index % 3 === 2 ? backend.adjust("ann", -5, more) : backend.buy("ann", index % 3 === 1 ? "one" : "other", more),
  );
  expect(tally(replies)["bought"]).toBe(10);
  expect(new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
  for (const { code = "" } of replies.filter(({ status }) => status !== 200)) expect(code).toMatch(/idempotency_key_conflict$/);
  expect((await backend.points("ann")).balance).toBe(95);
});

test("a limit holds for any number of concurrent attempts", async () => {
  const backend = await service.sandbox(market(listing("one", { limitPerPlayer: 3, priceInPoints: 1 })));
  await customers(backend, ["ann", "bob"], 100);
  const replies = await times(48, (index) => backend.buy(index % 2 ? "ann" : "bob", "one"));
  expect(tally(replies)).toEqual({ bought: 6, "marketplace_item.purchase_limit_reached": 42 });
  expect((await backend.shop("ann"))[0]).toMatchObject({ status: "PurchaseLimitReached", remainingPurchases: 0 });
});

test("purchases against adjustments against completions for one balance: every point is accounted for, and it is never below zero", async () => {
  const again = mission("again", { objectives: [atLeast(2)], rewards: [points(9)], recurrence: { kind: "AfterCompletion" } });
  const backend = await service.sandbox({
    ...shop(again),
    marketplaceItems: [listing("one", { priceInPoints: 5, stock: 60 }), listing("free", { priceInPoints: 0 })],
  });
  const players = names(4);
  const everybody = (count: number) => players.flatMap((playerId) => Array.from({ length: count }, (_, index) => ({ playerId, index })));
  await crowd(players, (playerId) => backend.missions(playerId));
  await Promise.all([
    crowd(
      players,
      async (playerId) => {
        for (let round = 0; round < 6; round++) {
          await backend.send({ playerId }, { playerId });
          await backend.missions(playerId);
        }
      },
      4,
    ),
    crowd(everybody(12), ({ playerId, index }) => backend.adjust(playerId, index % 3 === 2 ? -4 : 3), 4),
    crowd(
      everybody(16),
      ({ playerId, index }) => backend.buy(playerId, index % 4 === 3 ? "free" : "one", { idempotencyKey: `b${index % 12}` }),
      12,
    ),
  ]);
  await backend.applied();
  let sold = 0;
  for (const playerId of players) {
    const ledger = await backend.transactions(playerId);
    const sum = (type?: string) =>
      ledger.filter((one) => type === undefined || one.type === type).reduce((total, { amount }) => total + amount, 0);
    const purchases = await backend.purchases(playerId);
    sold += purchases.filter(({ marketplaceItemKey }) => marketplaceItemKey === "one").length;
    expect(new Set(purchases.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(purchases.length);
    expect(0 - sum("Spend")).toBe(purchases.reduce((total, { pricePaidInPoints }) => total + pricePaidInPoints, 0));
    expect(await backend.points(playerId)).toEqual({ balance: sum(), totalGranted: sum("Grant"), totalSpent: 0 - sum("Spend") });
    // In the order of writing; a request that began first may have come second.
    const written = await service.database.sql<{ balance: number }[]>`
      select sum(t.amount) over (order by t.seq)::int as balance from points_transactions t join players p using (part, player_id)
      where p.environment_id = ${backend.environment.id} and p.external_id = ${playerId}`;
    expect(Math.min(...written.map(({ balance }) => balance))).toBeGreaterThanOrEqual(0);
    expect(written).toHaveLength(ledger.length);
  }
  const free = 4 * players.length;
  expect([sold > 0, await soldOf(backend)]).toEqual([true, sold + free - players.length]);
});

test("reversals race purchases of the last units: returned units are sold again, and nothing is sold or refunded twice", async () => {
  const backend = await service.sandbox(market(listing("rare", { stock: 3, limitPerPlayer: 1, priceInPoints: 10 })));
  const buyers = names(12);
  await customers(backend, buyers, 10);
  const bought: string[] = [];
  let reversed = 0;
  const isFull = () => bought.length - reversed === 3;
  for (let round = 0; round < 5; round++) {
    const victims = bought.slice(reversed, reversed + 2);
    const [replies, outcomes] = await Promise.all([
      crowd(buyers, (playerId) => backend.buy(playerId, "rare")),
      Promise.allSettled([...victims, ...victims].map((id) => reversePurchase(service.database, backend.environment, id, "again"))),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(victims.length);
    bought.push(...replies.flatMap(({ status, json }) => (status === 200 ? [json.purchaseId] : [])));
    reversed += victims.length;
    expect(bought.length - reversed).toBeLessThanOrEqual(3);
    const last = await crowd(buyers, (playerId) => backend.buy(playerId, "rare"));
    bought.push(...last.flatMap(({ status, json }) => (status === 200 ? [json.purchaseId] : [])));
    expect(isFull()).toBe(true);
  }
  expect(new Set(bought).size).toBe(bought.length);
  expect(await soldOf(backend)).toBe(3);
  const balances = await crowd(buyers, async (playerId) => (await backend.points(playerId)).balance);
  expect(balances.toSorted()).toEqual([0, 0, 0, ...Array(9).fill(10)]);
});

test("a purchase that began before an edit is judged by the edit: no one pays an old price or sees an old stock", async () => {
  const backend = await service.sandbox(market(listing("one", { priceInPoints: 5 })));
  await customers(backend, ["ann"], 100);
  const before = (await loadEnvironment(service.database.sql, backend.environment.id))!;
  const order = { externalId: "ann", listingKey: "one", idempotencyKey: null };
  await backend.define({ marketplaceItems: [listing("one", { priceInPoints: 8, stock: 1 })] });
  expect(await purchase(service.database, before, Date.now(), order)).toMatchObject({ price: 8, balance: 92 });
  await expect(purchase(service.database, before, Date.now(), order)).rejects.toMatchObject({ code: "marketplace_item.out_of_stock" });
  await backend.define({ marketplaceItems: [listing("one", { priceInPoints: 8, active: false })] });
  await expect(purchase(service.database, before, Date.now(), order)).rejects.toMatchObject({ code: "marketplace_item.inactive" });
});

test("definitions are edited again and again while people buy: each pays a price that held, and a lowered stock is not passed", async () => {
  const at = (price: number, more: object = {}) => listing("one", { priceInPoints: price, ...more });
  const backend = await service.sandbox(market(at(1)));
  await customers(backend, names(8), 1_000);
  let isOver = false;
  const replies: Reply[] = [];
  const buying = Promise.all(
    names(8).map(async (playerId) => {
      while (!isOver) replies.push(await backend.buy(playerId, "one"));
    }),
  );
  for (let price = 2; price <= 8; price++) await backend.define({ marketplaceItems: [at(price)] });
  await backend.define({ marketplaceItems: [at(9, { stock: 0 })] });
  const sold = await soldOf(backend);
  isOver = true;
  await buying;
  expect(await soldOf(backend)).toBe(sold);
  const prices = replies.flatMap(({ status, json }) => (status === 200 ? [json.pricePaidInPoints] : []));
  expect(prices).toHaveLength(sold);
  expect(prices.every((price) => price >= 1 && price <= 8)).toBe(true);
});

test("while imports change a listing's audience, every purchase succeeds until the stock is sold out", async () => {
  const rule = { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 1 };
  const backend = await service.sandbox(market(listing("one", { priceInPoints: 1, stock: 40, audience: { rule, otherwise: "Locked" } })));
  const buyers = names(10);
  await customers(backend, buyers, 10);
  const file = (turn: number) => ({
    version: 1,
    marketplaceItems: [
      listing("one", { name: `One ${turn}`, priceInPoints: 1, stock: 40, audience: { rule: { all: [rule] }, otherwise: "Locked" } }),
    ],
  });
  const [replies] = await Promise.all([
    Promise.all(
      buyers.map(async (playerId) => {
        await backend.send({ playerId });
        await backend.applied();
        const own: Reply[] = [];
        for (let turn = 0; turn < 6; turn++) own.push(await backend.buy(playerId, "one"));
        return own;
      }),
    ),
    (async () => {
      for (let turn = 0; turn < 6; turn++) await importDefinitions(service.database, backend.environment, file(turn));
    })(),
  ]);
  expect(tally(replies.flat())).toEqual({ bought: 40, "marketplace_item.out_of_stock": 20 });
});
