import { expect, test } from "vitest";
import { reversePurchase } from "../../server/game/marketplace/service/reversal.ts";
import type { Backend } from "../backend.ts";
import { listing, market } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const AMSTERDAM = { timeZone: "Europe/Amsterdam" };
const every = (calendar: string, more: object = {}) =>
  listing("one", { priceInPoints: 0, recurrence: { kind: "Calendar", every: calendar }, ...more });
const monthly = (more?: object) => every("Month", more);

/** A player's view of the listing's round: its number, and the remaining stock and allowance. */
async function round(backend: Backend, playerId = "ann"): Promise<unknown[]> {
  const [row] = await backend.shop(playerId);
  return [row.occurrenceNumber, row.remainingStock, row.remainingPurchases];
}

const bought = async (backend: Backend, playerId = "ann") => {
  const { json, code } = await backend.buy(playerId, "one");
  return code ?? json.occurrenceNumber;
};

test("stock and allowance are renewed with each month of the project's zone, over both changes of its clocks", async () => {
  const backend = await service.sandbox({}, AMSTERDAM);
  await backend.moveTo("2038-02-10T12:00:00Z");
  await backend.define(market(monthly({ stock: 2, limitPerPlayer: 1 })));
  for (const playerId of ["ann", "bob", "cid"]) await backend.customer(playerId);
  expect((await round(backend))[0]).toBe(0);
  // The first and the last minute of months: winter's begin at 23:00 in UTC, summer's at 22:00.
  for (const [instant, number] of [
    ["2038-02-28T22:59:00Z", 0],
    ["2038-02-28T23:00:00Z", 1],
    ["2038-03-31T21:59:00Z", 1],
    ["2038-03-31T22:00:00Z", 2],
    ["2038-10-31T22:59:00Z", 8],
    ["2038-10-31T23:00:00Z", 9],
    ["2039-02-28T12:00:00Z", 12],
  ] as const) {
    await backend.moveTo(instant);
    expect((await round(backend))[0], instant).toBe(number);
  }

  for (const number of [12, 13, 14]) {
    expect(await round(backend)).toEqual([number, 2, 1]);
    expect(await bought(backend, "ann")).toBe(number);
    expect(await bought(backend, "ann")).toBe("marketplace_item.purchase_limit_reached");
    expect(await bought(backend, "bob")).toBe(number);
    expect(await bought(backend, "cid")).toBe("marketplace_item.out_of_stock");
    expect(await round(backend)).toEqual([number, 0, 0]);
    await backend.advance("P1M");
  }
  expect(await backend.purchases("ann")).toHaveLength(3);
});

test("days of 23 and of 25 hours are one round each, and weeks begin on Monday", async () => {
  const backend = await service.sandbox({}, AMSTERDAM);
  await backend.moveTo("2038-03-22T12:00:00Z");
  await backend.define(market(every("Day", { limitPerPlayer: 1 }), listing("week", { recurrence: { kind: "Calendar", every: "Week" } })));
  const seen: number[][] = [];
  for (const instant of [
    "2038-03-27T22:59:00Z",
    "2038-03-27T23:00:00Z",
    "2038-03-28T21:59:00Z",
    "2038-03-28T22:00:00Z",
    "2038-10-30T22:00:00Z",
    "2038-10-31T22:59:00Z",
    "2038-10-31T23:00:00Z",
  ]) {
    await backend.moveTo(instant);
    seen.push((await backend.shop("ann")).map(({ occurrenceNumber }) => occurrenceNumber));
  }
  // 22 March is day 0 of week 0, a Monday; 28 March, a Sunday, has 23 hours; 31 October, a Sunday, has 25.
  expect(seen).toEqual([
    [5, 0],
    [6, 0],
    [6, 0],
    [7, 1],
    [223, 31],
    [223, 31],
    [224, 32],
  ]);
});

