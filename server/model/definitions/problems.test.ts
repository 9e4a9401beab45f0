import { expect, test } from "vitest";
import { pointerTo, quoted } from "../rules/naming.ts";
import { closest } from "./problems.ts";

test.each<[word: unknown, candidates: string[], suggestion: string | null]>([
  ["order_placd", ["order_placed", "order_returned"], "order_placed"],
  ["orderplaced", ["order_returned", "order_placed"], "order_placed"],
  ["Order_Placed", ["order_placed"], "order_placed"],
  ["Equals", ["EqualTo", "In"], "EqualTo"],
  ["tier", ["tiers", "tie"], "tiers"],
  ["login", ["order_placed"], null],
  ["ab", ["x", "yz"], null],
  ["x".repeat(1_000_000), ["x".repeat(999_999)], null],
  [5, ["5"], null],
  ["anything", [], null],
])("%s, of %j: %s", (word, candidates, suggestion) => expect(closest(word, candidates)).toBe(suggestion));

test("a pointer escapes its separators, and is empty for the root", () => {
  expect(pointerTo(["missions", 3, "a/b~c", ""])).toBe("/missions/3/a~1b~0c/");
  expect(pointerTo([])).toBe("");
});

test("a quoted word is one line and of limited length", () => {
  expect(quoted('a"b\nc')).toBe('"a\\"b\\nc"');
  expect(quoted("x".repeat(1_000)).length).toBeLessThan(110);
});
