import { expect, it } from "vitest";
import { PLAYERS } from "./inputs.ts";
import { adjustedOf, membersInWords, pointsInWords, valueInWords } from "./values.ts";

it.each([
  ["12345678901234567890.5", "12,345,678,901,234,567,890.5"],
  ["-1000", "-1,000"],
  ['"2026-03-29T07:30:00.000Z"', "29 Mar 2026, 09:30"],
  ['"1995-01-26T00:00:00.000Z"', "26 Jan 1995"],
  ['["1995-01-26T00:00:00.000Z","1995-01-26T00:01:00.000Z"]', "26 Jan 1995, 26 Jan 1995, 01:01"],
  ['"12345"', "12345"],
  ["true", "Yes"],
  ['["red",2]', "red, 2"],
  ["null", "null"],
])("a value %s reads as %j", (json, words) => expect(valueInWords(json, "Europe/Brussels")).toBe(words));

it("members are formatted singly, and empty objects not at all", () => {
  expect(membersInWords('{"amount":1234.5,"takeaway":false}', "UTC")).toEqual([
    ["amount", "1,234.5"],
    ["takeaway", "No"],
  ]);
  expect(membersInWords("[1]", "UTC")).toEqual([]);
});

it.each([
  [{ balance: 1639, totalGranted: 2009, totalSpent: 400 }, 30],
  [{ balance: 5, totalGranted: 20, totalSpent: 10 }, -5],
])("earned, spent and adjusted add up to the balance: %j", (points, adjusted) => expect(adjustedOf(points)).toBe(adjusted));

it("one point is singular", () => expect([0, 1, 1200].map(pointsInWords)).toEqual(["0 points", "1 point", "1,200 points"]));

it("a search is one text that the service accepts", () => {
  expect(PLAYERS.from({ q: "ann" })).toEqual({ q: "ann" });
  expect(PLAYERS.from({ q: ["ann", "bob"] })).toEqual({ q: null });
  expect(PLAYERS.from({ q: "a".repeat(300) }).q).toHaveLength(200);
});
