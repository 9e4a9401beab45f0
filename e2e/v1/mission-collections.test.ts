import { describe, expect, test } from "vitest";
import { atLeast, mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const collection = (missions: string[], more: object = {}) => ({ key: "start", name: "Getting started", missions, ...more });
const withCollection = (missions: object[], order: string[], more: object = {}) => ({
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  ...shop(...missions),
  missionCollections: [collection(order, more)],
});

describe("a mission collection", () => {
  test("has its missions in its own order, those of no feed too, and enters the player into them", async () => {
    const backend = await service.sandbox(
      withCollection(
        [
          mission("first", { objectives: [atLeast(2)] }),
          mission("second", { appearsIn: "CollectionOnly", objectives: [atLeast(2)] }),
          mission("third"),
        ],
        ["second", "first"],
        { description: "Two to begin with.", images: { cover: "https://images.example.com/start.png" } },
      ),
    );
    const { status, json } = await backend.post("/v1/mission-collections/start", { playerId: "ann" });
    expect(status).toBe(200);
    expect(json).toEqual({
      collectionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: "start",
      name: "Getting started",
      description: "Two to begin with.",
      images: { cover: "https://images.example.com/start.png" },
      missions: [
        expect.objectContaining({ missionKey: "second", status: "InProgress" }),
        expect.objectContaining({ missionKey: "first", status: "InProgress" }),
      ],
    });
    await backend.play({ playerId: "ann" });
    const { json: again } = await backend.post("/v1/mission-collections/start", { playerId: "ann" });
    expect(again.collectionId).toBe(json.collectionId);
    expect(again.missions.map((row: any) => row.objectives[0].progress.actual.value)).toEqual([1, 1]);
    expect((await backend.missions("ann")).map(({ missionKey }) => missionKey)).toEqual(["first", "third"]);
  });

  test("does not enter missions outside of it", async () => {
    const backend = await service.sandbox(withCollection([mission("in"), mission("out")], ["in"]));
    await backend.post("/v1/mission-collections/start", { playerId: "ann" });
    await backend.play({ playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("shows locked members in their position, leaves out hidden, finished and inactive ones", async () => {
    const members = [
      mission("locked", { audience: { rule: GOLD } }),
      mission("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } }),
      mission("off", { active: false }),
      mission("done"),
      mission("going", { objectives: [atLeast(2)] }),
    ];
    const backend = await service.sandbox(withCollection(members, ["locked", "hidden", "off", "done", "going"]));
    const read = async (more: object = {}) =>
      (await backend.post("/v1/mission-collections/start", { playerId: "ann", ...more })).json.missions.map(
        (row: any) => `${row.missionKey} ${row.status}`,
      );
    expect(await read()).toEqual(["locked Locked", "done InProgress", "going InProgress"]);
    await backend.play({ playerId: "ann" });
    expect(await read()).toEqual(["locked Locked", "going InProgress"]);
    expect(await read({ includeCompleted: true })).toEqual(["locked Locked", "done Completed", "going InProgress"]);
  });

  test("of a repeating mission the live occurrence comes first, then the completed ones, newest first", async () => {
    const backend = await service.sandbox(
      withCollection(
        [mission("daily", { recurrence: { kind: "Calendar", every: "Day" } }), mission("other", { objectives: [atLeast(99)] })],
        ["daily", "other"],
      ),
    );
    const read = async () =>
      (await backend.post("/v1/mission-collections/start", { playerId: "ann", includeCompleted: true })).json.missions.map(
        (row: any) => `${row.missionKey} ${row.occurrenceNumber} ${row.status}`,
      );
    for (let day = 0; day < 2; day++) {
      await read();
      await backend.play({ playerId: "ann", occurredAt: new Date(Date.now() + day * 86_400_000).toISOString() });
      await backend.advance("P1D");
    }
    expect(await read()).toEqual(["daily 2 InProgress", "daily 1 Completed", "daily 0 Completed", "other 0 InProgress"]);
  });

  test("is in the requested language", async () => {
    const name = { default: "en", texts: { en: "Start", nl: "Begin" } };
    const backend = await service.sandbox(withCollection([mission("m", { name })], ["m"], { name }));
    const names = async (languageCode: string | null) => {
      const { json } = await backend.post("/v1/mission-collections/start", { playerId: "ann", languageCode });
      return [json.name, json.missions[0].name];
    };
    expect(await names("nl-BE")).toEqual(["Begin", "Begin"]);
    expect(await names("fr")).toEqual(["Start", "Start"]);
    expect(await names(null)).toEqual(["Start", "Start"]);
  });

  test("that is unknown, malformed or inactive is 404, and creates no player", async () => {
    const backend = await service.sandbox({
      ...shop(mission("m")),
      missionCollections: [collection(["m"]), { ...collection(["m"]), key: "off", active: false }],
    });
    for (const key of ["nothing", "off", "Start", "%20", "a".repeat(300), "%00"]) {
      const reply = await backend.post(`/v1/mission-collections/${key}`, { playerId: "ann" });
      expect([reply.status, reply.code], key).toEqual([404, "mission_collection.not_found"]);
    }
    const [row] = await service.database.sql`select count(*) from players where environment_id = ${backend.environment.id}`;
    expect(row?.count).toBe(0);
  });

  test("without a player id is refused", async () => {
    const backend = await service.sandbox(withCollection([mission("m")], ["m"]));
    expect(await backend.post("/v1/mission-collections/start", {})).toMatchObject({ status: 400, code: "player.external_id_missing" });
  });
});
