import { describe, expect, test } from "vitest";
import { mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const backend = await service.sandbox(shop(mission("one")));
const save = (playerId: unknown, more: object = {}) => backend.post("/v1/players", { playerId, ...more });

describe("POST /v1/players", () => {
  test("creates a player, and answers with all fields", async () => {
    const { status, json } = await save("ann", { displayName: "Ann 漢 😀", timeZoneId: "Europe/Amsterdam" });
    expect([status, json]).toEqual([
      200,
      {
        playerId: "ann",
        displayName: "Ann 漢 😀",
        timeZoneId: "Europe/Amsterdam",
        createdAtUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect((await save("bob")).json).toMatchObject({ displayName: null, timeZoneId: null });
  });

  test("of a known player updates the given fields, null among them, and keeps the others", async () => {
    const { json: first } = await save("cid", { displayName: "Cid", timeZoneId: "UTC" });
    expect((await save("cid")).json).toEqual(first);
    expect((await save("cid", { displayName: "Cyd" })).json).toEqual({ ...first, displayName: "Cyd" });
    expect((await save("cid", { timeZoneId: null })).json).toEqual({ ...first, displayName: "Cyd", timeZoneId: null });
    expect((await save("cid", { displayName: null, timeZoneId: "Asia/Kolkata" })).json).toEqual({
      ...first,
      displayName: null,
      timeZoneId: "Asia/Kolkata",
    });
  });

  test("keeps the instant of the first contact of any kind", async () => {
    await backend.missions("dee");
    const { json } = await save("dee", { displayName: "Dee" });
    await backend.send({ playerId: "dee" });
    expect((await save("dee")).json).toEqual(json);
  });

  test("24 concurrent requests create one", async () => {
    const all = await Promise.all(Array.from({ length: 24 }, () => save("eve", { displayName: "Eve" })));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  });

  test.each([undefined, null, ""])("playerId %j is player.external_id_missing", async (playerId) => {
    const { status, json } = await save(playerId);
    expect([status, json.errors]).toEqual([
      400,
      [{ code: "player.external_id_missing", message: expect.any(String), pointer: "#/playerId" }],
    ]);
  });

  test.each(["a", "ß", "漢", "😀", "\u{10ffff}"])(
    "an id of %j repeated 200 times is stored and returned; 201 times is too long",
    async (one) => {
      expect((await save(one.repeat(200))).json.playerId).toBe(one.repeat(200));
      const { status, code } = await save(one.repeat(201));
      expect([status, code]).toEqual([400, "player.external_id_too_long"]);
    },
  );

  test.each([7, true, ["ann"], { id: "ann" }])("playerId %j is request.invalid", async (playerId) => {
    expect((await save(playerId)).code).toBe("request.invalid");
  });

  test("a display name has at most 200 characters, in any script", async () => {
    for (const one of ["a", "漢", "😀"]) {
      expect((await save("fay", { displayName: one.repeat(200) })).json.displayName).toBe(one.repeat(200));
      const { json } = await save("fay", { displayName: one.repeat(201) });
      expect([json.code, json.errors[0].pointer]).toEqual(["request.invalid", "#/displayName"]);
    }
    expect((await save("fay", { displayName: 7 })).code).toBe("request.invalid");
  });

  test.each(["Mars/Base", "+02:00", "-00:00", "Etc/GMT+99", "", " UTC", "Europe/Amsterdam\u0000", "CEST+1", "[UTC]", 7, {}])(
    "time zone %j is request.invalid",
    async (timeZoneId) => {
      const { status, json } = await save("gus", { timeZoneId });
      expect([status, json.code, json.errors[0].pointer]).toEqual([400, "request.invalid", "#/timeZoneId"]);
    },
  );

  test.each(["UTC", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "Etc/GMT+12", "Pacific/Kiritimati"])(
    "time zone %s is taken",
    async (timeZoneId) => {
      expect((await save("hal", { timeZoneId })).json.timeZoneId).toBe(timeZoneId);
    },
  );

  test("every problem is listed, in the order of the contract, and nothing is saved", async () => {
    const { json } = await save("", { timeZoneId: "x", displayName: 7 });
    expect(json.errors.map(({ code, pointer }: any) => [code, pointer])).toEqual([
      ["player.external_id_missing", "#/playerId"],
      ["request.invalid", "#/displayName"],
      ["request.invalid", "#/timeZoneId"],
    ]);
    await save("ida", { displayName: "Ida", timeZoneId: "nowhere" });
    expect((await backend.adjust("ida", 1)).code).toBe("player.not_found");
  });
});
