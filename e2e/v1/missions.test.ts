import { describe, expect, test } from "vitest";
import { atLeast, atMost, item, measured, mission, orders, points, shop } from "../definitions.ts";
import { exchangeSlowly, type Reply } from "../http.ts";
import { startService } from "../listening.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const service = await startService();
const refused = ({ status, code }: Reply) => [status, code];
const keysOf = (rows: { missionKey: string }[]) => rows.map(({ missionKey }) => missionKey);
const COMPLETED = { includeCompleted: true };

describe("a mission read", () => {
  test("enters the player into an automatic mission; its row has every field", async () => {
    const backend = await service.sandbox(
      shop(
        mission("coffee_lover", {
          name: "Coffee lover",
          description: "Two orders, and few returns.",
          images: { badge: "https://images.example.com/lover.png" },
          objectives: [atLeast(2, { description: "Two orders" }), { event: "order_returned", operator: "LessThanOrEqualTo", target: 2 }],
          rewards: [
            points(200),
            item("free_coffee", 2),
            item("cup_colours", ["red", "blue"]),
            item("voucher", "X-1"),
            item("early_entry", true),
          ],
          window: { startsAt: "2020-01-01T00:00:00Z", endsAt: "2300-01-01T00:00:00+01:00" },
        }),
      ),
    );
    const [row, ...others] = await backend.missions("ann");
    expect(others).toEqual([]);
    expect(row).toEqual({
      missionKey: "coffee_lover",
      name: "Coffee lover",
      description: "Two orders, and few returns.",
      images: { badge: "https://images.example.com/lover.png" },
      status: "InProgress",
      optInMode: "Automatic",
      isAccepted: true,
      occurrenceNumber: 0,
      objectives: [
        {
          objectiveId: expect.stringMatching(UUID),
          description: "Two orders",
          order: 0,
          isSatisfied: false,
          progress: {
            kind: "TowardTarget",
            actual: { type: "number", value: 0 },
            operator: "GreaterThanOrEqualTo",
            target: { type: "number", value: 2 },
            fraction: 0,
          },
        },
        {
          objectiveId: expect.stringMatching(UUID),
          description: null,
          order: 1,
          isSatisfied: true,
          progress: {
            kind: "WithinLimit",
            actual: { type: "number", value: 0 },
            operator: "LessThanOrEqualTo",
            target: { type: "number", value: 2 },
            fraction: 0,
          },
        },
      ],
      rewards: [
        { kind: "Points", pointsAmount: 200, catalogItemKey: null, catalogItemValue: null },
        { kind: "CatalogItem", pointsAmount: null, catalogItemKey: "free_coffee", catalogItemValue: { type: "number", value: 2 } },
        {
          kind: "CatalogItem",
          pointsAmount: null,
          catalogItemKey: "cup_colours",
          catalogItemValue: {
            type: "collection",
            items: [
              { type: "string", value: "red" },
              { type: "string", value: "blue" },
            ],
          },
        },
        { kind: "CatalogItem", pointsAmount: null, catalogItemKey: "voucher", catalogItemValue: { type: "string", value: "X-1" } },
        { kind: "CatalogItem", pointsAmount: null, catalogItemKey: "early_entry", catalogItemValue: { type: "boolean", value: true } },
      ],
      startedAtUtc: expect.stringMatching(INSTANT),
      acceptedAtUtc: row.startedAtUtc,
      completedAtUtc: null,
      availableUntilUtc: "2299-12-31T23:00:00.000Z",
    });
    expect(row.objectives[0].objectiveId).not.toBe(row.objectives[1].objectiveId);
  });

  test("again, it is the same row: entering happens once", async () => {
    const backend = await service.sandbox(shop(mission("one", { objectives: [atLeast(5)] }), mission("two", { optIn: "Manual" })));
    const first = await backend.missions("ann");
    expect(await backend.missions("ann")).toEqual(first);
    expect(first[0]).toMatchObject({ images: {}, description: null, availableUntilUtc: null });
  });

  test("creates the player; an event of nobody's missions creates one too", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    await backend.missions("by-read");
    expect((await backend.adjust("by-read", 1)).status).toBe(200);
    const empty = await service.sandbox();
    expect(await empty.missions("by-empty-read")).toEqual([]);
    expect((await empty.adjust("by-empty-read", 1)).status).toBe(200);
  });

  test("that never happened: events advance nothing and raise no error, not even later", async () => {
    const backend = await service.sandbox(shop(mission("three", { objectives: [atLeast(3)] })));
    await backend.play({ playerId: "ann" }, { playerId: "ann" }, { playerId: "ann" });
    expect((await backend.mission("ann", "three")).objectives[0].progress.actual.value).toBe(0);
    expect((await backend.points("ann")).balance).toBe(0);
  });

  test("counts what comes after it even while what came before waits in the queue", async () => {
    const backend = await service.sandbox(shop(mission("nine", { objectives: [atLeast(9)] })));
    await service.pause();
    await backend.send({ playerId: "ann" }, { playerId: "ann" });
    await backend.missions("ann");
    await backend.send({ playerId: "ann" });
    service.resume();
    await backend.applied();
    expect((await backend.mission("ann", "nine")).objectives[0].progress.actual.value).toBe(1);
  });

  test("shows the missions in the order of their creation, completed ones last, newest completion first", async () => {
    const later = mission("later", { objectives: [atLeast(99)] });
    const file = shop(mission("first"), later, mission("third", { optIn: "Manual" }), mission("second", { objectives: [atLeast(2)] }));
    const backend = await service.sandbox(file);
    await backend.define(shop(mission("fifth", { objectives: [atLeast(99)] })));
    expect(keysOf(await backend.missions("ann"))).toEqual(["first", "later", "third", "second", "fifth"]);
    await backend.play({ playerId: "ann" });
    await backend.play({ playerId: "ann" });
    expect(keysOf(await backend.missions("ann"))).toEqual(["later", "third", "fifth"]);
    expect(keysOf(await backend.missions("ann", { includeCompleted: false }))).toEqual(["later", "third", "fifth"]);
    expect(keysOf(await backend.missions("ann", COMPLETED))).toEqual(["later", "third", "fifth", "second", "first"]);
    expect(keysOf(await backend.missions("ann", { ...COMPLETED, take: 4 }))).toEqual(["later", "third", "fifth", "second"]);
  });

  test("with take enters into what it returns and nothing else", async () => {
    const backend = await service.sandbox(shop(...["a", "b", "c"].map((key) => mission(key, { objectives: [atLeast(9)] }))));
    expect(keysOf(await backend.missions("ann", { take: 2 }))).toEqual(["a", "b"]);
    await backend.play({ playerId: "ann" });
    const counts = (await backend.missions("ann")).map(({ missionKey, objectives }) => [missionKey, objectives[0].progress.actual.value]);
    expect(counts).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 0],
    ]);
    expect(await backend.missions("ann", { take: 100 })).toHaveLength(3);
  });

  test.each(["0", "-1", "1.5", '"2"', "true", "[1]", "{}", "12345678901234567890", "1e400", "1e-400"])(
    "take %s is request.invalid",
    async (take) => {
      const backend = await service.sandbox();
      const { status, json } = await backend.post("/v1/missions", `{"playerId":"ann","take":${take}}`);
      expect([status, json.code, json.errors[0].pointer]).toEqual([400, "request.invalid", "#/take"]);
    },
  );

  test.each(["2.0", "2e0", "0.2e1"])("take %s is two", async (take) => {
    const backend = await service.sandbox(shop(...["a", "b", "c"].map((key) => mission(key))));
    expect((await backend.post("/v1/missions", `{"playerId":"ann","take":${take}}`)).json).toHaveLength(2);
  });

  test("of a wrong shape is refused with every problem", async () => {
    const backend = await service.sandbox();
    const { status, json } = await backend.post("/v1/missions", { take: 0, includeCompleted: "yes", languageCode: 7 });
    expect(status).toBe(400);
    expect(json.errors.map(({ code, pointer }: any) => [code, pointer])).toEqual([
      ["player.external_id_missing", "#/playerId"],
      ["request.invalid", "#/take"],
      ["request.invalid", "#/includeCompleted"],
      ["request.invalid", "#/languageCode"],
    ]);
    expect(refused(await backend.post("/v1/missions", { playerId: "p".repeat(201) }))).toEqual([400, "player.external_id_too_long"]);
    expect(refused(await backend.post("/v1/missions", { playerId: 7 }))).toEqual([400, "request.invalid"]);
  });

  test("does not show what lives in a collection only, nor what is switched off", async () => {
    const file = shop(mission("hidden", { appearsIn: "CollectionOnly" }), mission("off", { active: false }), mission("shown"));
    const backend = await service.sandbox(file);
    expect(keysOf(await backend.missions("ann"))).toEqual(["shown"]);
    await backend.play({ playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(10);
  });
});

