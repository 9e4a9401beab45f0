import { expect, test } from "vitest";
import { differences } from "./compare.ts";

test("what is lost, what is twice and what nobody acknowledged are differences, in any order; what is there as often as it should be is none", () => {
  expect(differences("order", ["a", "b", "c", "c"], ["c", "b", "c", "a"])).toEqual([]);
  expect(differences("order", ["a", "b"], ["b"])).toEqual(["order a: 1 lost"]);
  expect(differences("order", ["a"], ["a", "a"])).toEqual(["order a: 1 too many"]);
  expect(differences("order", [], ["a"])).toEqual(["order a: 1 too many"]);
});
