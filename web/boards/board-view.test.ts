import { expect, test } from "vitest";
import { ALL, BOARD, seatOf } from "./board-view.ts";

const parsed = (query: string) => BOARD.from(Object.fromEntries(new URLSearchParams(query)));

test("the view is restored from its address, and invalid values are ignored", () => {
  const view = { period: "2031-03-10", around: "ann & bob", group: "1.12" };
  expect(parsed(BOARD.queryOf(view))).toEqual(view);
  expect(parsed("?period=soon&group=-1.2&around=")).toEqual({ period: null, around: null, group: null });
  expect(parsed("?period=2026-02-30").period).toBeNull();
  expect(BOARD.queryOf({ period: "", around: null, group: null })).toBe("");
});

test("a league begins with the first group of its highest tier, a search and other boards with everyone", () => {
  expect(seatOf(parsed(""), [3, 1, 0])).toEqual({ tier: 1, group: 0 });
  expect(seatOf(parsed("?group=0.2"), [3, 1, 0])).toEqual({ tier: 0, group: 2 });
  expect(seatOf(parsed(`?group=${ALL}`), [3, 1, 0])).toBeNull();
  expect(seatOf(parsed("?around=ann"), [3, 1, 0])).toBeNull();
  expect(seatOf(parsed(""), [])).toBeNull();
  expect(seatOf(parsed(""), [0, 0])).toBeNull();
});
