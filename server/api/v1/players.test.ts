import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { testApi } from "../testing/calls.ts";

const database = await testDatabase();
const api = await testApi(database);

test("a new player has the given fields, and null for the rest", async () => {
  const { sandboxKey } = await testProject(database);
  const reply = await api.post("/v1/players", { playerId: "ann" }, sandboxKey);
  expect(reply.status).toBe(200);
  expect(reply.json).toEqual({
    playerId: "ann",
    displayName: null,
    timeZoneId: null,
    createdAtUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

test("for a known player only the given fields are updated; null clears one", async () => {
  const { sandboxKey } = await testProject(database);
  const save = async (fields: object) => (await api.post("/v1/players", { playerId: "ann", ...fields }, sandboxKey)).json;
  const created = await save({ displayName: "Ann", timeZoneId: "Europe/Amsterdam" });
  expect(await save({})).toEqual(created);
  expect(await save({ displayName: "Anna" })).toEqual({ ...created, displayName: "Anna" });
  expect(await save({ timeZoneId: null })).toEqual({ ...created, displayName: "Anna", timeZoneId: null });
  expect(await save({ displayName: null })).toEqual({ ...created, displayName: null, timeZoneId: null });
});

test("a player is created on the environment's clock", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  await database.sql`update environments set clock_offset_ms = ${40 * 86_400_000} where id = ${sandbox.id}`;
  const { json } = await api.post("/v1/players", { playerId: "ann" }, sandboxKey);
  expect(Date.parse(json.createdAtUtc)).toBeGreaterThan(Date.now() + 39 * 86_400_000);
});

test("Sandbox and Live share no player", async () => {
  const { sandboxKey, liveKey } = await testProject(database);
  await api.post("/v1/players", { playerId: "ann", displayName: "Sandbox Ann" }, sandboxKey);
  expect((await api.post("/v1/players", { playerId: "ann" }, liveKey)).json.displayName).toBeNull();
});

test("a name of 200 characters and an IANA time zone are accepted, nothing beyond", async () => {
  const { sandboxKey } = await testProject(database);
  const save = (fields: object) => api.post("/v1/players", { playerId: "ann", ...fields }, sandboxKey);
  expect((await save({ displayName: "😀".repeat(200), timeZoneId: "America/Argentina/Buenos_Aires" })).status).toBe(200);
  for (const wrong of [
    { displayName: "😀".repeat(201) },
    { displayName: 1 },
    { timeZoneId: "Mars/Olympus" },
    { timeZoneId: "+02:00" },
    { timeZoneId: "" },
    { timeZoneId: 1 },
  ]) {
    const [field] = Object.keys(wrong);
    expect((await save(wrong)).json, JSON.stringify(wrong)).toMatchObject({
      status: 400,
      code: "request.invalid",
      errors: [{ pointer: `#/${field}` }],
    });
  }
});

test("two simultaneous requests create one player", async () => {
  const { sandboxKey } = await testProject(database);
  const replies = await Promise.all(Array.from({ length: 8 }, () => api.post("/v1/players", { playerId: "ann" }, sandboxKey)));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
});
