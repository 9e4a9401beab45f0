import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localDate, localHour } from "../kernel/time.ts";
import { type AlertRule, type HourRow, Hours, judge, previewOf } from "./judge.ts";

const HOUR = 3_600_000;
const ZONE = "Europe/Amsterdam";
const RULE: AlertRule = { figure: "Events", comparison: "Above", basis: "Bound", threshold: 10, hours: 1 };

/** Hours with values by instant. */
function hoursOf(
  values: ReadonlyMap<number, number>,
  { figure = RULE.figure, since = "2031-01-01", before = 0, timeZone = ZONE } = {},
): Hours {
  const rows = new Map<string, HourRow>();
  for (const [at, value] of values) {
    const [day, hour] = [localDate(at, timeZone), Number(localHour(at, timeZone))];
    const row = rows.get(`${day} ${hour}`);
    if (row === undefined) rows.set(`${day} ${hour}`, { day, hour, terms: [value] });
    else row.terms[0]! += value;
  }
  return new Hours(figure, { rows: [...rows.values()], before, since, timeZone });
}

const NOON = Date.parse("2031-03-24T11:00:00Z");
const at = (hours: number, minutes = 0) => NOON + hours * HOUR + minutes * 60_000;
const every = (from: number, to: number, value: number) =>
  new Map(Array.from({ length: to - from }, (_, index) => [at(from + index), value]));

describe("a bound", () => {
  test("above fires in the current hour, and continues until an hour is complete without it", () => {
    const hours = hoursOf(new Map([[at(0), 11], [at(1), 1]])); // oxfmt-ignore
    expect(judge(RULE, hours, at(0, 10))).toMatchObject({ isBreach: true, value: 11, bound: 10 });
    // The start of a new hour does not end a breach.
    expect(judge(RULE, hours, at(1, 10)).isBreach).toBe(true);
    expect(judge(RULE, hours, at(2, 2)).isBreach).toBe(true);
    expect(judge(RULE, hours, at(2, 10)).isBreach).toBe(false);
  });

  test("below fires for complete hours only, some minutes after the last", () => {
    const rule = { ...RULE, comparison: "Below", threshold: 1 } as const;
    const hours = hoursOf(every(-10, 0, 5));
    expect(judge(rule, hours, at(0, 59)).isBreach).toBe(false);
    expect(judge(rule, hours, at(1, 2)).isBreach).toBe(false);
    expect(judge(rule, hours, at(1, 10))).toMatchObject({ isBreach: true, value: 0 });
    expect(judge(rule, hours, at(9)).isBreach).toBe(true);
  });

  test("below does not judge a window that begins before the first hour that is counted", () => {
    const rule = { ...RULE, comparison: "Below", hours: 3 } as const;
    const hours = hoursOf(new Map([[at(0), 5]]), { since: localDate(NOON, ZONE) });
    expect(judge(rule, hours, at(1, 10))).toEqual({ isBreach: false, value: null, bound: 10 });
    expect(judge(rule, hours, at(3, 10))).toMatchObject({ isBreach: true, value: 5 });
    expect(judge({ ...rule, comparison: "Above", threshold: 1 }, hours, at(0, 10)).isBreach).toBe(true);
  });

  test.each(["Asia/Tokyo", "America/New_York"])(
    "below does not judge a window with hours of a former zone, %s: what happened then is counted at other hours",
    (zone) => {
      const rule = { ...RULE, comparison: "Below", threshold: 1, hours: 3 } as const;
      const rows = Array.from({ length: 10 }, (_, index) => at(index - 10, 30)).map((instant) => {
        return { day: localDate(instant, zone), hour: Number(localHour(instant, zone)), terms: [5] };
      });
      const moved = { at: at(0), zone };
      const hours = new Hours("Events", { rows, before: 0, since: "2031-01-01", timeZone: ZONE, moved });
      for (let hour = 0; hour < 3; hour++) expect(judge(rule, hours, at(hour, 30)).isBreach).toBe(false);
      // Once no hour has events of both zones, silence is noticed again: Tokyo's clock is eight hours ahead.
      expect(judge(rule, hours, at(13)).isBreach).toBe(true);
      expect(previewOf(rule, hours, at(14))).toHaveLength(2);
    },
  );

  test("an hour of a zone is complete some minutes after its own end, also where hours begin within those of UTC", () => {
    const rule = { ...RULE, comparison: "Below", threshold: 1 } as const;
    const noon = Date.parse("2031-03-24T06:30:00Z");
    const hours = hoursOf(new Map(Array.from({ length: 30 * 24 }, (_, index) => [noon - (index + 1) * HOUR, 5])), {
      ...{ timeZone: "Asia/Kolkata", since: "2031-02-01" },
    });
    const isBreach = (minutes: number) => judge(rule, hours, noon + minutes * 60_000).isBreach;
    expect([61, 64, 66, 89, 92, 121].map(isBreach)).toEqual([false, false, true, true, true, true]);
    expect(previewOf(rule, hours, noon + 61 * 60_000)).toEqual([{ from: noon, until: null, value: 0 }]);
  });

  test("an hour that the clock skips does not count as an hour without events", () => {
    const spring = Date.parse("2031-03-30T00:00:00Z");
    const rule = { ...RULE, comparison: "Below", threshold: 1 } as const;
    const values = new Map(Array.from({ length: 8 }, (_, index) => [spring + (index - 3) * HOUR, 2]));
    for (let hour = 0; hour < 5; hour++) {
      expect(judge(rule, hoursOf(values), spring + hour * HOUR + 10 * 60_000).isBreach, String(hour)).toBe(false);
    }
  });

  test("nothing is judged before the first day that is counted", () => {
    const rule = { ...RULE, comparison: "Below" } as const;
    const none = new Hours("Events", { rows: [], before: 0, since: null, timeZone: ZONE });
    expect(judge(rule, none, NOON)).toEqual({ isBreach: false, value: null, bound: 10 });
  });

  test("a level is read at the end of the hour; a share of few attempts is not judged", () => {
    const level = { ...RULE, figure: "PointsOutstanding", threshold: 100 } as const;
    const hours = hoursOf(new Map([[at(-30), 20], [at(-2), -5], [at(-1), 10]]), { figure: "PointsOutstanding", before: 80 }); // oxfmt-ignore
    expect(judge(level, hours, at(0, 10))).toMatchObject({ isBreach: true, value: 105 });
    const share = { ...RULE, figure: "RefusedShare", threshold: 0.5 } as const;
    const shareOf = (refused: number, bought: number) => {
      const row = { day: localDate(NOON, ZONE), hour: Number(localHour(NOON, ZONE)), terms: [refused, bought] };
      return judge(share, new Hours("RefusedShare", { rows: [row], before: 0, since: "2031-01-01", timeZone: ZONE }), at(0, 10));
    };
    expect(shareOf(12, 8)).toMatchObject({ isBreach: true, value: 0.6 });
    expect(shareOf(10, 1)).toMatchObject({ isBreach: false, value: null });
  });
});

