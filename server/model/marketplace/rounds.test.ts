import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDuration, type Calendar } from "../kernel/time.ts";
import { listing } from "./testing.ts";
import { nextRoundAt, roundAt } from "./eligibility.ts";

const AMSTERDAM = "Europe/Amsterdam";
const at = (instant: string) => Date.parse(instant);
const every = (calendar: Calendar, parts = {}) => listing({ recurrence: { kind: "Calendar", every: calendar }, ...parts });

test("a listing without recurrence has one round, number 0", () => {
  for (const now of ["2026-01-15T12:00:00Z", "2031-07-01T00:00:00Z"])
    expect(roundAt(listing(), at(now), AMSTERDAM)).toEqual({ number: 0, start: "" });
});

describe("the rounds of a listing", () => {
  test.each<[Calendar, string, number, string]>([
    ["Month", "2026-01-15T12:00:00Z", 0, "2026-01-01"],
    // Winter: midnight in Amsterdam is 23:00 in UTC.
    ["Month", "2026-01-31T22:59:59.999Z", 0, "2026-01-01"],
    ["Month", "2026-01-31T23:00:00Z", 1, "2026-02-01"],
    // The clocks went forward on 29 March: from here on it is 22:00.
    ["Month", "2026-03-31T21:59:59.999Z", 2, "2026-03-01"],
    ["Month", "2026-03-31T22:00:00Z", 3, "2026-04-01"],
    // They went back on 25 October.
    ["Month", "2026-10-31T22:30:00Z", 9, "2026-10-01"],
    ["Month", "2026-10-31T23:00:00Z", 10, "2026-11-01"],
    ["Month", "2027-01-01T00:00:00Z", 12, "2027-01-01"],
    ["Week", "2026-01-18T22:59:59Z", 0, "2026-01-12"],
    ["Week", "2026-01-18T23:00:00Z", 1, "2026-01-19"],
    // The day of 23 hours, and the day of 25.
    ["Day", "2026-03-29T21:59:59Z", 73, "2026-03-29"],
    ["Day", "2026-03-29T22:00:00Z", 74, "2026-03-30"],
    ["Day", "2026-10-25T22:59:59Z", 283, "2026-10-25"],
    ["Day", "2026-10-25T23:00:00Z", 284, "2026-10-26"],
  ])("by %s at %s is number %i of those since it was made, from %s", (calendar, now, number, start) => {
    expect(roundAt(every(calendar), at(now), AMSTERDAM)).toEqual({ number, start });
  });

  test("are followed by another one, unless the sale ends with them", () => {
    const next = (endsAt: string | null) =>
      nextRoundAt(every("Month", { onSale: { startsAt: null, endsAt: endsAt && at(endsAt) } }), at("2026-03-10T12:00:00Z"), AMSTERDAM);
    const april = at("2026-03-31T22:00:00Z");
    expect([null, "2026-04-01T00:00:00Z", "2026-03-31T22:00:00Z", "2026-03-20T00:00:00Z"].map(next)).toEqual([april, april, null, null]);
    expect(nextRoundAt(listing(), april, AMSTERDAM)).toBe(null);
  });

  test("are counted from the start of the sale, if it has one", () => {
    const onSale = { startsAt: at("2026-03-31T21:30:00Z"), endsAt: null };
    expect(roundAt(every("Month", { onSale }), at("2026-03-31T21:45:00Z"), AMSTERDAM).number).toBe(0);
    expect(roundAt(every("Month", { onSale }), at("2026-03-31T22:00:00Z"), AMSTERDAM).number).toBe(1);
  });

  test("are unaffected by edits: another start of the sale changes the shown number, not the counts", () => {
    const now = at("2026-05-10T00:00:00Z");
    const before = roundAt(every("Month"), now, AMSTERDAM);
    const after = roundAt(every("Month", { onSale: { startsAt: at("2026-04-01T00:00:00Z"), endsAt: null } }), now, AMSTERDAM);
    expect([before, after]).toEqual([
      { number: 4, start: "2026-05-01" },
      { number: 1, start: "2026-05-01" },
    ]);
  });

  test("are the same in another zone: a month that has ended there and runs here is one round", () => {
    const now = at("2026-05-31T23:00:00Z");
    expect(roundAt(every("Month"), now, AMSTERDAM).start).toBe("2026-06-01");
    expect(roundAt(every("Month"), now, "Pacific/Honolulu").start).toBe("2026-05-01");
    expect(roundAt(every("Month"), at("2026-05-20T00:00:00Z"), AMSTERDAM).start).toBe("2026-05-01");
  });

  test("follow each other without gaps, through every change of the clocks", () => {
    const zones = fc.constantFrom(AMSTERDAM, "America/St_Johns", "Australia/Lord_Howe", "Asia/Beirut", "Pacific/Apia", "UTC");
    const calendars = fc.constantFrom<Calendar>("Day", "Week", "Month");
    fc.assert(
      fc.property(zones, calendars, fc.integer({ min: 0, max: 1_500 }), (zone, calendar, steps) => {
        const one = every(calendar);
        const now = addDuration(one.createdAt, zone, `P${steps}D`)!;
        const later = addDuration(one.createdAt, zone, `P${steps + 1}D`)!;
        const [a, b] = [roundAt(one, now, zone), roundAt(one, later, zone)];
        // Pacific/Apia has left no day out since 2011.
        expect(b.number - a.number).toBe(calendar === "Day" ? 1 : b.start === a.start ? 0 : 1);
        expect(b.start >= a.start).toBe(true);
      }),
    );
  });
});