test("rounds are counted from the start of the sale, if it has one", async () => {
  const backend = await service.sandbox(market(monthly({ onSale: { startsAt: "2038-01-31T12:00:00Z" } })));
  await backend.moveTo("2038-01-31T12:00:01Z");
  expect((await round(backend))[0]).toBe(0);
  await backend.moveTo("2038-02-01T00:00:00Z");
  expect((await round(backend))[0]).toBe(1);
});

test("a reversal returns to the round of the purchase, not to the running one", async () => {
  const backend = await service.sandbox({});
  await backend.moveTo("2038-01-15T12:00:00Z");
  await backend.define(market(monthly({ stock: 1, limitPerPlayer: 1 })));
  await backend.customer("ann");
  const { json } = await backend.buy("ann", "one", { idempotencyKey: "january" });
  await backend.advance("P1M");
  expect(await bought(backend)).toBe(1);
  await reversePurchase(service.database, backend.environment, json.purchaseId, "by mistake");
  expect(await round(backend)).toEqual([1, 0, 0]);
  const rounds = await service.database.sql`
    select round, sold from marketplace_rounds where environment_id = ${backend.environment.id} order by round`;
  expect(rounds.map(({ round, sold }) => [round, sold])).toEqual([
    ["2038-01-01", 0],
    ["2038-02-01", 1],
  ]);
  expect((await backend.buy("ann", "one", { idempotencyKey: "january" })).json).toMatchObject({
    occurrenceNumber: 0,
    purchaseId: json.purchaseId,
  });
});

test("an edit opens no round twice: another start changes the shown number, not the counts or the sales", async () => {
  const backend = await service.sandbox({});
  await backend.moveTo("2038-01-15T12:00:00Z");
  await backend.define(market(monthly({ limitPerPlayer: 1 })));
  await backend.customer("ann");
  await backend.moveTo("2038-03-10T00:00:00Z");
  expect(await bought(backend)).toBe(2);
  await backend.define({ marketplaceItems: [monthly({ limitPerPlayer: 1, onSale: { startsAt: "2038-03-01T00:00:00Z" } })] });
  expect(await round(backend)).toEqual([0, null, 0]);
  expect((await backend.buy("ann", "one")).json).toMatchObject({
    code: "marketplace_item.purchase_limit_reached",
    detail: 'The marketplace item "one" cannot be bought by this player again before 2038-04-01T00:00:00.000Z.',
  });
  await backend.moveTo("2038-04-01T00:00:00Z");
  expect(await bought(backend)).toBe(1);
  expect(await backend.purchases("ann")).toHaveLength(2);
});

test("another zone of the project opens no round twice", async () => {
  const backend = await service.sandbox({}, AMSTERDAM);
  const moveToZone = (zone: string) =>
    service.database.sql`update projects set time_zone = ${zone} where id = ${backend.environment.projectId}`;
  await backend.moveTo("2038-05-10T12:00:00Z");
  await backend.define(market(monthly({ stock: 5, limitPerPlayer: 1 })));
  await backend.customer("ann");
  expect(await bought(backend)).toBe(0);
  await backend.moveTo("2038-05-31T23:00:00Z");
  expect(await bought(backend)).toBe(1);
  // In Honolulu it is May again, with the purchase that was made in May; then June, with the one made in June.
  await moveToZone("Pacific/Honolulu");
  expect(await round(backend)).toEqual([0, 4, 0]);
  expect(await bought(backend)).toBe("marketplace_item.purchase_limit_reached");
  await backend.moveTo("2038-06-01T10:00:00Z");
  expect(await round(backend)).toEqual([1, 4, 0]);
  await backend.moveTo("2038-07-01T09:59:00Z");
  expect(await bought(backend)).toBe("marketplace_item.purchase_limit_reached");
  await backend.moveTo("2038-07-01T10:00:00Z");
  expect(await bought(backend)).toBe(2);
});

test("without recurrence there is one round", async () => {
  const backend = await service.sandbox(market(listing("one", { priceInPoints: 0, stock: 3, limitPerPlayer: 1 })));
  await backend.customer("ann");
  expect(await bought(backend)).toBe(0);
  await backend.advance("P2Y");
  expect(await round(backend)).toEqual([0, 2, 0]);
});
