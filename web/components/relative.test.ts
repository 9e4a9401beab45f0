import { expect, test } from "vitest";
import { lengthInWords, relative, relativeDay, relativeToDue } from "./relative.ts";

const MINUTE = 60_000;

test.each([
  [0, "just now"],
  [-30_000, "just now"],
  [30_000, "in less than a minute"],
  [5 * MINUTE, "in 5 minutes"],
  [-5 * MINUTE, "5 minutes ago"],
  [-30 * 60 * MINUTE, "1 day ago"],
  [-59.6 * MINUTE, "1 hour ago"],
  [-59.4 * MINUTE, "59 minutes ago"],
  [23.6 * 60 * MINUTE, "in 1 day"],
  [-31 * 24 * 60 * MINUTE, "1 month ago"],
  [Number.NaN, "just now"],
])("%d ms from now is %j", (apart, words) => expect(relative(1_000_000_000_000 + apart, 1_000_000_000_000)).toBe(words));

test.each([
  [-5 * MINUTE, "now"],
  [0, "now"],
  [5 * MINUTE, "in 5 minutes"],
])("an instant %d ms from now is due %j", (apart, words) =>
  expect(relativeToDue(1_000_000_000_000 + apart, 1_000_000_000_000)).toBe(words),
);

// A player's day may be ahead of the project's.
test.each([
  ["2026-03-02", "today"],
  ["2026-03-01", "today"],
  ["2026-02-28", "yesterday"],
  ["2026-02-26", "3 days ago"],
  ["2026-02-15", "2 weeks ago"],
])("%s is %j on 1 March", (day, words) => expect(relativeDay(day, "2026-03-01")).toBe(words));

test.each([
  [30_000, "1 minute"],
  [60 * MINUTE, "1 hour"],
  [6 * 24 * 60 * MINUTE, "6 days"],
  [365 * 24 * 60 * MINUTE, "1 year"],
])("%d ms are %j", (milliseconds, words) => expect(lengthInWords(milliseconds)).toBe(words));
