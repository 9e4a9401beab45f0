import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Calendar,
  type Period,
  addDuration,
  formatInstant,
  isTimeZone,
  localDate,
  parseInstant,
  periodAt,
  periodsBetween,
} from "./time.ts";

const at = (text: string): number => {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`${text} is no instant`);
  return instant;
};

const DAY = 86_400_000;
const everyInstant = fc.integer({ min: at("0001-01-01T00:00:00Z"), max: at("9999-12-31T23:59:59.999Z") });

describe("a timestamp is read as RFC 3339 defines it", () => {
  test.each([
    ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31t09:00:00z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:00.5Z", "2026-01-31T09:00:00.500Z"],
    ["2026-01-31T09:00:00.05Z", "2026-01-31T09:00:00.050Z"],
    ["2026-01-31T09:00:00.1239999999999999Z", "2026-01-31T09:00:00.123Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
    ["2026-01-31T09:00:00+01:00", "2026-01-31T08:00:00.000Z"],
    ["2026-01-31T23:30:00-05:45", "2026-02-01T05:15:00.000Z"],
    ["2026-01-31T09:00:00-00:00", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:00+23:59", "2026-01-30T09:01:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["0000-12-31T23:30:00-01:00", "0001-01-01T00:30:00.000Z"],
    ["9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
    ["2016-12-31T23:59:60.7Z", "2016-12-31T23:59:59.700Z"],
    ["1990-12-31T15:59:60-08:00", "1990-12-31T23:59:59.000Z"],
    ["2017-01-01T05:44:60+05:45", "2016-12-31T23:59:59.000Z"],
  ])("%s is %s", (text, expected) => {
    expect(formatInstant(at(text))).toBe(expected);
  });

  test.each(
    [
      ["", "2026", "2026-01-31", "2026-01-31T09:00Z", "2026-01-31T09:00:00", "2026-01-31T09:00:00.123", "2026-01-31 09:00:00Z"],
      ["2026-1-31T09:00:00Z", "2026-01-31T9:00:00Z", "26-01-31T09:00:00Z", "+002026-01-31T09:00:00Z", "-2026-01-31T09:00:00Z"],
      ["2026-00-10T09:00:00Z", "2026-13-10T09:00:00Z", "2026-01-00T09:00:00Z", "2026-01-32T09:00:00Z", "2026-04-31T09:00:00Z"],
      ["2026-02-29T09:00:00Z", "1900-02-29T09:00:00Z", "2024-02-30T09:00:00Z"],
      ["2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:00:61Z", "2026-01-31T09:00:60Z", "2026-01-30T23:59:60Z"],
      [
        "2016-12-31T23:59:60+01:00",
        "2026-01-31T09:00:00.Z",
        "2026-01-31T09:00:00,5Z",
        "2026-01-31T09:00:00.5 Z",
        "2026-01-31T09:00:00.+01:00",
      ],
      [
        "2026-01-31T09:00:00+1:00",
        "2026-01-31T09:00:00+0100",
        "2026-01-31T09:00:00+01",
        "2026-01-31T09:00:00+24:00",
        "2026-01-31T09:00:00+01:60",
      ],
      [
        "2026-01-31T09:00:00\u221201:00",
        "2026-01-31T09:00:00ZZ",
        "2026-01-31T09:00:00Z ",
        " 2026-01-31T09:00:00Z",
        "2026-01-31T09:00:00UTC",
      ],
      ["2026-01-31T09:00:00Z[Europe/Amsterdam]", "２026-01-31T09:00:00Z", "20 6-01-31T09:00:00Z", "2026-01-31T09:00:+1Z", "1769850000000"],
      ["0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
    ].flat(),
  )("%j is refused", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test("every instant is formatted as Date formats it, and reads back", () => {
    fc.assert(
      fc.property(everyInstant, (instant) => {
        expect(formatInstant(instant)).toBe(new Date(instant).toISOString());
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
      { numRuns: 500 },
    );
  });

  test("each day of two centuries is read and printed", () => {
    for (let day = at("1900-01-01T00:00:00Z"); day < at("2100-01-01T00:00:00Z"); day += DAY) {
      if (parseInstant(new Date(day).toISOString()) !== day || formatInstant(day) !== new Date(day).toISOString()) expect.fail(String(day));
    }
  });

  test("an offset is subtracted", () => {
    const offsets = fc.tuple(fc.constantFrom("+", "-"), fc.nat(23), fc.nat(59));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), offsets, (instant, [sign, hours, minutes]) => {
        const offset = (sign === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
        const local = new Date(instant + offset).toISOString().slice(0, -1);
        expect(parseInstant(`${local}${sign}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`)).toBe(instant);
      }),
    );
  });

  test("any text is read or refused, and none throws", () => {
    const near = fc.stringMatching(
      /^[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,5})?(Z|[+-][0-2][0-9]:[0-6][0-9])?$/,
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const instant = parseInstant(text);
        const leapSecond = text.slice(17, 19) === "60";
        if (instant !== null && !leapSecond) expect(instant).toBe(Date.parse(text.toUpperCase()));
      }),
      { numRuns: 500 },
    );
  });

  test("formatting an instant out of range throws", () => {
    for (const bad of [NaN, Infinity, at("0001-01-01T00:00:00Z") - 1, at("9999-12-31T23:59:59.999Z") + 1]) {
      expect(() => formatInstant(bad)).toThrow(RangeError);
    }
  });
});

test.each([
  ["Europe/Amsterdam", true],
  ["europe/amsterdam", true],
  ["Europe/Kiev", true],
  ["Asia/Calcutta", true],
  ["America/Argentina/Buenos_Aires", true],
  ["UTC", true],
  ["Etc/GMT+5", true],
  ["+02:00", false],
  ["-05", false],
  ["Z", false],
  ["T12:00Z", false],
  ["T1200[Europe/Amsterdam]", false],
  ["2026-01-01T00:00[UTC]", false],
  ["UTC+1", false],
  ["Europe/Atlantis", false],
  ["Europe/Amsterdam ", false],
  ["", false],
  ["Europe\0/Amsterdam", false],
  ["__proto__", false],
])("%j is a zone: %s", (id, expected) => {
  expect(isTimeZone(id)).toBe(expected);
});

describe("periods follow the calendar of the zone", () => {
  const hours = ({ startsAt, endsAt }: Period): number => (endsAt - startsAt) / 3_600_000;

  test.each<[string, Calendar, string, string, string, number]>([
    ["Europe/Amsterdam", "Day", "2026-01-31T12:00:00+01:00", "2026-01-31", "2026-01-31T00:00:00+01:00", 24],
    // Clocks forward and back.
    ["Europe/Amsterdam", "Day", "2026-03-29T12:00:00+02:00", "2026-03-29", "2026-03-29T00:00:00+01:00", 23],
    ["Europe/Amsterdam", "Day", "2026-10-25T02:30:00+02:00", "2026-10-25", "2026-10-25T00:00:00+02:00", 25],
    ["Europe/Amsterdam", "Day", "2026-10-25T02:30:00+01:00", "2026-10-25", "2026-10-25T00:00:00+02:00", 25],
    ["Europe/Amsterdam", "Week", "2026-03-29T23:59:59+02:00", "2026-03-23", "2026-03-23T00:00:00+01:00", 167],
    ["Europe/Amsterdam", "Week", "2026-03-30T00:00:00+02:00", "2026-03-30", "2026-03-30T00:00:00+02:00", 168],
    ["Europe/Amsterdam", "Month", "2026-10-01T00:00:00+02:00", "2026-10-01", "2026-10-01T00:00:00+02:00", 31 * 24 + 1],
    ["America/New_York", "Day", "2026-03-08T12:00:00-04:00", "2026-03-08", "2026-03-08T00:00:00-05:00", 23],
    ["America/New_York", "Day", "2026-11-01T12:00:00-05:00", "2026-11-01", "2026-11-01T00:00:00-04:00", 25],
    ["Australia/Lord_Howe", "Day", "2026-10-04T12:00:00+11:00", "2026-10-04", "2026-10-04T00:00:00+10:30", 23.5],
    ["Australia/Lord_Howe", "Day", "2026-04-05T12:00:00+10:30", "2026-04-05", "2026-04-05T00:00:00+11:00", 24.5],
    // Midnight does not exist.
    ["America/Sao_Paulo", "Day", "2018-11-04T12:00:00-02:00", "2018-11-04", "2018-11-04T01:00:00-02:00", 23],
    ["America/Sao_Paulo", "Day", "2018-11-03T23:59:59-03:00", "2018-11-03", "2018-11-03T00:00:00-03:00", 24],
    ["Asia/Beirut", "Day", "2022-03-27T01:00:00+03:00", "2022-03-27", "2022-03-27T01:00:00+03:00", 23],
    ["Africa/Cairo", "Day", "2024-04-26T12:00:00+03:00", "2024-04-26", "2024-04-26T01:00:00+03:00", 23],
    ["Africa/Cairo", "Month", "2024-04-26T12:00:00+03:00", "2024-04-01", "2024-04-01T00:00:00+02:00", 30 * 24 - 1],
    // The hour before midnight comes twice.
    ["America/Sao_Paulo", "Day", "2018-02-17T23:30:00-03:00", "2018-02-17", "2018-02-17T00:00:00-02:00", 25],
    ["Asia/Beirut", "Day", "2022-10-29T23:30:00+02:00", "2022-10-29", "2022-10-29T00:00:00+03:00", 25],
    ["Africa/Cairo", "Day", "2024-10-31T23:30:00+02:00", "2024-10-31", "2024-10-31T00:00:00+03:00", 25],
    // Clocks go back from a minute past midnight to the day before: the repeated hour belongs to the new day, which has begun.
    ["America/St_Johns", "Day", "2006-10-28T23:59:59-02:30", "2006-10-28", "2006-10-28T00:00:00-02:30", 24],
    ["America/St_Johns", "Day", "2006-10-28T23:30:00-03:30", "2006-10-29", "2006-10-29T00:00:00-02:30", 25],
    // Samoa skipped the 30th: its calendar went from the 29th to the 31st.
    ["Pacific/Apia", "Day", "2011-12-29T23:59:59-10:00", "2011-12-29", "2011-12-29T00:00:00-10:00", 24],
    ["Pacific/Apia", "Day", "2011-12-31T00:00:00+14:00", "2011-12-31", "2011-12-31T00:00:00+14:00", 24],
    ["Pacific/Apia", "Week", "2011-12-31T00:00:00+14:00", "2011-12-26", "2011-12-26T00:00:00-10:00", 6 * 24],
    // Odd offsets.
    ["Asia/Kathmandu", "Day", "2026-01-31T00:00:00+05:45", "2026-01-31", "2026-01-31T00:00:00+05:45", 24],
    ["Pacific/Chatham", "Month", "2026-04-30T23:59:59+12:45", "2026-04-01", "2026-04-01T00:00:00+13:45", 30 * 24 + 1],
    ["Australia/Eucla", "Week", "2026-02-01T23:59:59+08:45", "2026-01-26", "2026-01-26T00:00:00+08:45", 168],
    ["Pacific/Kiritimati", "Month", "2026-02-28T23:59:59+14:00", "2026-02-01", "2026-02-01T00:00:00+14:00", 28 * 24],
    // Ends of months and years.
    ["UTC", "Month", "2024-02-29T23:59:59.999Z", "2024-02-01", "2024-02-01T00:00:00Z", 29 * 24],
    ["UTC", "Month", "2025-12-31T23:59:59.999Z", "2025-12-01", "2025-12-01T00:00:00Z", 31 * 24],
    ["UTC", "Week", "2026-01-01T00:00:00Z", "2025-12-29", "2025-12-29T00:00:00Z", 168],
    ["UTC", "Week", "2026-01-04T23:59:59.999Z", "2025-12-29", "2025-12-29T00:00:00Z", 168],
    ["UTC", "Week", "1969-12-31T00:00:00Z", "1969-12-29", "1969-12-29T00:00:00Z", 168],
    ["UTC", "Day", "9999-12-31T23:59:59.999Z", "9999-12-31", "9999-12-31T00:00:00Z", 24],
    ["UTC", "Month", "0001-01-01T00:00:00Z", "0001-01-01", "0001-01-01T00:00:00Z", 31 * 24],
  ])("%s, %s of %s", (zone, every, instant, start, startsAt, length) => {
    const period = periodAt(at(instant), zone, every);
    expect(period).toEqual({ start, startsAt: at(startsAt), endsAt: period.endsAt });
    expect(hours(period)).toBe(length);
  });

  const zones = Intl.supportedValuesOf("timeZone");
  const calendars = fc.constantFrom<Calendar>("Day", "Week", "Month");
  const instants = fc.oneof(everyInstant, fc.integer({ min: at("1840-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") }));

  test("they tile time: each begins where the previous one ends, in every zone", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), calendars, instants, (zone, every, instant) => {
        const period = periodAt(instant, zone, every);
        expect(period.startsAt <= instant && instant < period.endsAt).toBe(true);
        expect(periodAt(period.startsAt, zone, every)).toEqual(period);
        expect(periodAt(period.endsAt - 1, zone, every)).toEqual(period);
        expect(periodAt(period.endsAt, zone, every).startsAt).toBe(period.endsAt);
        expect(periodAt(period.startsAt - 1, zone, every).endsAt).toBe(period.startsAt);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Beirut",
    "Africa/Cairo",
    "Pacific/Apia",
    "Antarctica/Troll",
    "Africa/Casablanca",
  ])("they tile every hour of ten years in %s, and weeks and months are whole days", (zone) => {
    let day = periodAt(at("2005-01-01T12:00:00Z"), zone, "Day");
    while (day.endsAt < at("2015-01-01T00:00:00Z")) {
      for (let instant = day.startsAt; instant < day.endsAt; instant += 3_599_000) {
        if (periodAt(instant, zone, "Day").start !== day.start) expect.fail(`${zone} ${formatInstant(instant)}`);
      }
      for (const every of ["Week", "Month"] as const) {
        const longer = periodAt(day.startsAt, zone, every);
        if (longer.startsAt > day.startsAt || longer.endsAt < day.endsAt) expect.fail(`${zone} ${every} ${day.start}`);
      }
      const next = periodAt(day.endsAt, zone, "Day");
      if (next.startsAt !== day.endsAt || next.start <= day.start) expect.fail(`${zone} ${next.start}`);
      day = next;
    }
  });

  test("the date is that of the local clock", () => {
    const walls = new Map<string, Intl.DateTimeFormat>();
    const wall = (zone: string): Intl.DateTimeFormat => {
      if (!walls.has(zone)) walls.set(zone, new Intl.DateTimeFormat("sv-SE", { timeZone: zone }));
      return walls.get(zone)!;
    };
    // From 2012 on no zone has set its clocks back over midnight.
    const recent = fc.integer({ min: at("2012-01-01T00:00:00Z"), max: at("2037-01-01T00:00:00Z") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), recent, (zone, instant) => {
        expect(localDate(instant, zone)).toBe(wall(zone).format(instant));
      }),
      { numRuns: 500 },
    );
  });

  test("earlier calls do not change the result", () => {
    const noon = at("2026-03-29T12:00:00Z");
    const before = periodAt(noon, "Europe/Amsterdam", "Day");
    for (let day = 0; day < 60_000; day++) periodAt(noon - day * DAY, "Etc/GMT+5", "Day");
    expect(periodAt(noon, "Europe/Amsterdam", "Day")).toEqual(before);
    expect(periodAt(noon, "europe/amsterdam", "Day")).toEqual(before);
  });

  test("an unknown zone throws", () => {
    expect(() => periodAt(0, "Europe/Atlantis", "Day")).toThrow(RangeError);
  });
});

