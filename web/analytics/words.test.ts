import { dateRange, longPeriod, shortPeriod } from "../../server/model/kernel/dates.ts";
import { expect, it } from "vitest";
import {
  averageFigure,
  changeOf,
  changeSentence,
  countRange,
  durationRange,
  durationWords,
  exactMoney,
  latencyWords,
  percentage,
  perCompletion,
} from "./words.ts";

it.each([
  [0, 0, null],
  [5, 5, "No change"],
  [5, 0, "New"],
  [0, 5, "−100%"],
  [112, 100, "+12%"],
  [101, 100, "+1%"],
  [1005, 1000, "+0.5%"],
  [100_001, 100_000, "+<0.1%"],
  [50, 100, "−50%"],
  [1000, 100, "×10"],
  [1200, 100, null],
  [20, -5, null],
  [-5, 20, null],
  [8, 2, "×4"],
])("%d after %d is %j", (value, before, words) => expect(changeOf({ value, before })?.words ?? null).toBe(words));

it("compares averages before they are rounded", () => {
  expect(changeOf(averageFigure([0, 0, 0, 1, 0, 1, 0], [0, 1, 0, 0, 0, 0, 0]))?.words).toBe("+100%");
  expect(changeOf(averageFigure([2, 1, 2, 1, 2, 2], [2, 1, 1, 1, 2, 2, 2]))?.words).toBe("+6.1%");
});

it("names the change and its largest part in a sentence", () => {
  const parts = [
    { name: "Daily cup", figure: { value: 700, before: 400 } },
    { name: "Others", figure: { value: 700, before: 600 } },
  ];
  const sentence = (value: number, before: number, of = parts) => changeSentence("Points granted", { value, before }, of);
  expect(sentence(1_400, 1_000)).toBe("Points granted rose 40% (1,000 to 1,400), 75% of it Daily cup.");
  expect(sentence(1_300, 1_000)).toBe("Points granted rose 30% (1,000 to 1,300), from Daily cup.");
  expect(sentence(4_000, 1_000, [])).toBe("Points granted rose to 4 times as many (1,000 to 4,000).");
  expect(sentence(500, 1_000, [{ name: "Daily cup", figure: { value: 0, before: 200 } }])).toBe("Points granted fell 50% (1,000 to 500).");
  expect([sentence(5, 5), sentence(5, 0), sentence(-5, 5), sentence(1_028, 4)]).toEqual([null, null, null, null]);
});

it.each([
  [0, "under 1 s"],
  [1, "1 s"],
  [59, "59 s"],
  [90, "1.5 min"],
  [3600, "1 h"],
  [86_400, "1 day"],
  [59.6, "1 min"],
  [3_576, "1 h"],
  [3_560, "59 min"],
  [85_000, "1 day"],
  [86_400 * 20, "20 days"],
])("%d seconds are %j", (seconds, words) => expect(durationWords(seconds)).toBe(words));

it("ranges are named by their dates", () => {
  expect([countRange(4, 8), countRange(1, 2), countRange(512, null)]).toEqual(["4–7", "1", "512 or more"]);
  expect([durationRange(0, 1), durationRange(1024, 2048)]).toEqual(["Under 1 s", "17 min – 34 min"]);
  expect([latencyWords(240.4), latencyWords(1234)]).toEqual(["240 ms", "1.2 s"]);
  expect([percentage(1, 3), percentage(1, 300), percentage(1, 0)]).toEqual(["33%", "0.3%", "–"]);
  expect([percentage(0, 3), percentage(1, 3_000), percentage(2_999, 3_000), percentage(3, 3)]).toEqual(["0%", "<0.1%", "99.9%", "100%"]);
});

it("periods are named by their first day", () => {
  expect(longPeriod("Day", "2026-11-22")).toBe("Sun 22 Nov 2026");
  expect(longPeriod("Week", "2026-11-16")).toBe("Week of 16 Nov 2026");
  expect(shortPeriod("Month", "2026-11-01")).toBe("Nov 2026");
  expect(dateRange("2025-12-29", "2026-01-04")).toBe("29 Dec 2025 – 4 Jan 2026");
  expect(dateRange("2026-11-16", "2026-11-22")).toBe("16 Nov – 22 Nov 2026");
});

it("a cost is also given per completion, where there is any", () => {
  expect(perCompletion({ value: 3_000, before: 2_800 }, { value: 90, before: 1 })).toBe("33 per completion · 2,800 before");
  expect(perCompletion({ value: 7, before: 0 }, { value: 5, before: 0 })).toBe("1.4 per completion · 0 before");
  expect(perCompletion({ value: 0, before: 0 }, { value: 0, before: 3 })).toBeUndefined();
});

it.each([
  ["0.005", "EUR", "€0.005"],
  ["1", "EUR", "€1.00"],
  ["1000", "JPY", "¥1,000"],
  ["0.1234567890123456789", "USD", "$0.1234567890123456789"],
])("an amount of %s %s is %j: a point may be worth less than a cent", (amount, currency, words) =>
  expect(exactMoney({ amount, currency })).toBe(words),
);
