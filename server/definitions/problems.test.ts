import { expect, test } from "vitest";
import { didYouMean, pointerTo, quoted } from "./problems.ts";

test.each<[word: unknown, candidates: string[], suggestion: string]>([
  ["order_placd", ["order_placed", "order_returned"], "order_placed"],
  ["orderplaced", ["order_returned", "order_placed"], "order_placed"],
  ["Order_Placed", ["order_placed"], "order_placed"],
  ["Equals", ["EqualTo", "In"], "EqualTo"],
  ["tier", ["tiers", "tie"], "tiers"],
  ["login", ["order_placed"], ""],
  ["ab", ["x", "yz"], ""],
  ["x".repeat(1_000_000), ["x".repeat(999_999)], ""],
  [5, ["5"], ""],
  ["anything", [], ""],
])("%s, of %j: %s", (word, candidates, suggestion) =>
  expect(didYouMean(word, candidates)).toBe(suggestion && `; did you mean "${suggestion}"?`),
);

test("a pointer escapes what separates, and is empty for the whole", () => {
  expect(pointerTo(["missions", 3, "a/b~c", ""])).toBe("/missions/3/a~1b~0c/");
  expect(pointerTo([])).toBe("");
});

test("a quoted word is one line and not endless", () => {
  expect(quoted('a"b\nc')).toBe('"a\\"b\\nc"');
  expect(quoted("x".repeat(1_000)).length).toBeLessThan(110);
});