describe("the calendar boundaries between two dates are counted", () => {
  test.each<[Calendar, string, string, number]>([
    ["Day", "2026-01-31", "2026-01-31", 0],
    ["Day", "2026-01-31", "2026-02-01", 1],
    ["Day", "2024-02-28", "2024-03-01", 2],
    ["Day", "2026-02-01", "2026-01-31", -1],
    ["Week", "2026-02-01", "2026-02-02", 1],
    ["Week", "2026-01-26", "2026-02-01", 0],
    ["Week", "2025-12-29", "2026-12-28", 52],
    ["Week", "1969-12-28", "1969-12-29", 1],
    ["Month", "2026-01-31", "2026-02-01", 1],
    ["Month", "2025-12-31", "2026-12-01", 12],
    ["Month", "2026-02-01", "2026-02-28", 0],
    ["Month", "0000-12-31", "0001-01-01", 1],
  ])("%s from %s to %s: %i", (every, from, to, expected) => {
    expect(periodsBetween(every, from, to)).toBe(expected);
  });

  test("each period follows the previous one", () => {
    const calendars = fc.constantFrom<Calendar>("Day", "Week", "Month");
    const recent = fc.integer({ min: at("2012-01-01T00:00:00Z"), max: at("2037-01-01T00:00:00Z") });
    fc.assert(
      fc.property(calendars, fc.constantFrom("Europe/Amsterdam", "Africa/Cairo", "Asia/Kathmandu"), recent, (every, zone, instant) => {
        const period = periodAt(instant, zone, every);
        const next = periodAt(period.endsAt, zone, every);
        expect(periodsBetween(every, period.start, next.start)).toBe(1);
        expect(periodsBetween(every, period.start, localDate(instant, zone))).toBe(0);
      }),
    );
  });
});

