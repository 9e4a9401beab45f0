import { expect, it } from "vitest";
import { fixedInWords, reasonFor } from "./fixed.ts";

const FIXED = [
  { pointer: "/league", reason: "players are in it" },
  { pointer: "/period/kind", reason: "it has begun" },
];

it.each<[at: (string | number)[], reason: string | null]>([
  [["league"], "players are in it"],
  [["league", "groupSize"], "players are in it"],
  [["league", "tiers", 0, "key"], "players are in it"],
  // Its tiers may be renamed.
  [["league", "tiers", 0, "name"], null],
  [["league", "tiers", 0, "name", "texts", "en"], null],
  [["leagues"], null],
  [["period"], null],
  [["period", "kind"], "it has begun"],
  [[], null],
])("%j stays as it is for the reason of what it is in", (at, reason) => expect(reasonFor(FIXED, at)).toBe(reason));

it("the reason is in the words of a form: fields and kinds as the screen calls them", () => {
  const why = { code: "definition.fixed", params: { kind: "catalogItems", member: "valueType", before: null } } as const;
  const [fixed] = fixedInWords([{ pointer: "/valueType", ...why }]);
  expect(fixed!.reason).toContain("type of value");
  expect(fixed!.reason).not.toContain("valueType");
});
