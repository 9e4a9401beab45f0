import { describe, expect, test } from "vitest";
import { BLOCKED, NOT_BLOCKED, measured, mission, orders, atLeast, shop } from "../definitions.ts";
import type { Reply } from "../http.ts";
import { startService } from "../listening.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const service = await startService();
const refused = ({ status, code }: Reply) => [status, code];
const COMPLETED = { includeCompleted: true };

describe("POST /v1/missions/{missionKey}/accept", () => {
  const manual = mission("manual", { optIn: "Manual", objectives: [atLeast(2)] });

  test("accepts an offer: events count from then on", async () => {
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

  test("changes nothing when repeated, in progress or after completion, nor for an automatic mission", async () => {
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

  test("of a mission never offered is mission.not_locked_in: unknown mission, unknown player, never read, cut off by take", async () => {
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

  test("accepts the mission in the path, whatever mission the body names", async () => {
    const backend = await service.sandbox(shop(manual, { ...manual, key: "other" }));
    await backend.missions("ann");
    await backend.post("/v1/missions/manual/accept", { playerId: "ann", missionKey: "other" });
    expect((await backend.missions("ann")).map(({ missionKey, status }) => [missionKey, status])).toEqual([
      ["manual", "InProgress"],
      ["other", "Available"],
    ]);
  });

  test("with a path that is not UTF-8, or without a key, is 404", async () => {
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

  test("evaluates every objective: a mission without open ones is complete immediately", async () => {
    const gift = mission("gift", { optIn: "Manual", objectives: [orders("LessThan", 1, measured("DistinctDays")), NOT_BLOCKED] });
    const backend = await service.sandbox({ attributes: [BLOCKED], ...shop(gift) });
    expect(await backend.missions("ann")).toMatchObject([{ status: "Available" }]);
    expect((await backend.points("ann")).balance).toBe(0);
    expect((await backend.accept("ann", "gift")).status).toBe(204);
    expect((await backend.points("ann")).balance).toBe(10);
    expect(await backend.missions("ann", COMPLETED)).toMatchObject([{ status: "Completed" }]);
  });

  test("of a mission that is switched off does not show it", async () => {
    const backend = await service.sandbox(shop(manual));
    await backend.missions("ann");
    await backend.define(shop({ ...manual, active: false }));
    await backend.accept("ann", "manual");
    expect(await backend.missions("ann", COMPLETED)).toEqual([]);
  });
});
