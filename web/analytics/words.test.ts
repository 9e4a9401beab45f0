import { expect, it } from "vitest";
import { dateRange, longPeriod, shortPeriod } from "./dates.ts";
import { changeOf, countRange, durationRange, durationWords, latencyWords, share } from "./words.ts";

it.each([
  [0, 0, null],
  [5, 5, "No change"],
  [5, 0, "New"],
  [0, 5, "−100%"],
  [112, 100, "+12%"],
  [101, 100, "+1%"],
  [1005, 1000, "+0.5%"],
  [50, 100, "−50%"],
  [1000, 100, "×10"],
  [1200, 100, null],
  [20, -5, null],
  [-5, 20, null],
  [8, 2, "×4"],
])("%d after %d is %j", (value, before, words) => expect(changeOf({ value, before })?.words ?? null).toBe(words));

it.each([
  [0, "0 s"],
  [59, "59 s"],
  [90, "1.5 min"],
  [3600, "1 h"],
  [86_400, "1 day"],
  [86_400 * 20, "20 days"],
])("%d seconds are %j", (seconds, words) => expect(durationWords(seconds)).toBe(words));

it("ranges are named by what lies in them", () => {
  expect([countRange(4, 8), countRange(1, 2), countRange(512, null)]).toEqual(["4–7", "1", "512 or more"]);
  expect([durationRange(0, 1), durationRange(1024, 2048)]).toEqual(["Under 1 s", "17 min – 34 min"]);
  expect([latencyWords(240.4), latencyWords(1234)]).toEqual(["240 ms", "1.2 s"]);
  expect([share(1, 3), share(1, 300), share(1, 0)]).toEqual(["33%", "0.3%", "–"]);
});

it("periods are named by their first day", () => {
  expect(longPeriod("Day", "2026-11-22")).toBe("Sun 22 Nov 2026");
  expect(longPeriod("Week", "2026-11-16")).toBe("Week of 16 Nov 2026");
  expect(shortPeriod("Month", "2026-11-01")).toBe("Nov 2026");
  expect(dateRange("2025-12-29", "2026-01-04")).toBe("29 Dec 2025 – 4 Jan 2026");
  expect(dateRange("2026-11-16", "2026-11-22")).toBe("16 Nov – 22 Nov 2026");
});
