import { expect, test } from "vitest";
import { differences } from "./compare.ts";

test("lost, repeated and unacknowledged facts are reported, whatever their order; matching ones are not", () => {
  expect(differences("order", ["a", "b", "c", "c"], ["c", "b", "c", "a"])).toEqual([]);
  expect(differences("order", ["a", "b"], ["b"])).toEqual(["order a: 1 lost"]);
  expect(differences("order", ["a"], ["a", "a"])).toEqual(["order a: 1 too many"]);
  expect(differences("order", [], ["a"])).toEqual(["order a: 1 too many"]);
});
