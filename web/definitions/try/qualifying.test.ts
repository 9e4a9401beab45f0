import { expect, it } from "vitest";
import { rounded, shareInWords } from "./qualifying.tsx";

it.each([
  [0, 0, "0%"],
  [0, 50, "0%"],
  [1, 1000, "Less than 1%"],
  [31, 100, "31%"],
  [999, 1000, "More than 99%"],
  [1000, 1000, "100%"],
])("%i of %i are %s", (part, whole, words) => expect(shareInWords(part, whole)).toBe(words));

it("an estimate claims no more precision than it has", () => expect([1234, 98_765, 7].map(rounded)).toEqual(["1,200", "99,000", "7"]));
