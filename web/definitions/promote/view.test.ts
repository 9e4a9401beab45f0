import { expect, test } from "vitest";
import type { Divergence, Same } from "./chosen.ts";
import { chosenFrom, NO_FILTER, shownIn, type View } from "./view.ts";

const one = (sign: Divergence["sign"], kind: Divergence["kind"], key: string, name = key): Divergence => ({
  ...{ sign, kind, key, name },
  ...{ differences: [], parts: [], fields: 0, isLong: false, needs: [] },
});
const ALL = [
  one("+", "events", "order_placed", "Order placed"),
  one("-", "missions", "old"),
  one("~", "missions", "first_order", "First order"),
  one("+", "missions", "new"),
];
const SAME: Same[] = [{ kind: "missions", key: "kept", name: "Kept order" }];

test.each<[view: Partial<View>, keys: string[], counts: number[]]>([
  [{}, ["first_order", "order_placed", "new", "old"], [4, 1, 2, 1, 1]],
  [{ kind: "missions" }, ["first_order", "new", "old"], [3, 1, 1, 1, 1]],
  [{ status: "new" }, ["order_placed", "new"], [4, 1, 2, 1, 1]],
  [{ search: "ORDER  pl" }, ["order_placed"], [1, 0, 1, 0, 0]],
  [{ search: "order", status: "same" }, ["kept"], [2, 1, 1, 0, 1]],
  [{ search: "nothing" }, [], [0, 0, 0, 0, 0]],
])("%j shows the matching definitions, changed first, and counts the rest", (view, keys, counts) => {
  const shown = shownIn(ALL, SAME, { ...NO_FILTER, ...view });
  expect([...shown.divergences, ...shown.same].map(({ key }) => key)).toEqual(keys);
  expect(Object.values(shown.counts)).toEqual(counts);
});

test.each<[text: string | null, chosen: string[]]>([
  [null, []],
  ["missions:new,events:order_placed", ["events/order_placed", "missions/new"]],
  ["missions:kept,missions:nobody,,x", []],
])("an address with %j selects its differing definitions", (text, chosen) => expect([...chosenFrom(text, ALL)]).toEqual(chosen));
