import { describe, expect, test } from "vitest";
import { BLOCKED, NOT_BLOCKED, atLeast, atMost, item, measured, mission, points, shop } from "../definitions.ts";
import { exchangeSlowly } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const COMPLETED = { includeCompleted: true };

describe("events", () => {
  test("advance only the missions whose objectives name them", async () => {
    const other = mission("other", { objectives: [{ event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 9 }] });
    const backend = await service.sandbox(shop(mission("nine", { objectives: [atLeast(9)] }), other));
    await backend.missions("ann");
    await backend.play({ playerId: "ann" }, { playerId: "ann", event: "order_returned" });
    const counts = (await backend.missions("ann")).map(({ objectives }) => objectives[0].progress.actual.value);
    expect(counts).toEqual([1, 0]);
  });

  test("move no other player", async () => {
    const backend = await service.sandbox(shop(mission("nine", { objectives: [atLeast(9)] })));
    await Promise.all(["ann", "Ann", "ann ", "änn"].map((playerId) => backend.missions(playerId)));
    await backend.play({ playerId: "ann" });
    const counts = await Promise.all(["ann", "Ann", "ann ", "änn"].map(async (playerId) => await backend.counterValue(playerId, "nine")));
    expect(counts).toEqual([1, 0, 0, 0]);
  });

  test("may be a day in the future, and count", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    await backend.missions("ann");
    await backend.play({ playerId: "ann", occurredAt: new Date(Date.now() + 23 * 3_600_000).toISOString() });
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("that are more than a mission needs complete it once, and the rest is not counted", async () => {
    const backend = await service.sandbox(shop(mission("two", { objectives: [atLeast(2)] })));
    await backend.missions("ann");
    await backend.play(...Array.from({ length: 7 }, () => ({ playerId: "ann" })));
    await backend.play({ playerId: "ann" });
    expect(await backend.missions("ann")).toEqual([]);
    const [row] = await backend.missions("ann", COMPLETED);
    expect(row.objectives[0]).toMatchObject({ isSatisfied: true, progress: { actual: { value: 2 }, fraction: 1 } });
    expect(await backend.transactions("ann")).toHaveLength(1);
  });
});

describe("a completion", () => {
  test("credits its points at its own instant, and is a row of its own from then on", async () => {
    const backend = await service.sandbox(shop(mission("two", { objectives: [atLeast(2)], rewards: [points(30)] })));
    const [before] = await backend.missions("ann");
    await backend.play({ playerId: "ann" }, { playerId: "ann" });
    const [row] = await backend.missions("ann", COMPLETED);
    expect(row).toMatchObject({
      status: "Completed",
      isAccepted: true,
      occurrenceNumber: 0,
      startedAtUtc: before.startedAtUtc,
      acceptedAtUtc: before.acceptedAtUtc,
    });
    expect(row.completedAtUtc >= row.startedAtUtc).toBe(true);
    expect(row.objectives[0].objectiveId).toBe(before.objectives[0].objectiveId);
    expect(await backend.transactions("ann")).toMatchObject([
      { type: "Grant", amount: 30, sourceType: "Mission", occurredAtUtc: row.completedAtUtc },
    ]);
  });

  test("is never before its own start, however slowly the event's request came in", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    const call = {
      headers: { authorization: `Bearer ${backend.key}` },
      body: { events: [{ playerId: "ann", event: "order_placed", occurredAt: "2026-01-31T09:00:00Z" }] },
    };
    await exchangeSlowly(service.port, "/v1/events", call, () => backend.missions("ann"));
    await backend.applied();
    const [row] = await backend.missions("ann", COMPLETED);
    expect(row.status).toBe("Completed");
    expect(row.completedAtUtc >= row.acceptedAtUtc).toBe(true);
  });

  test("keeps and pays the rewards of its time, after any edit of the mission", async () => {
    const backend = await service.sandbox(shop(mission("one", { rewards: [points(30), item("free_coffee", 1)] })));
    await backend.missions("ann");
    await backend.missions("bob");
    await backend.play({ playerId: "ann" });
    await backend.define(shop(mission("one", { name: "Renamed", rewards: [points(7)] })));
    await backend.play({ playerId: "bob" });
    const [anns] = await backend.missions("ann", COMPLETED);
    const [bobs] = await backend.missions("bob", COMPLETED);
    expect(anns.rewards.map(({ pointsAmount, catalogItemKey }: any) => pointsAmount ?? catalogItemKey)).toEqual([30, "free_coffee"]);
    expect(bobs.rewards.map(({ pointsAmount }: any) => pointsAmount)).toEqual([7]);
    expect([(await backend.points("ann")).balance, (await backend.points("bob")).balance]).toEqual([30, 7]);
  });

  test("of a mission that does not repeat is final", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    await backend.missions("ann");
    await backend.play({ playerId: "ann" });
    expect(await backend.missions("ann")).toEqual([]);
    await backend.play({ playerId: "ann" });
    expect(await backend.missions("ann", COMPLETED)).toHaveLength(1);
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("by entry alone is returned by that read only with includeCompleted, and pays", async () => {
    const backend = await service.sandbox({ attributes: [BLOCKED], ...shop(mission("gift", { objectives: [NOT_BLOCKED] })) });
    expect(await backend.missions("ann")).toEqual([]);
    expect((await backend.points("ann")).balance).toBe(10);
    const [row] = await backend.missions("bob", COMPLETED);
    expect(row).toMatchObject({ missionKey: "gift", status: "Completed", startedAtUtc: row.completedAtUtc });
    expect((await backend.points("bob")).balance).toBe(10);
    expect(await backend.missions("bob", COMPLETED)).toEqual([row]);
  });
});

describe("a mission that is switched off", () => {
  test("is not returned and does not advance; granted rewards stay; active again, it continues", async () => {
    const two = mission("two", { objectives: [atLeast(2)] });
    const one = mission("one");
    const backend = await service.sandbox(shop(two, one));
    await backend.missions("ann");
    await backend.play({ playerId: "ann" });
    await backend.define(shop({ ...two, active: false }, { ...one, active: false }));
    expect(await backend.missions("ann", COMPLETED)).toEqual([]);
    await backend.play({ playerId: "ann" }, { playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(10);
    await backend.define(shop(two, one));
    expect(await backend.counterValue("ann", "two")).toBe(1);
    await backend.play({ playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(20);
  });
});

describe("in order", () => {
  const inOrder = mission("steps", {
    objectiveOrder: "InOrder",
    objectives: [
      atLeast(2),
      { event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 1 },
      atLeast(2),
      { event: "order_returned", operator: "LessThanOrEqualTo", target: 5 },
    ],
  });
  const state = async (backend: any) =>
    (await backend.mission("ann", "steps", COMPLETED)).objectives.map(({ isSatisfied, progress }: any) => [
      isSatisfied,
      progress.actual.value,
    ]);

  test("an event counts for the first objective not satisfied; the next starts with the event after", async () => {
    const backend = await service.sandbox(shop(inOrder));
    await backend.missions("ann");
    const order = { playerId: "ann" };
    const invite = { playerId: "ann", event: "friend_invited" };
    await backend.play(order, invite, order);
    expect(await state(backend)).toEqual([
      [true, 2],
      [false, 0],
      [false, 0],
      [true, 0],
    ]);
    await backend.play(order, invite, invite);
    expect(await state(backend)).toEqual([
      [true, 2],
      [true, 1],
      [false, 0],
      [true, 0],
    ]);
    await backend.play(order, order);
    expect(await state(backend)).toEqual([
      [true, 2],
      [true, 1],
      [true, 2],
      [true, 0],
    ]);
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("a limit holds from the start and blocks no other objective", async () => {
    const first = { ...inOrder, objectives: inOrder.objectives.toReversed() };
    const backend = await service.sandbox(shop(first));
    await backend.missions("ann");
    await backend.play({ playerId: "ann", event: "order_returned" }, { playerId: "ann" });
    expect(await state(backend)).toEqual([
      [true, 1],
      [false, 1],
      [false, 0],
      [false, 0],
    ]);
  });
});

describe("any order", () => {
  test("one event counts for every objective that it concerns", async () => {
    const invite = { event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 1 };
    const backend = await service.sandbox(
      shop(mission("all", { objectives: [atLeast(2), atLeast(10, measured("Sum", "amount")), atMost(3), invite] })),
    );
    await backend.missions("ann");
    await backend.play({ playerId: "ann", properties: { amount: 4 } });
    const [row] = await backend.missions("ann");
    expect(row.objectives.map(({ progress }: any) => progress.actual.value)).toEqual([1, 4, 1, 0]);
  });
});
