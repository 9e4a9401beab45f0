import { expect, it } from "vitest";
import { everyHour, healthInWords, heightOf } from "./health.ts";

const hour = (at: string, succeeded: number, failed: number) => ({ at, succeeded, failed, p50: 5, p95: 9 });

it("48 hours end with the current one, and those without attempts are empty", () => {
  const hours = everyHour([hour("2026-01-02T10:00:00.000Z", 3, 1)], "2026-01-02T11:59:59.000Z");
  expect(hours).toHaveLength(48);
  expect(hours[0]).toMatchObject({ at: "2025-12-31T12:00:00.000Z", succeeded: 0 });
  expect(hours[46]).toMatchObject({ succeeded: 3, failed: 1 });
  expect(hours[47]).toMatchObject({ at: "2026-01-02T11:00:00.000Z", succeeded: 0, failed: 0 });
});

it.each([
  [[], "No attempts"],
  [[hour("", 1, 0)], "1 attempt succeeded, 0 failed"],
  [[hour("", 1200, 2), hour("", 0, 1)], "1,200 attempts succeeded, 3 failed"],
])("%j reads as %s", (hours, words) => expect(healthInWords(hours)).toBe(words));

it("one attempt is visible beside thousands", () => {
  expect(heightOf(hour("", 0, 0), 5000)).toBe(0);
  expect(heightOf(hour("", 1, 0), 5000)).toBe(0.2);
  expect(heightOf(hour("", 5000, 0), 5000)).toBe(1);
});
