import { expect, it } from "vitest";
import { KINDS, moduleOf } from "#server/model/definitions/kinds.ts";
import { KIND_MODULES } from "../kinds/index.ts";
import { fixedInNames, fixedLaterInNames } from "./fixed-words.ts";

it.each(KINDS)("before a definition of %s is made, its form names everything that stays as it is made", (kind) => {
  const { fixed } = moduleOf(kind);
  expect(KIND_MODULES[kind].fixedLater ?? []).toEqual(expect.arrayContaining([...fixed]));
});

it("what stays is named once, in the words of the form", () =>
  expect(fixedLaterInNames("missions")).toBe("key, objectives, objective order, entry and repeats"));

it("of a stored one what says nothing is left out, and the key alone is nothing to tell", () => {
  const at = (...pointers: string[]) => pointers.map((pointer) => ({ pointer }));
  const board = { key: "cup", scoreSource: "Event", event: "order", attribute: null, league: null, period: { kind: "AllTime" } };
  expect(fixedInNames(at("/key", "/scoreSource", "/event", "/attribute", "/league", "/period/kind"), board)).toBe("key, score and period");
  expect(fixedInNames(at("/key"), board)).toBeNull();
});