describe("a duration is added by the calendar of the zone", () => {
  const zone = "Europe/Amsterdam";
  test.each([
    ["2026-03-28T12:00:00+01:00", "P1D", "2026-03-29T10:00:00.000Z"],
    ["2026-03-28T12:00:00+01:00", "PT24H", "2026-03-29T11:00:00.000Z"],
    ["2026-01-31T12:00:00+01:00", "P1M", "2026-02-28T11:00:00.000Z"],
    ["2026-01-31T12:00:00+01:00", "P1Y2M1W3DT4H5M6.789S", "2027-04-10T14:05:06.789Z"],
    ["2026-01-31T12:00:00+01:00", "PT0S", "2026-01-31T11:00:00.000Z"],
    ["2026-01-31T12:00:00+01:00", "-P1D", "2026-01-30T11:00:00.000Z"],
  ])("%s and %s", (instant, duration, expected) => {
    expect(formatInstant(addDuration(at(instant), zone, duration)!)).toBe(expected);
  });

  test.each(["", "P", "1D", "P1", "one day", "P1D ", "P9000Y", "PT99999999999999999999H", "P1D1M"])("%j cannot be added", (duration) => {
    expect(addDuration(at("2026-01-31T12:00:00Z"), zone, duration)).toBeNull();
  });
});
