import { expect, test } from "vitest";
import { occurrenceName } from "./steps.ts";

const period = { start: "2026-10-26", startsAt: Date.UTC(2026, 9, 26), endsAt: Date.UTC(2026, 10, 2) };

test.each([
  [{ kind: "Calendar", every: "Day" }, "26 Oct"],
  [{ kind: "Calendar", every: "Week" }, "week of 26 Oct"],
  [{ kind: "Calendar", every: "Month" }, "month of 26 Oct"],
  [{ kind: "AfterCompletion", cooldownMs: 0, maxOccurrences: null }, "repeat 2"],
] as const)("an occurrence of %j is called %j", (recurrence, name) => {
  expect(occurrenceName({ recurrence }, { number: 1, period })).toBe(name);
});
