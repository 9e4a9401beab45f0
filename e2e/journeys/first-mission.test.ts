import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { startReceiver } from "../../server/delivery/testing.ts";
import { until } from "../../db/testing/work.ts";
import { item, measured, mission, orders, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 503 : 200 }));
afterAll(() => receiver.close());

/** The coffee shop's mission: five larger orders and few returns, for points and two things to hand over. */
const lover = mission("coffee_lover", {
  name: { default: "en", texts: { en: "Coffee lover", nl: "Koffieliefhebber" } },
  optIn: "Manual",
  window: { startsAt: "2026-01-01T00:00:00Z", endsAt: "2300-01-01T00:00:00Z" },
  objectives: [
    orders("GreaterThanOrEqualTo", 5, { where: { property: "amount", operator: "GreaterThan", value: 10 } }),
    { event: "order_returned", operator: "LessThanOrEqualTo", target: 2 },
    orders("GreaterThanOrEqualTo", 3, measured("DistinctCount", "drink")),
  ],
  rewards: [points(200), item("free_coffee", 2), item("cup_colours", ["red", "blue"])],
});
const daily = mission("daily_cup", { name: "Daily cup", recurrence: { kind: "Calendar", every: "Day" }, rewards: [points(5)] });

test("a backend sends events, missions complete, points are credited, items are owed and announced, and all is read back", async () => {
  const backend = await service.sandbox(shop(lover, daily), { timeZone: "Europe/Amsterdam" });
  const { secret } = await backend.subscribe(receiver.url);
  await backend.moveTo("2031-05-10T08:00:00Z");

  const offered = await backend.missions("ann", { languageCode: "nl-BE" });
  expect(offered.map(({ name, status }) => [name, status])).toEqual([
    ["Koffieliefhebber", "Available"],
    ["Daily cup", "InProgress"],
  ]);
  expect((await backend.accept("ann", "coffee_lover")).status).toBe(204);

  const order = (amount: number, drink: string, idempotencyKey: string) => ({
    playerId: "ann",
    occurredAt: "2031-05-10T08:00:00Z",
    idempotencyKey,
    properties: { amount, drink },
  });
  const first = [order(12.5, "latte", "1"), order(9.99, "mocha", "2"), order(10, "tea", "3"), order(20, "latte", "4")];
  await backend.send(...first);
  await backend.send(...first);
  await backend.play({ playerId: "ann", event: "order_returned" });
  const underWay = await backend.mission("ann", "coffee_lover");
  expect(underWay.objectives.map(({ isSatisfied, progress }: any) => [isSatisfied, progress.actual.value, progress.fraction])).toEqual([
    [false, 2, 0.4],
    [true, 1, 0.5],
    [true, 3, 1],
  ]);
  expect(await backend.points("ann")).toEqual({ balance: 5, totalGranted: 5, totalSpent: 0 });

  await backend.play(order(11, "latte", "5"), order(11, "latte", "6"), order(11, "latte", "7"), order(11, "latte", "8"));
  expect(await backend.missions("ann")).toEqual([]);
  const [done, today] = await backend.missions("ann", { includeCompleted: true });
  expect(done).toMatchObject({
    missionKey: "coffee_lover",
    status: "Completed",
    objectives: [{ progress: { actual: { value: 5 } } }, {}, {}],
  });
  expect(today).toMatchObject({ missionKey: "daily_cup", status: "Completed" });
  expect(await backend.points("ann")).toEqual({ balance: 205, totalGranted: 205, totalSpent: 0 });
  expect(await backend.transactions("ann", "&take=1")).toMatchObject([
    { type: "Grant", amount: 200, sourceType: "Mission", occurredAtUtc: done.completedAtUtc },
  ]);

  await until(async () => {
    await service.database
      .sql`update webhook_deliveries set due_at = now() - interval '1 second' where status = 'Pending' and attempts > 0`;
    return receiver.received.length === 5;
  });
  const envelopes = receiver.received.map(
    ({ headers, body }) => new Webhook(secret).verify(body, headers as Record<string, string>) as any,
  );
  const handled = new Map(envelopes.map((envelope) => [envelope.deliveryId, envelope]));
  expect(handled.size).toBe(4);
  const summary = [...handled.values()].map(({ event, data }) => [event, data.missionKey ?? data.catalogItemKey, data.value]);
  expect(summary.toSorted()).toEqual([
    ["catalog_item.fulfillment_requested", "cup_colours", ["red", "blue"]],
    ["catalog_item.fulfillment_requested", "free_coffee", 2],
    ["mission.completed", "coffee_lover", undefined],
    ["mission.completed", "daily_cup", undefined],
  ]);

  const spent = await backend.adjust("ann", -105, { reason: "A jar of beans", idempotencyKey: "beans" });
  expect((await backend.adjust("ann", -105, { reason: "A jar of beans", idempotencyKey: "beans" })).json).toEqual(spent.json);
  expect((await backend.adjust("ann", -101)).code).toBe("points.insufficient_balance");

  await backend.advance("P1D");
  expect(await backend.missions("ann")).toMatchObject([
    { missionKey: "daily_cup", status: "InProgress", occurrenceNumber: today.occurrenceNumber + 1 },
  ]);
  expect((await backend.points("ann")).balance).toBe(100);
});
