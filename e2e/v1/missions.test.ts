import { describe, expect, test } from "vitest";
import { atLeast, item, mission, points, shop } from "../definitions.ts";
import type { Reply } from "../http.ts";
import { startService } from "../listening.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const service = await startService();
const refused = ({ status, code }: Reply) => [status, code];
const keysOf = (rows: { missionKey: string }[]) => rows.map(({ missionKey }) => missionKey);
const COMPLETED = { includeCompleted: true };
/** For reads of a part of three missions. */
const three = await service.sandbox(shop(...["a", "b", "c"].map((key) => mission(key))));

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

  test("creates the player; an event outside of all missions creates one too", async () => {
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
    expect(await backend.counterValue("ann", "three")).toBe(0);
    expect((await backend.points("ann")).balance).toBe(0);
  });

  test("counts later events even while earlier ones wait in the queue", async () => {
    const backend = await service.sandbox(shop(mission("nine", { objectives: [atLeast(9)] })));
    await service.pause();
    await backend.send({ playerId: "ann" }, { playerId: "ann" });
    await backend.missions("ann");
    await backend.send({ playerId: "ann" });
    service.resume();
    await backend.applied();
    expect(await backend.counterValue("ann", "nine")).toBe(1);
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

  test("with take enters the returned missions and no others", async () => {
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

  test.each(["0", "-1", "1.5", '"2"', "true", "[1]", "{}", "2147483648", "12345678901234567890", "9e99", "1e400", "1e-400"])(
    "take %s is request.invalid, with its bounds",
    async (take) => {
      const { status, json } = await three.post("/v1/missions", `{"playerId":"ann","take":${take}}`);
      expect([status, json.code, json.errors]).toEqual([
        400,
        "request.invalid",
        [{ code: "request.invalid", message: "take must be an integer from 1 to 2147483647.", pointer: "#/take" }],
      ]);
    },
  );

  test.each(["2.0", "2e0", "0.2e1"])("take %s is two", async (take) => {
    expect((await three.post("/v1/missions", `{"playerId":"ann","take":${take}}`)).json).toHaveLength(2);
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

  test("does not show missions that are only in a collection, nor inactive ones", async () => {
    const file = shop(mission("hidden", { appearsIn: "CollectionOnly" }), mission("off", { active: false }), mission("shown"));
    const backend = await service.sandbox(file);
    expect(keysOf(await backend.missions("ann"))).toEqual(["shown"]);
    await backend.play({ playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(10);
  });
});
