import { expect, it } from "vitest";
import { KINDS, moduleOf } from "#server/model/definitions/kinds.ts";
import { DRAFTS } from "../kinds/drafts.ts";
import { fixedInNames, fixedInWords, fixedLaterInNames, reasonFor } from "./fixed.ts";

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
])("%j is immutable for the reason of its parent", (at, reason) => expect(reasonFor(FIXED, at)).toBe(reason));

it("the reason is in the words of a form: fields and kinds as the screen calls them", () => {
  const why = { code: "definition.fixed", params: { kind: "catalogItems", member: "valueType", before: null } } as const;
  const [fixed] = fixedInWords([{ pointer: "/valueType", ...why }]);
  expect(fixed!.reason).toContain("type of value");
  expect(fixed!.reason).not.toContain("valueType");
});

it.each(KINDS)("before a definition of %s is created, its form names all members that will be immutable", (kind) => {
  const { fixed } = moduleOf(kind);
  expect(DRAFTS[kind].fixedLater ?? []).toEqual(expect.arrayContaining([...fixed]));
});

it("immutable members are named once, in the form's words", () =>
  expect(fixedLaterInNames("missions")).toBe("key, objectives, objective order, entry and repeats"));

it("of a stored definition only the members that differ are named, and the key alone is not", () => {
  const at = (...pointers: string[]) => pointers.map((pointer) => ({ pointer }));
  const board = { key: "cup", scoreSource: "Event", event: "order", attribute: null, league: null, period: { kind: "AllTime" } };
  expect(fixedInNames("leaderboards", at("/key", "/scoreSource", "/event", "/attribute", "/league", "/period/kind"), board)).toBe(
    "key, score and period",
  );
  expect(fixedInNames("leaderboards", at("/key"), board)).toBeNull();
});