describe("the usual", () => {
  const usual = { ...RULE, basis: "Usual", threshold: 3, hours: 2 } as const;
  const week = 7 * 24;
  const history = (today: number) => new Map([...[1, 2, 3, 4].map((one): [number, number] => [at(-one * week), one * 2]), [at(0), today]]);

  test("is the mean of the same hours of the four weeks before, of those that are counted", () => {
    expect(judge(usual, hoursOf(history(15)), at(0, 30))).toMatchObject({ isBreach: false, bound: 15 });
    expect(judge(usual, hoursOf(history(16)), at(0, 30)).isBreach).toBe(true);
    const since = localDate(at(-2 * week), ZONE);
    expect(judge(usual, hoursOf(history(16), { since }), at(0, 30))).toMatchObject({ isBreach: true, bound: 9 });
  });

  test("without history, or where it is 0, nothing is judged", () => {
    expect(judge(usual, hoursOf(new Map([[at(0), 50]])), at(0, 30))).toEqual({ isBreach: false, value: 50, bound: null });
    const since = localDate(NOON, ZONE);
    expect(judge(usual, hoursOf(history(50), { since }), at(0, 30))).toEqual({ isBreach: false, value: 50, bound: null });
  });
});

test("a preview has the breaches that checks at the beginning and at the end of every hour would have found", () => {
  // From a midnight of the zone up to noon of the next day.
  const START = at(-36);
  const since = localDate(START, ZONE);
  const values = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 36, maxLength: 36 });
  const rules = fc.record({
    comparison: fc.constantFrom("Above", "Below"),
    threshold: fc.constantFrom(1, 6, 10, 20),
    hours: fc.constantFrom(1, 3),
  });
  fc.assert(
    fc.property(values, rules, (counts, rest) => {
      const rule: AlertRule = { figure: "Events", basis: "Bound", ...rest } as AlertRule;
      const until = (hour: number) =>
        hoursOf(new Map(counts.slice(0, hour).map((count, index) => [START + index * HOUR, count])), { since });
      let fired = 0;
      let isOpen = false;
      const check = (hours: Hours, now: number) => {
        const { isBreach } = judge(rule, hours, now);
        if (isBreach && !isOpen) fired++;
        isOpen = isBreach;
      };
      for (let hour = 0; hour <= counts.length; hour++) {
        // Checks six minutes into the hour, when it has no data yet, and in its last minute.
        check(until(hour), START + hour * HOUR + 6 * 60_000);
        if (hour < counts.length) check(until(hour + 1), START + hour * HOUR + 59 * 60_000);
      }
      expect(previewOf(rule, until(counts.length), NOON)).toHaveLength(fired);
    }),
    { numRuns: 100 },
  );
});
