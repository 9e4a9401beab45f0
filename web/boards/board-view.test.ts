import { expect, test } from "vitest";
import { boardQueryOf, boardViewFrom } from "./board-view.ts";

const parsed = (query: string) => boardViewFrom(Object.fromEntries(new URLSearchParams(query)));

test("what is looked at comes back from its address, and what an address cannot mean is left out", () => {
  const view = { period: "2031-03-10", around: "ann & bob", group: { tier: 1, group: 12 } };
  expect(parsed(boardQueryOf(view))).toEqual(view);
  expect(parsed("?period=soon&group=-1.2&around=")).toEqual({ period: null, around: null, group: null });
  expect(parsed("?period=2026-02-30").period).toBeNull();
  expect(boardQueryOf({ period: "", around: null, group: null })).toBe("");
});
