import fc from "fast-check";
import { expect, test } from "vitest";
import { Temporal } from "#temporal";
import { parseInstant } from "../kernel/time.ts";
import { textOf } from "./phrase.ts";
import { canonicalWhen, compileWhen, isWithin, type Weekday, WEEKDAYS, whenPhrase, whenShape, whenText } from "./when.ts";

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "Africa/Cairo", "UTC"];

const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map((parts) => parts.map(twoDigits).join(":"));
const times = fc
  .record({ weekdays: fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 })), from: fc.option(time), until: fc.option(time) })
  .filter(({ weekdays, from, until }) => (weekdays !== null || from !== null || until !== null) && (from === null || from !== until));

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** By the words of the specification: the span of each weekday, on calendars and clocks as people see them. */
function isInByDefinition(
  when: { weekdays: Weekday[] | null; from: string | null; until: string | null },
  instant: number,
  zone: string,
): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime();
  const clock = local.toPlainTime().toString({ smallestUnit: "minute" });
  const isOn = (day: { dayOfWeek: number }) => when.weekdays === null || when.weekdays.includes(WEEKDAYS[day.dayOfWeek - 1]!);
  const from = when.from ?? "00:00";
  const until = when.until === null || when.until === "00:00" ? "24:00" : when.until;
  if (from < until) return isOn(local) && clock >= from && clock < until;
  return clock >= from ? isOn(local) : clock < until && isOn(local.subtract({ days: 1 }));
}

/** Instants near the changes of the clocks, and any others. */
const CHANGES = [
  "2026-03-29T01:00:00Z",
  "2026-10-25T01:00:00Z",
  "2026-03-08T07:00:00Z",
  "2026-11-01T06:00:00Z",
  "2026-04-04T15:00:00Z",
  "2026-10-03T15:30:00Z",
  "2010-11-07T02:31:00Z",
  "2026-04-23T22:00:00Z",
].map((text) => parseInstant(text)!);
const HOUR = 3_600_000;
const instant = fc.oneof(
  fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -30 * HOUR, max: 30 * HOUR })).map(([change, apart]) => change + apart),
  fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) }),
);

test("is met as defined, in every zone and through every change of the clocks", () =>
  fc.assert(
    fc.property(times, fc.array(instant, { minLength: 1, maxLength: 20 }), fc.constantFrom(...ZONES), (when, instants, zone) => {
      const compiled = compileWhen(whenShape.parse({ when }));
      for (const at of instants) expect(isWithin(compiled, at, zone)).toBe(isInByDefinition(when, at, zone));
    }),
    { numRuns: 300 },
  ));

const within = (when: object, text: string, zone: string): boolean =>
  isWithin(compileWhen(whenShape.parse({ when })), parseInstant(text)!, zone);

test("includes its beginning and not its end, to the millisecond", () => {
  const when = { weekdays: ["Friday"], from: "17:00", until: "19:00" };
  expect(within(when, "2026-07-03T14:59:59.999Z", "Europe/Berlin")).toBe(false);
  expect(within(when, "2026-07-03T15:00:00Z", "Europe/Berlin")).toBe(true);
  expect(within(when, "2026-07-03T16:59:59.999Z", "Europe/Berlin")).toBe(true);
  expect(within(when, "2026-07-03T17:00:00Z", "Europe/Berlin")).toBe(false);
  expect(within(when, "2026-07-03T15:00:00Z", "Asia/Kathmandu")).toBe(false);
});

test("after midnight belongs to the weekday on which it began", () => {
  const night = { weekdays: ["Saturday"], from: "22:00", until: "02:00" };
  expect(within(night, "2026-07-05T01:59:00Z", "UTC")).toBe(true);
  expect(within(night, "2026-07-04T01:59:00Z", "UTC")).toBe(false);
  expect(within({ ...night, until: "00:00" }, "2026-07-04T23:59:00Z", "UTC")).toBe(true);
  expect(within({ ...night, until: "00:00" }, "2026-07-05T00:00:00Z", "UTC")).toBe(false);
});

test("refuses an empty condition", () => {
  const refused = [
    {},
    { weekdays: [] },
    { weekdays: ["Fri"] },
    { from: "17:00", until: "17:00" },
    { from: "24:00" },
    { from: "7:00" },
    { until: 9 },
    null,
  ];
  for (const when of refused) expect(whenShape.safeParse({ when }).success, JSON.stringify(when)).toBe(false);
  expect(whenShape.safeParse({ when: { until: "00:00" } }).success).toBe(true);
});

test("keeps each weekday once, in the order of the week", () => {
  const kept = canonicalWhen(whenShape.parse({ when: { weekdays: ["Sunday", "Friday", "Sunday"], until: null } }));
  expect(kept).toEqual({ when: { weekdays: ["Friday", "Sunday"], from: null, until: null } });
  expect(canonicalWhen(kept)).toEqual(kept);
});

test.each([
  [{ weekdays: ["Saturday", "Friday"], from: "17:00", until: "19:00" }, "it happens on Friday or Saturday from 17:00 to 19:00"],
  [{ weekdays: ["Monday", "Tuesday", "Wednesday"] }, "it happens on Monday to Wednesday"],
  [{ from: "22:00", until: "02:00" }, "it happens from 22:00 to 02:00"],
  [{ weekdays: ["Sunday"], until: "12:00" }, "it happens on Sunday until 12:00"],
] as const)("%j reads as a sentence", (when, sentence) => expect(textOf(whenPhrase(whenShape.parse({ when })))).toBe(sentence));

test("names the weekday and time of an event", () => {
  const when = compileWhen(whenShape.parse({ when: { weekdays: ["Friday"], from: "17:00" } }));
  const at = parseInstant("2026-07-03T23:05:00Z")!;
  expect(whenText(when, at, "Europe/Berlin")).toBe("it happened on Saturday at 01:05, needs to be on Friday from 17:00 on");
});
