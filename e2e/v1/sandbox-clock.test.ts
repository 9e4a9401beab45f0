import { expect, test } from "vitest";
import { atLeast, mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const COMPLETED = { includeCompleted: true };

test("every answer has the time once the clock was moved, and every instant is on that clock", async () => {
  const { sandbox, live } = await service.customer();
  for (const backend of [sandbox, live]) await backend.define(shop(mission("one")));
  expect((await sandbox.get("/v1/points?PlayerId=ann")).headers["x-sandbox-time"]).toBeUndefined();
  await sandbox.moveTo("2031-05-10T12:00:00Z");
  const replies = [
    await sandbox.post("/v1/players", { playerId: "ann" }),
    await sandbox.post("/v1/missions", { playerId: "ann" }),
    await sandbox.batch({ playerId: "ann" }),
    await sandbox.adjust("ann", 1),
    await sandbox.accept("ann", "one"),
    await sandbox.accept("ann", "none"),
    await sandbox.get("/v1/points/transactions?PlayerId=ann"),
    await sandbox.post("/v1/players", "{"),
    await sandbox.get("/v1/nothing"),
  ];
  for (const { headers, status } of replies)
    expect([status, headers["x-sandbox-time"]]).toEqual([status, expect.stringMatching(/^2031-05-10T12:0\d:\d\d\.\d{3}Z$/)]);
  const [player, missions, , adjusted] = replies.map(({ json }) => json);
  await sandbox.applied();
  const completed = await sandbox.mission("ann", "one", COMPLETED);
  const [grant] = await sandbox.transactions("ann");
  const instants = [
    player.createdAtUtc,
    missions[0].startedAtUtc,
    missions[0].acceptedAtUtc,
    adjusted.occurredAtUtc,
    completed.completedAtUtc,
    grant.occurredAtUtc,
  ];
  for (const instant of instants) expect(instant).toMatch(/^2031-05-10T12:0/);

  const ofLive = await live.post("/v1/players", { playerId: "ann" });
  expect(ofLive.headers["x-sandbox-time"]).toBeUndefined();
  expect(Math.abs(Date.parse(ofLive.json.createdAtUtc) - Date.now())).toBeLessThan(60_000);
});

test("the clock moves forward only, and only in the Sandbox", async () => {
  const { sandbox, live } = await service.customer();
  await sandbox.advance("P1D");
  await expect(sandbox.advance("-P1D")).rejects.toThrow();
  await expect(sandbox.advance("PT0S")).rejects.toThrow();
  await expect(live.advance("P1D")).rejects.toThrow();
  const shown = (await sandbox.get("/v1/points?PlayerId=a")).headers["x-sandbox-time"] as string;
  expect(Math.abs(Date.parse(shown) - 86_400_000 - Date.now())).toBeLessThan(60_000);
});

test("a day that the clock is moved by is a day of the project's zone, however long it is", async () => {
  const backend = await service.sandbox({}, { timeZone: "Europe/Amsterdam" });
  await backend.moveTo("2031-03-29T12:00:00Z");
  await backend.advance("P1D");
  expect((await backend.get("/v1/points?PlayerId=a")).headers["x-sandbox-time"]).toMatch(/^2031-03-30T11:00:/);
});

test("a clock moved during a stream of events loses and repeats none", async () => {
  const backend = await service.sandbox(shop(mission("many", { objectives: [atLeast(1_000)] })));
  await backend.missions("ann");
  const sending = Promise.all(Array.from({ length: 10 }, () => backend.send(...Array.from({ length: 20 }, () => ({ playerId: "ann" })))));
  for (let step = 0; step < 5; step++) await backend.advance("PT1H");
  await sending;
  await backend.applied();
  expect(await backend.counterValue("ann", "many")).toBe(200);
});
