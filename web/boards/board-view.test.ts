import { expect, test } from "vitest";
import { BOARD } from "./board-view.ts";

const parsed = (query: string) => BOARD.from(Object.fromEntries(new URLSearchParams(query)));

test("the view is restored from its address, and invalid values are ignored", () => {
  const view = { period: "2031-03-10", around: "ann & bob", group: "1.12" };
  expect(parsed(BOARD.queryOf(view))).toEqual(view);
  expect(parsed("?period=soon&group=-1.2&around=")).toEqual({ period: null, around: null, group: null });
  expect(parsed("?period=2026-02-30").period).toBeNull();
  expect(BOARD.queryOf({ period: "", around: null, group: null })).toBe("");
});
