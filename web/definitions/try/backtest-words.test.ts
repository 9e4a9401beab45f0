import { expect, test } from "vitest";
import { basisWords, estimateWords, headlineOf, signed } from "./backtest-words.ts";

const exact = (value: number) => ({ value, low: value, high: value });
const about = (value: number, by: number) => ({ value, low: value - by, high: value + by });

test("an estimate has its interval, and an exact figure none", () => {
  expect(estimateWords(exact(1_234))).toBe("1,234");
  expect(estimateWords(about(1_234, 100))).toBe("1,230 (1,130 to 1,330)");
  expect(estimateWords(exact(4.25))).toBe("4.3");
});

test("a difference has a sign", () => {
  expect(signed(exact(12))).toBe("+12");
  expect(signed(exact(0))).toBe("0");
  expect(signed(about(-40, 60))).toBe("−40 (−100 to +20)");
});

test("one sentence says how many would complete it, how often, and the cost", () => {
  const perWeek = { completions: exact(35), points: exact(3_500) };
  const draft = { entered: exact(340), completed: exact(120), perWeek, worthPerWeek: { amount: exact(35), currency: "EUR" } };
  expect(headlineOf("missions", { today: null, players: 400, isExact: true, draft })).toBe(
    "120 of 400 players would have completed it, 35 times a week, for 3,500 points a week (35 EUR).",
  );
  const estimated = { ...draft, completed: about(1_234, 10), worthPerWeek: null };
  expect(headlineOf("missions", { today: null, players: 123_456, isExact: false, draft: estimated })).toMatch(
    /^About 1,230 of 123,000 players/,
  );
  const one = { completions: exact(1), points: exact(1) };
  const single = { ...draft, completed: exact(1), perWeek: one, worthPerWeek: null };
  expect(headlineOf("missions", { today: null, players: 1, isExact: true, draft: single })).toBe(
    "1 of 1 player would have completed it, 1 time a week, for 1 point a week.",
  );
  expect(headlineOf("missions", { today: null, players: 0, isExact: true, draft })).toBe(
    "No players yet, so there is no history to replay.",
  );
  expect(headlineOf("missions", { today: null, players: 3, isExact: true, draft: { ...draft, completed: exact(0) } })).toBe(
    "None of 3 players would have completed it.",
  );
});

test("a listing's sentence says how many could have afforded it, then and at today's price, and how many were really bought", () => {
  const perWeek = { completions: exact(12), points: exact(1_200) };
  const draft = { entered: exact(340), completed: exact(9), perWeek, worthPerWeek: null };
  const result = { players: 1_000, isExact: true, draft, today: { entered: exact(120) } };
  expect(headlineOf("marketplaceItems", result)).toBe(
    "340 of 1,000 players could have afforded it (120 at today's price). Real purchases come to 12 a week, for 1,200 points a week.",
  );
  expect(headlineOf("marketplaceItems", { ...result, today: null, draft: { ...draft, completed: exact(0) } })).toBe(
    "340 of 1,000 players could have afforded it. There were no real purchases of it in these days.",
  );
});

test("a result's days are those of the project's zone, not of UTC", () => {
  const result = {
    from: "2026-10-26T23:00:00.000Z",
    to: "2026-11-26T07:00:00.000Z",
    players: 1_200,
    played: 1_200,
    isExact: true,
    events: 1,
  };
  expect(basisWords(result, "Europe/Amsterdam").replaceAll(/\s/g, " ")).toBe("Based on 27 Oct – 26 Nov 2026: all 1,200 players, 1 event.");
});
