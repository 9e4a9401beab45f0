import { expect, describe, test } from "vitest";
import { atLeast, mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";
import { observe, counterValues } from "../observed.ts";

const service = await startService();

describe("a filter", () => {
  const where = (property: string, operator: string, value: unknown) => ({ property, operator, value });
  /** The number of events that each filter lets through. */
  async function expectCounts(filters: [object, number][], events: object[]): Promise<void> {
    const { after } = await observe(service, ...filters.map(([filter]) => atLeast(99, { where: filter })));
    const counts = counterValues(await after(...events));
    expect(filters.map(([filter], index) => [filter, counts[index]])).toEqual(filters);
  }

  test("over text, an event without the property among them", async () => {
    const isTea = where("drink", "EqualTo", "tea");
    const isLatte = where("drink", "EqualTo", "latte");
    const filters: [object, number][] = [
      [where("drink", "EqualTo", "mocha"), 1],
      [where("drink", "NotEqualTo", "mocha"), 4],
      [where("drink", "In", ["mocha", "tea"]), 2],
      [where("drink", "NotIn", ["mocha", "tea"]), 3],
      [{ all: [where("drink", "NotEqualTo", "tea"), where("drink", "NotEqualTo", "latte")] }, 3],
      [{ any: [isTea, isLatte] }, 2],
      [{ not: isTea }, 4],
      [{ not: { any: [where("drink", "In", ["tea"]), { not: isLatte }] } }, 1],
    ];
    await expectCounts(filters, [{ drink: "latte" }, { drink: "mocha" }, { drink: "Mocha" }, { drink: "tea" }, {}]);
  });

  test("over a number, an event without it among them", async () => {
    const filters: [object, number][] = [
      [where("amount", "EqualTo", 10), 1],
      [where("amount", "NotEqualTo", 10), 3],
      [where("amount", "GreaterThan", 10), 1],
      [where("amount", "GreaterThanOrEqualTo", 10), 2],
      [where("amount", "LessThan", 10), 1],
      [where("amount", "LessThanOrEqualTo", 10), 2],
      [where("amount", "In", [9.5, 11]), 2],
      [where("amount", "NotIn", [9.5, 11]), 2],
    ];
    await expectCounts(filters, [{ amount: 9.5 }, { amount: 10 }, { amount: 11 }, {}]);
  });

  test("over weekdays and hours, on the player's clock", async () => {
    const when = (times: object) => atLeast(99, { where: { when: times } });
    const night = { when: { weekdays: ["Friday"], from: "22:00", until: "02:00" } };
    const source = { event: "order_placed", where: night };
    const definitions = {
      streaks: [{ key: "nights", name: "Nights", cadence: "Day", ...source }],
      leaderboards: [
        { key: "owls", name: "Owls", scoreSource: "Event", rankOrder: "HighestFirst", period: { kind: "AllTime" }, ...source },
      ],
      ...shop(
        mission("for_owls", {
          audience: { rule: { ...source, operator: "GreaterThanOrEqualTo", value: 2 }, otherwise: "Locked" },
          objectives: [atLeast(9)],
        }),
        mission("m", {
          objectives: [
            when({ weekdays: ["Friday"], from: "17:00", until: "19:00" }),
            atLeast(99, { where: night }),
            when({ until: "12:00" }),
            atLeast(99, { where: { all: [{ when: { weekdays: ["Friday"] } }, where("drink", "EqualTo", "tea")] } }),
          ],
        }),
      ),
    };
    const backend = await service.sandbox(definitions);
    // A Friday and the Saturday after it; New York is four hours behind UTC.
    const friday = ["17:00", "18:59", "19:00", "22:30"].map((time) => `2020-07-03T${time}:00Z`);
    const instants = [...friday, "2020-07-04T01:30:00Z", "2020-07-04T02:00:00Z"];
    const counts = async (playerId: string, timeZoneId: string) => {
      await backend.post("/v1/players", { playerId, timeZoneId });
      await backend.missions(playerId);
      await backend.play(...instants.map((occurredAt) => ({ playerId, occurredAt, properties: { drink: "tea" } })));
      return counterValues((await backend.mission(playerId, "m")).objectives);
    };
    expect(await counts("ann", "UTC")).toEqual([2, 2, 2, 4]);
    expect(await counts("bob", "America/New_York")).toEqual([1, 1, 0, 6]);
    expect((await backend.board("bob", "owls")).leaderboard.me).toEqual({ rank: 2, score: 1 });
    expect((await backend.board("ann", "owls")).leaderboard.me).toEqual({ rank: 1, score: 2 });
    const statuses = await Promise.all(["ann", "bob"].map((playerId) => backend.mission(playerId, "for_owls")));
    expect(statuses.map(({ status }) => status)).toEqual(["InProgress", "Locked"]);
    const [streak] = (await backend.get("/v1/streaks?PlayerId=ann")).json;
    // The period is the calendar's: the early Saturday is a day of its own.
    expect(streak).toMatchObject({ streakKey: "nights", longestLength: 2 });
    // Counted events stay counted, and the integrity check after all tests does not report them.
    await backend.post("/v1/players", { playerId: "ann", timeZoneId: "Asia/Kathmandu" });
  });

  test("over a boolean", async () => {
    const filters: [object, number][] = [
      [where("takeaway", "EqualTo", true), 1],
      [where("takeaway", "NotEqualTo", true), 2],
      [where("takeaway", "EqualTo", false), 1],
    ];
    await expectCounts(filters, [{ takeaway: true }, { takeaway: false }, {}]);
  });

  test("over an instant, in any zone", async () => {
    const filters: [object, number][] = [
      [where("pickup_at", "EqualTo", "2026-06-01T12:00:00+02:00"), 1],
      [where("pickup_at", "GreaterThan", "2026-06-01T10:00:00Z"), 1],
      [where("pickup_at", "GreaterThanOrEqualTo", "2026-06-01T10:00:00Z"), 2],
      [where("pickup_at", "LessThan", "2026-06-01T10:00:00Z"), 1],
      [where("pickup_at", "In", ["2026-06-01T05:00:00-05:00"]), 1],
    ];
    const instants = ["2026-06-01T11:59:59.999+02:00", "2026-06-01T10:00:00.000Z", "2026-06-01T10:00:00.001Z"];
    await expectCounts(
      filters,
      instants.map((pickup_at) => ({ pickup_at })),
    );
  });
});
