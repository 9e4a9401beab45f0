import { expect, it } from "vitest";
import { textsIn } from "./list-input.tsx";

it("typed values are divided at separators; a picked suggestion is one value, with its comma", () => {
  expect(textsIn(" gold, silver;\nbronze,", false)).toEqual(["gold", "silver", "bronze"]);
  expect(textsIn("Amsterdam, NL", true)).toEqual(["Amsterdam, NL"]);
});
