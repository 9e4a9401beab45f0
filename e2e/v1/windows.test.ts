import { describe, expect, test } from "vitest";
import { atLeast, mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const COMPLETED = { includeCompleted: true };
const two = { objectives: [atLeast(2)] };

describe("a window", () => {
  test("that has not begun: the mission is not shown until its start", async () => {
    const backend = await service.sandbox(shop(mission("windowed", { window: { startsAt: "2031-05-10T00:00:00Z" }, ...two })));
    expect(await backend.mission("ann", "windowed")).toBeUndefined();
    await backend.moveTo("2031-05-09T23:59:00Z");
    expect(await backend.mission("ann", "windowed")).toBeUndefined();
    await backend.moveTo("2031-05-10T00:00:00Z");
    expect(await backend.mission("ann", "windowed")).toMatchObject({ status: "InProgress", occurrenceNumber: 0, availableUntilUtc: null });
  });

  test("does not count events from before its start, even if sent later; events at its start or in the future count", async () => {
    const backend = await service.sandbox(
      shop(
        mission("windowed", {
          window: { startsAt: "2026-01-31T09:00:00+01:00", endsAt: "2300-01-01T00:00:00Z" },
          objectives: [atLeast(9)],
        }),
      ),
    );
    await backend.mission("ann", "windowed");
    const inTheFuture = new Date(Date.now() + 23 * 3_600_000).toISOString();
    const instants = ["2026-01-31T07:59:59.999Z", "2026-01-31T08:00:00Z", "2026-01-31T08:00:00.001Z", inTheFuture];
    await backend.play(...instants.map((occurredAt) => ({ playerId: "ann", occurredAt })));
    expect(await backend.counterValue("ann", "windowed")).toBe(3);
  });

  test("that closes stops entry and nothing else", async () => {
    const window = { startsAt: "2026-01-01T00:00:00Z", endsAt: "2031-05-10T00:00:00Z" };
    const backend = await service.sandbox(
      shop(mission("windowed", { window, ...two }), mission("manual", { window, ...two, optIn: "Manual" })),
    );
    for (const playerId of ["ann", "bob"]) await backend.missions(playerId);
    await backend.accept("bob", "manual");
    await backend.moveTo("2031-05-09T23:59:00Z");
    expect(await backend.missions("late")).toHaveLength(2);
    await backend.moveTo("2031-05-10T00:00:00Z");

    expect(await backend.missions("new", COMPLETED)).toEqual([]);
    const [row, ...others] = await backend.missions("ann");
    expect(row).toMatchObject({ missionKey: "windowed", status: "InProgress", availableUntilUtc: "2031-05-10T00:00:00.000Z" });
    expect(others).toEqual([]);
    expect((await backend.missions("bob")).map(({ missionKey }) => missionKey)).toEqual(["windowed", "manual"]);

    await backend.play(...["ann", "bob", "new"].flatMap((playerId) => [{ playerId }, { playerId, occurredAt: "2031-05-10T20:00:00Z" }]));
    const balances = await Promise.all(["ann", "bob", "new"].map(async (playerId) => (await backend.points(playerId)).balance));
    expect(balances).toEqual([10, 20, 0]);
    expect((await backend.mission("ann", "windowed", COMPLETED)).status).toBe("Completed");
  });

  test("that closed on an offer: accepting it is mission.offer_closed; one never made stays mission.not_locked_in", async () => {
    const backend = await service.sandbox(shop(mission("manual", { optIn: "Manual", window: { endsAt: "2031-05-10T00:00:00Z" } })));
    await backend.missions("ann");
    await backend.missions("bob");
    await backend.accept("bob", "manual");
    await backend.moveTo("2031-05-10T00:00:01Z");
    const closed = await backend.accept("ann", "manual");
    expect([closed.status, closed.code]).toEqual([409, "mission.offer_closed"]);
    expect((await backend.accept("bob", "manual")).status).toBe(204);
    await backend.missions("new");
    expect((await backend.accept("new", "manual")).code).toBe("mission.not_locked_in");
    expect(await backend.missions("ann", COMPLETED)).toEqual([]);
  });

  test("that is opened again lets new players in", async () => {
    const backend = await service.sandbox(shop(mission("windowed", { window: { endsAt: "2031-05-10T00:00:00Z" }, ...two })));
    await backend.moveTo("2031-05-11T00:00:00Z");
    expect(await backend.mission("ann", "windowed")).toBeUndefined();
    await backend.define(shop(mission("windowed", { window: { endsAt: "2031-06-10T00:00:00Z" }, ...two })));
    expect(await backend.mission("ann", "windowed")).toMatchObject({ availableUntilUtc: "2031-06-10T00:00:00.000Z" });
  });
});
