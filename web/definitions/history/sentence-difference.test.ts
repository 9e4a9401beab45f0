import { expect, it } from "vitest";
import { textOf } from "#server/model/rules/phrase.ts";
import { EMPTY_CATALOGUE } from "../catalogue.ts";
import { differenceInWords } from "./sentence-difference.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { SUMMARIES } from "../kinds/summaries.ts";

const LISTING = {
  ...{ key: "cup", active: true, description: null, priceInPoints: 40, contents: [], audience: { rule: null, otherwise: "Locked" } },
  ...{ appearsIn: "Shop", onSale: { startsAt: null, endsAt: null }, stock: null, limitPerPlayer: null, recurrence: { kind: "None" } },
};

const between = (kind: Kind, before: object, after: object) => {
  const { lines, members } = differenceInWords(SUMMARIES[kind], before as never, after as never, EMPTY_CATALOGUE);
  return { lines: lines.map(({ term, ...one }) => [term, one.before.map(textOf), one.after.map(textOf)]), members };
};

it.each<[what: string, changes: object, lines: unknown[], members: string[]]>([
  ["a member that a line tells of", { priceInPoints: 45 }, [["Price", ["40 points"], ["45 points"]]], []],
  ["a member that no line tells of", { description: "New" }, [], ["description"]],
  [
    "both together, each mentioned once",
    { priceInPoints: 0, stock: 5, active: false },
    [
      ["Price", ["40 points"], ["Free"]],
      ["Stock", ["No limit"], ["5"]],
    ],
    ["active"],
  ],
  ["nothing", {}, [], []],
])("%s is shown in words", (_, changes, lines, members) =>
  expect(between("marketplaceItems", LISTING, { ...LISTING, ...changes })).toEqual({ lines, members }),
);

it("entries in both lists are left out; if only the order changed, all are shown", () => {
  const collection = (...missions: string[]) => ({ key: "c", missions });
  expect(between("missionCollections", collection("a", "b"), collection("b", "c")).lines).toEqual([["Missions, in order", ["A"], ["C"]]]);
  expect(between("missionCollections", collection("a", "b"), collection("b", "a")).lines).toEqual([
    ["Missions, in order", ["A", "B"], ["B", "A"]],
  ]);
});
