import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leaderboard } from "./testing.ts";
import { boundsOf, periodOf } from "./periods.ts";
import { type ZoneChange, zonesPassed } from "./zones.ts";

const HOUR = 3_600_000;
const CREATED = Date.parse("2031-03-01T05:30:00Z");
const ZONES = ["UTC", "Pacific/Auckland", "America/New_York", "Asia/Tokyo", "Pacific/Pago_Pago", "Pacific/Kiritimati"];
const calendar = (every: "Day" | "Week" | "Month", changes: readonly ZoneChange[]) => {
  const period = { kind: "Calendar", every } as const;
  return leaderboard({ period, createdAt: CREATED, ...zonesPassed({ period, createdAt: CREATED }, changes) });
};
const at = (text: string) => Date.parse(text);

describe("a board of a project that moves to another zone", () => {
  test("keeps the running day, which ends by the new zone; the previous day is over", () => {
    const board = calendar("Day", [{ at: at("2031-03-11T00:05:00Z"), zone: "UTC" }]);
    const dayOf = (instant: string) => periodOf(board, at(instant), "America/New_York");
    expect(dayOf("2031-03-10T23:59:00Z")).toMatchObject({ start: "2031-03-10", endsAt: at("2031-03-11T00:00:00Z") });
    expect(dayOf("2031-03-11T00:06:00Z")).toMatchObject({
      start: "2031-03-11",
      startsAt: at("2031-03-11T00:00:00Z"),
      endsAt: at("2031-03-12T04:00:00Z"),
    });
    expect(dayOf("2031-03-12T04:00:00Z")?.start).toBe("2031-03-12");
  });

  test("is in its new day immediately if the new zone is", () => {
    const board = calendar("Day", [{ at: at("2031-03-10T18:00:00Z"), zone: "UTC" }]);
    expect(periodOf(board, at("2031-03-10T18:00:00Z"), "Asia/Tokyo")).toMatchObject({
      start: "2031-03-11",
      startsAt: at("2031-03-10T15:00:00Z"),
    });
  });

  test("numbers its periods as before", () => {
    const board = calendar("Day", [{ at: at("2031-03-01T20:00:00Z"), zone: "UTC" }]);
    const numbered = (zone: string, start: string) => periodOf(board, at(start), zone)?.number;
    expect([numbered("Asia/Tokyo", "2031-03-01T15:00:00Z"), numbered("America/New_York", "2031-03-02T12:00:00Z")]).toEqual([1, 1]);
  });

  test("is unaffected if created after the move", () => {
    const board = calendar("Day", [{ at: CREATED - HOUR, zone: "Pacific/Auckland" }]);
    expect([board.begun, board.firstZone]).toEqual([null, null]);
  });

  test("never returns to an earlier period, and has one period for each instant, for any moves of the project", () => {
    const moves = fc.array(fc.record({ zone: fc.constantFrom(...ZONES), after: fc.integer({ min: 1, max: 60 * HOUR }) }), { maxLength: 5 });
    fc.assert(
      fc.property(moves, fc.constantFrom("Day", "Week", "Month"), fc.constantFrom(...ZONES), (all, every, last) => {
        const changes: ZoneChange[] = [];
        let now = CREATED;
        let shown: { start: string; number: number } | null = null;
        const walk = (zone: string, until: number) => {
          const board = calendar(every, changes);
          for (; now < until; now += 7 * 60_000 * 17) {
            const period = periodOf(board, now, zone);
            expect(period).not.toBeNull();
            const { start, number, startsAt, endsAt } = period!;
            expect([startsAt! <= now, now < endsAt!]).toEqual([true, true]);
            expect(boundsOf(board, start, zone)).toMatchObject({ startsAt, endsAt });
            if (shown !== null) {
              expect(start >= shown.start).toBe(true);
              expect(number === shown.number).toBe(start === shown.start);
            }
            shown = { start, number };
            expect(periodOf(board, endsAt!, zone)!.start > start).toBe(true);
          }
        };
        for (const { zone, after } of all) {
          const until = now + after;
          walk(zone, until);
          now = until;
          changes.push({ at: until, zone });
        }
        walk(last, now + 50 * HOUR);
      }),
      { numRuns: 200 },
    );
  });
});
