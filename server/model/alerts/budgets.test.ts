import { expect, test } from "vitest";
import { type Budget, periodNameAt, toTell } from "./budgets.ts";
import { toldInWords, usedInWords } from "./words.ts";

const budget: Budget = { kind: "missions", measure: "Points", period: "Day", amount: 1_000 };
const NOTHING = { told80For: null, told100For: null };

test.each([
  [799, NOTHING, null],
  [800, NOTHING, 80],
  [999, { told80For: "2031-03-24", told100For: null }, null],
  [1_000, { told80For: "2031-03-24", told100For: null }, 100],
  // Both are reached together: only the second notice is written.
  [5_000, NOTHING, 100],
  [5_000, { told80For: "2031-03-24", told100For: "2031-03-24" }, null],
  // After a refund, the notice of 80 % is not sent after that of 100 %.
  [850, { told80For: null, told100For: "2031-03-24" }, null],
  // Notices of another day do not count for this one.
  [800, { told80For: "2031-03-23", told100For: "2031-03-23" }, 80],
  [1_000, { told80For: "2031-03-23", told100For: "2031-03-23" }, 100],
])("of 1,000 with %i used, after the notices %o, the due notice is %s", (used, told, expected) => {
  expect(toTell(budget, told, "2031-03-24", used)).toBe(expected);
});

test("a period's name is its first day in the project's zone", () => {
  const instant = Date.parse("2031-03-23T23:30:00Z");
  expect(periodNameAt("Day", instant, "Europe/Amsterdam")).toBe("2031-03-24");
  expect(periodNameAt("Day", instant, "America/New_York")).toBe("2031-03-23");
  expect(periodNameAt("Week", instant, "America/New_York")).toBe("2031-03-17");
  expect(periodNameAt("All", instant, "Europe/Amsterdam")).toBe("All");
});

test("a notice says how much is used, and whether the definition was switched off", () => {
  expect(usedInWords({ ...budget, kind: "marketplaceItems", measure: "Items", period: "All", amount: 1 }, 0)).toBe(
    "0 of 1 purchase in total",
  );
  expect(toldInWords(budget, 850, 80, null)).toBe("850 of 1,000 points today. 80% of the budget is used.");
  expect(toldInWords(budget, 1_010, 100, { was: "on" })).toBe("1,010 of 1,000 points today. The budget is used up. It was switched off.");
  expect(toldInWords(budget, 1_010, 100, { problems: ["Used by a."] })).toMatch(/used up\. It could not be switched off: Used by a\.$/);
});