describe("events", () => {
  test("move only the missions whose objectives name them", async () => {
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
    const counts = await Promise.all(
      ["ann", "Ann", "ann ", "änn"].map(async (playerId) => (await backend.mission(playerId, "nine")).objectives[0].progress.actual.value),
    );
    expect(counts).toEqual([1, 0, 0, 0]);
  });

  test("may lie in the future, and count", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    await backend.missions("ann");
    await backend.play({ playerId: "ann", occurredAt: "2999-01-01T00:00:00Z" });
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

  test("keeps its rewards and pays what they were, whatever the mission gives later", async () => {
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

  test("of a mission that does not repeat is for good", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    await backend.missions("ann");
    await backend.play({ playerId: "ann" });
    expect(await backend.missions("ann")).toEqual([]);
    await backend.play({ playerId: "ann" });
    expect(await backend.missions("ann", COMPLETED)).toHaveLength(1);
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("by entry alone is returned by that read only with includeCompleted, and pays", async () => {
    const backend = await service.sandbox(shop(mission("gift", { objectives: [orders("EqualTo", 0)] })));
    expect(await backend.missions("ann")).toEqual([]);
    expect((await backend.points("ann")).balance).toBe(10);
    const [row] = await backend.missions("bob", COMPLETED);
    expect(row).toMatchObject({ missionKey: "gift", status: "Completed", startedAtUtc: row.completedAtUtc });
    expect((await backend.points("bob")).balance).toBe(10);
    expect(await backend.missions("bob", COMPLETED)).toEqual([row]);
  });
});

describe("a mission that is switched off", () => {
  test("is not returned and does not advance; what was granted stays; switched on it goes on", async () => {
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
    expect((await backend.mission("ann", "two")).objectives[0].progress.actual.value).toBe(1);
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

  test("a limit holds nobody up and counts from the start", async () => {
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

describe("POST /v1/missions/{missionKey}/accept", () => {
  const manual = mission("manual", { optIn: "Manual", objectives: [atLeast(2)] });

  test("takes up an offer: events count from then on", async () => {
    const backend = await service.sandbox(shop(manual));
    const [offer] = await backend.missions("ann");
    expect(offer).toMatchObject({
      status: "Available",
      optInMode: "Manual",
      isAccepted: false,
      acceptedAtUtc: null,
      startedAtUtc: expect.stringMatching(INSTANT),
    });
    expect(offer.objectives[0]).toMatchObject({
      isSatisfied: false,
      progress: { kind: "TowardTarget", actual: { value: 0 }, fraction: 0 },
    });
    await backend.play({ playerId: "ann" }, { playerId: "ann" });
    expect(await backend.missions("ann")).toEqual([offer]);
    const { status, text } = await backend.accept("ann", "manual");
    expect([status, text]).toEqual([204, ""]);
    const [accepted] = await backend.missions("ann");
    expect(accepted).toMatchObject({ status: "InProgress", isAccepted: true, startedAtUtc: offer.startedAtUtc });
    expect(accepted.acceptedAtUtc > offer.startedAtUtc).toBe(true);
    expect(accepted.objectives[0].progress.actual.value).toBe(0);
    await backend.play({ playerId: "ann" }, { playerId: "ann" });
    const [completed] = await backend.missions("ann", COMPLETED);
    expect(completed).toMatchObject({ status: "Completed", startedAtUtc: offer.startedAtUtc, acceptedAtUtc: accepted.acceptedAtUtc });
  });

  test("twice does nothing, in progress and after completion; of an automatic mission it is harmless", async () => {
    const backend = await service.sandbox(shop(manual, mission("automatic")));
    await backend.missions("ann");
    await backend.accept("ann", "manual");
    await backend.play({ playerId: "ann" });
    const before = await backend.missions("ann", COMPLETED);
    expect((await backend.accept("ann", "manual")).status).toBe(204);
    expect((await backend.accept("ann", "automatic")).status).toBe(204);
    expect(await backend.missions("ann", COMPLETED)).toEqual(before);
    await backend.play({ playerId: "ann" });
    const done = await backend.missions("ann", COMPLETED);
    expect((await backend.accept("ann", "manual")).status).toBe(204);
    expect(await backend.missions("ann", COMPLETED)).toEqual(done);
    expect((await backend.points("ann")).balance).toBe(20);
  });

  test("of what was never offered is mission.not_locked_in: unknown mission, unknown player, never read, cut off by take", async () => {
    const backend = await service.sandbox(shop(mission("first"), manual));
    const never = [404, "mission.not_locked_in"];
    expect(refused(await backend.accept("ann", "manual"))).toEqual(never);
    await backend.missions("ann", { take: 1 });
    for (const key of [
      "manual",
      "nothing",
      "Manual",
      "manual%00",
      "%20",
      "__proto__",
      "constructor",
      "m".repeat(5_000),
      "manual%2F",
      "%F0%9F%98%80",
    ]) {
      expect(refused(await backend.accept("ann", key)), key).toEqual(never);
    }
    await backend.missions("ann");
    expect(refused(await backend.accept("bob", "manual"))).toEqual(never);
    expect((await backend.accept("ann", "%6Danual")).status).toBe(204);
    expect((await backend.adjust("bob", 1)).code).toBe("player.not_found");
  });

  test("is for the mission of the path, whatever the body says", async () => {
    const backend = await service.sandbox(shop(manual, { ...manual, key: "other" }));
    await backend.missions("ann");
    await backend.post("/v1/missions/manual/accept", { playerId: "ann", missionKey: "other" });
    expect((await backend.missions("ann")).map(({ missionKey, status }) => [missionKey, status])).toEqual([
      ["manual", "InProgress"],
      ["other", "Available"],
    ]);
  });

  test("with a path that is no text, or no key at all, is 404", async () => {
    const backend = await service.sandbox(shop(manual));
    for (const key of ["%FF", "%zz", "%", ""]) expect((await backend.accept("ann", key)).status, key).toBe(404);
  });

  test("without a player, or with one that is too long, is 400", async () => {
    const backend = await service.sandbox(shop(manual));
    expect(refused(await backend.post("/v1/missions/manual/accept", {}))).toEqual([400, "player.external_id_missing"]);
    expect(refused(await backend.post("/v1/missions/manual/accept", { playerId: "😀".repeat(201) }))).toEqual([
      400,
      "player.external_id_too_long",
    ]);
    expect(refused(await backend.post("/v1/missions/manual/accept", { playerId: ["ann"] }))).toEqual([400, "request.invalid"]);
    expect(refused(await backend.post("/v1/missions/manual/accept", "x"))).toEqual([400, "request.malformed"]);
  });

  test("judges every objective: one that asks for nothing is complete at once", async () => {
    const gift = mission("gift", { optIn: "Manual", objectives: [orders("LessThan", 1, measured("DistinctDays")), orders("EqualTo", 0)] });
    const backend = await service.sandbox(shop(gift));
    expect(await backend.missions("ann")).toMatchObject([{ status: "Available" }]);
    expect((await backend.points("ann")).balance).toBe(0);
    expect((await backend.accept("ann", "gift")).status).toBe(204);
    expect((await backend.points("ann")).balance).toBe(10);
    expect(await backend.missions("ann", COMPLETED)).toMatchObject([{ status: "Completed" }]);
  });

  test("of a mission that is switched off leaves it out of sight", async () => {
    const backend = await service.sandbox(shop(manual));
    await backend.missions("ann");
    await backend.define(shop({ ...manual, active: false }));
    await backend.accept("ann", "manual");
    expect(await backend.missions("ann", COMPLETED)).toEqual([]);
  });
});
