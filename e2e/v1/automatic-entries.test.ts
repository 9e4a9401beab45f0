import { describe, expect, test } from "vitest";
import type { Backend } from "../backend.ts";
import { atLeast, measured, mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const COMPLETED = { includeCompleted: true };
const DAILY = { recurrence: { kind: "Calendar", every: "Day" } };
const daily = (more: object = {}) => mission("daily", { objectives: [atLeast(2)], ...DAILY, ...more });
const ATTRIBUTES = [{ key: "tier", name: "Tier", type: "String" }];

const countOf = async (backend: Backend, playerId = "ann"): Promise<number> =>
  (await backend.mission(playerId, "daily")).objectives[0].progress.actual.value;
const order = (occurredAt: string, playerId = "ann") => ({ playerId, occurredAt });
const balance = async (backend: Backend, playerId = "ann") => (await backend.points(playerId)).balance;

describe("an automatic calendar mission that has once been returned", () => {
  test("continues without a read, day after day, and the next read returns its current state", async () => {
    const backend = await service.sandbox(shop(daily()));
    await backend.moveTo("2031-05-10T12:00:00Z");
    const { occurrenceNumber: first } = await backend.mission("ann", "daily");
    for (const day of ["11", "12", "14"]) {
      await backend.moveTo(`2031-05-${day}T09:00:00Z`);
      await backend.play(order(`2031-05-${day}T08:00:00Z`), order(`2031-05-${day}T09:00:00Z`));
    }
    expect(await balance(backend)).toBe(30);
    await backend.moveTo("2031-05-15T09:00:00Z");
    await backend.play(order("2031-05-15T08:59:00Z"));
    const rows = await backend.missions("ann", COMPLETED);
    expect(rows.map(({ status, occurrenceNumber }) => [status, occurrenceNumber - first])).toEqual([
      ["InProgress", 5],
      ["Completed", 4],
      ["Completed", 2],
      ["Completed", 1],
    ]);
    expect(rows[0]).toMatchObject({ isAccepted: true, acceptedAtUtc: rows[0].startedAtUtc });
    expect(rows[0].startedAtUtc.slice(0, 17)).toBe("2031-05-15T09:00:");
  });

  test("also if only a collection shows it; one that was never returned waits for its read", async () => {
    const hidden = daily({ appearsIn: "CollectionOnly", objectives: [atLeast(1)] });
    const backend = await service.sandbox({
      ...shop(hidden),
      missionCollections: [{ key: "today", name: "Today", missions: ["daily"] }],
    });
    await backend.moveTo("2031-05-10T12:00:00Z");
    await backend.post("/v1/mission-collections/today", { playerId: "ann" });
    await backend.missions("ben");
    await backend.moveTo("2031-05-11T12:00:00Z");
    await backend.play(order("2031-05-11T12:00:00Z"), order("2031-05-11T12:00:00Z", "ben"));
    expect([await balance(backend), await balance(backend, "ben")]).toEqual([10, 0]);
  });

  test("continues for a device whose clock is some minutes ahead, and is shown from its beginning on", async () => {
    const backend = await service.sandbox(shop(daily()));
    await backend.moveTo("2031-05-10T12:00:00Z");
    const { occurrenceNumber: first } = await backend.mission("ann", "daily");
    await backend.mission("ben", "daily");
    await backend.moveTo("2031-05-10T23:50:00Z");
    await backend.play(order("2031-05-11T00:01:00Z", "ben"));
    await backend.moveTo("2031-05-10T23:57:00Z");
    await backend.play(order("2031-05-11T00:01:00Z"), order("2031-05-10T23:57:00Z"));
    expect((await backend.missions("ann")).map(({ occurrenceNumber }) => occurrenceNumber)).toEqual([first]);
    expect(await countOf(backend)).toBe(1);
    await backend.moveTo("2031-05-11T00:02:00Z");
    expect((await backend.mission("ann", "daily")).occurrenceNumber).toBe(first + 1);
    expect([await countOf(backend), await countOf(backend, "ben")]).toEqual([1, 0]);
  });

  test("only for players who are then in its audience: by attributes, points, history, streaks and missions completed", async () => {
    const rules = {
      attribute: { attribute: "tier", operator: "EqualTo", value: "gold" },
      points: { points: "Balance", operator: "GreaterThanOrEqualTo", value: 100 },
      history: { event: "friend_invited", operator: "GreaterThanOrEqualTo", value: 1, lastDays: 2 },
      streak: { streak: "coffee", operator: "GreaterThanOrEqualTo", value: 1 },
      completed: { missionCompleted: "first" },
    };
    const missions = Object.entries(rules).map(([key, rule]) => mission(key, { objectives: [atLeast(1)], ...DAILY, audience: { rule } }));
    const backend = await service.sandbox({
      ...shop(mission("first", { objectives: [{ event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 1 }] }), ...missions),
      attributes: ATTRIBUTES,
      streaks: [{ key: "coffee", name: "Coffee", event: "friend_invited", cadence: "Day" }],
    });
    await backend.moveTo("2031-05-10T12:00:00Z");
    await backend.missions("ann");
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.adjust("ann", 100);
    await backend.play({ ...order("2031-05-10T12:00:00Z"), event: "friend_invited" });
    // Ten of these are the points of "first".
    expect((await backend.missions("ann")).map(({ missionKey }) => missionKey).sort()).toEqual(Object.keys(rules).sort());
    expect(await balance(backend)).toBe(110);

    await backend.moveTo("2031-05-11T12:00:00Z");
    await backend.play(order("2031-05-11T12:00:00Z"));
    expect(await balance(backend)).toBe(160);

    await backend.setAttributes("ann", { tier: "silver" });
    await backend.adjust("ann", -100);
    await backend.moveTo("2031-05-12T12:00:00Z");
    await backend.play(order("2031-05-12T12:00:00Z"));
    const completed = (await backend.missions("ann", COMPLETED)).filter(({ completedAtUtc }) => completedAtUtc?.startsWith("2031-05-12"));
    expect(completed.map(({ missionKey }) => missionKey)).toEqual(["completed"]);
  });

  test("with a metric event, and with a change of an attribute of the audience too", async () => {
    const objectives = [{ metric: "steps", operator: "GreaterThanOrEqualTo", target: 1, ...measured("Count") }];
    const gold = mission("gold", {
      ...DAILY,
      objectives: [{ attribute: "tier", operator: "NotEqualTo", target: "none" }],
      audience: {
        rule: { event: "friend_invited", operator: "EqualTo", value: 0 },
      },
    });
    const backend = await service.sandbox({
      ...shop(daily({ objectives }), gold),
      attributes: ATTRIBUTES,
      metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
    });
    await backend.moveTo("2031-05-10T12:00:00Z");
    await backend.missions("ann");
    const before = await balance(backend);
    await backend.moveTo("2031-05-11T12:00:00Z");
    await backend.post("/v1/metric-events", {
      externalPlayerId: "ann",
      metricKey: "steps",
      value: 1,
      occurredAtUtc: "2031-05-11T12:00:00Z",
    });
    await backend.applied();
    expect(await balance(backend)).toBe(before + 10);
    await backend.setAttributes("ann", { tier: "silver" });
    expect(await balance(backend)).toBe(before + 20);
  });

  test("of two periods that overlap after a change of zone counts an event for the later one alone", async () => {
    const backend = await service.sandbox(shop(daily({ objectives: [atLeast(9)] })));
    const zone = (timeZoneId: string) => backend.post("/v1/players", { playerId: "ann", timeZoneId });
    await backend.moveTo("2031-05-10T12:00:00Z");
    await zone("Pacific/Honolulu");
    await backend.missions("ann");
    await backend.play(order("2031-05-10T12:00:00Z"));
    await zone("Pacific/Auckland");
    await backend.play(order("2031-05-10T12:30:00Z"), order("2031-05-10T12:30:00Z"));
    expect((await backend.missions("ann")).map(({ objectives }) => objectives[0].progress.actual.value)).toEqual([2]);
    await zone("Pacific/Honolulu");
    await backend.play(order("2031-05-10T12:45:00Z"));
    expect(await countOf(backend)).toBe(3);
  });
});

test("concurrent events and reads enter a period once, and every event after the first entry counts", async () => {
  const backend = await service.sandbox(shop(daily({ objectives: [atLeast(1_000)] })));
  await backend.moveTo("2031-05-10T12:00:00Z");
  const players = ["p0", "p1", "p2", "p3", "p4", "p5"];
  for (const playerId of players) await backend.missions(playerId);
  await backend.moveTo("2031-05-11T00:00:00Z");
  for (const playerId of players) {
    const sent = Array.from({ length: 16 }, (_, at) =>
      at % 4 === 3 ? backend.missions(playerId) : backend.send(order("2031-05-11T00:00:00Z", playerId)),
    );
    await Promise.all(sent);
  }
  await backend.applied();
  for (const playerId of players) expect([playerId, await countOf(backend, playerId)]).toEqual([playerId, 12]);
});
