import { expect, test } from "vitest";
import type { Effect } from "./effects.ts";
import { rewardTexts, totalRewards } from "./reward.ts";

const names = { itemName: (key: string) => key.toUpperCase() };
const grant = (points: number) => ({ kind: "grant", points }) as Effect;
const owed = (catalogItemKey: string, value: number | string) => ({ kind: "owedItem", catalogItemKey, value }) as Effect;

test.each<[Effect[], each: string[], inAll: string[]]>([
  [[], [], []],
  [[grant(1)], ["1 point"], ["1 point"]],
  [
    [grant(40), owed("cup", 1200), grant(1200)],
    ["40 points", "1,200 × CUP", "1,200 points"],
    ["1,240 points", "1,200 × CUP"],
  ],
  [[owed("cup", 1), owed("cup", 3)], ["1 × CUP", "3 × CUP"], ["4 × CUP"]],
  [[owed("badge", "gold"), owed("badge", "gold")], ["BADGE (gold)", "BADGE (gold)"], ["BADGE (gold)"]],
])("%# granted rewards are listed one by one, and added up", (effects, each, inAll) => {
  expect(rewardTexts(effects, names)).toEqual(each);
  expect(totalRewards(effects, names)).toEqual(inAll);
});
