import { type Finding, finding, type Path } from "./finding.ts";
import { z } from "zod";
import type { GrantEffect, OwedItemEffect, RewardSource } from "../kernel/effects.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import { chosen, found } from "./measured.ts";
import { listed, missing, type Phrase, say, valued } from "./phrase.ts";
import { given, type Readable } from "./readable.ts";
import { type CheckScope, checkReference, type DescribeScope } from "./scope.ts";
import { must, reference, wholeNumber } from "./shapes.ts";
import type { Summary } from "./summary.ts";
import { canonicalValue, checkValue, type Choice, type Value, value } from "./value.ts";
import { numberInWords, valuePhrase } from "./value-words.ts";

/** A grant. */
export const rewardShape = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Points"), points: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
    z.strictObject({ kind: z.literal("CatalogItem"), catalogItem: reference, value }),
  ],
  must("shape.kind", { kinds: ["Points", "CatalogItem"] }),
);
export type RewardShape = z.output<typeof rewardShape>;

/** The items of one purchase of a listing. */
export const contentShape = z.strictObject(
  { catalogItem: reference, value },
  must("shape.object", { example: '{ "catalogItem": "free_coffee", "value": 1 }' }),
);

/** A reward as a form holds it. */
export type RewardDraft = { kind: "Points"; points: number | null } | ({ kind: "CatalogItem" } & ItemDraft);

interface ItemDraft {
  catalogItem: Choice;
  value: Value;
}

export type ItemType = ScalarType | "Collection";

/** A reward ready for the rules. */
export type Reward = { kind: "Points"; points: number } | ({ kind: "CatalogItem"; catalogItemId: number } & RewardItem);

/** The value of a granted catalog item. */
export interface RewardItem {
  catalogItemKey: string;
  valueType: ItemType;
  value: Scalar | readonly Scalar[];
}

/** The findings of a handed-over item: its reference, and whether the value is one of the item's. */
export function checkItem(
  { catalogItem, value: handed }: { readonly catalogItem?: Readable<string>; readonly value?: Readable<Scalar | Scalar[]> },
  path: Path,
  scope: CheckScope,
): Finding[] {
  const findings = checkReference("catalogItems", catalogItem, [...path, "catalogItem"], scope);
  const key = given(catalogItem);
  const type = key === undefined ? undefined : scope.itemType(key);
  if (type === undefined || given(handed) === undefined) return findings;
  return [...findings, ...checkItemValue(type, handed, [...path, "value"])];
}

function checkItemValue(type: ItemType, handed: Readable<Scalar | Scalar[]>, path: Path): Finding[] {
  if (type === "Collection") return Array.isArray(handed) ? [] : [finding(path, "item.list_wanted")];
  return Array.isArray(handed) ? [finding(path, "item.single_wanted", { type })] : checkValue(type, handed, path);
}

/** The findings of one reward of a mission, a milestone or a prize. */
export function checkReward(reward: Readable<RewardShape>, path: Path, scope: CheckScope): Finding[] {
  const one = given(reward);
  return one === undefined || !("catalogItem" in one) ? [] : checkItem(one, path, scope);
}

/** A handed-over item in canonical form. */
export const canonicalItem = <Item extends { catalogItem: string; value: Scalar | Scalar[] }>(
  item: Item,
  { itemType }: Pick<DescribeScope, "itemType">,
): Item => {
  const type = itemType(item.catalogItem);
  return { ...item, value: canonicalValue(type === "Collection" ? undefined : type, item.value) };
};

export const canonicalRewards = (rewards: RewardShape[], scope: Pick<DescribeScope, "itemType">): RewardShape[] =>
  rewards.map((reward) => (reward.kind === "Points" ? reward : canonicalItem(reward, scope)));

/** The points of some rewards together, and how many items they hand over. */
export const rewardsSummary = (rewards: readonly RewardShape[]): Summary => ({
  points: rewards.reduce((sum, reward) => sum + (reward.kind === "Points" ? reward.points : 0), 0),
  items: rewards.filter(({ kind }) => kind === "CatalogItem").length,
});

/** The catalog items by key. */
export type Items = ReadonlyMap<string, { id: number; shaped: { key: string; valueType: ItemType } }>;

export const compileReward = (shape: RewardShape, items: Items): Reward =>
  shape.kind === "Points" ? shape : { kind: "CatalogItem", ...compileItem(shape, items) };

export function compileItem(
  { catalogItem, value: handed }: z.output<typeof contentShape>,
  items: Items,
): RewardItem & { catalogItemId: number } {
  const { id, shaped } = found(items.get(catalogItem), catalogItem);
  return { catalogItemId: id, catalogItemKey: shaped.key, valueType: shaped.valueType, value: handed };
}

/** The effect of granting a reward. */
export function rewardEffect(reward: Reward, source: RewardSource): GrantEffect | OwedItemEffect {
  switch (reward.kind) {
    case "Points":
      return { kind: "grant", ...source, points: reward.points };
    case "CatalogItem":
      return { kind: "owedItem", ...source, catalogItemKey: reward.catalogItemKey, valueType: reward.valueType, value: reward.value };
  }
}

/** "100 points and 2 × Free coffee". */
export function rewardsPhrase(rewards: readonly RewardDraft[], scope: DescribeScope): Phrase {
  if (rewards.length === 0) return missing("no reward yet");
  return listed(
    rewards.map((reward) => rewardPhrase(reward, scope)),
    "and",
  );
}

function rewardPhrase(reward: RewardDraft, scope: DescribeScope): Phrase {
  if (reward.kind !== "Points") return itemPhrase(reward, scope);
  const { points } = reward;
  return points === null ? missing("… points") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
}

/** "2 × Free coffee", "Cup colours (red and blue)". */
export function itemPhrase({ catalogItem, value: handed }: ItemDraft, scope: DescribeScope): Phrase {
  if (catalogItem === null || catalogItem === "") return missing("an item");
  const name = chosen(catalogItem, "catalogItems", scope, "an item");
  const type = scope.itemType(catalogItem);
  const what = valuePhrase(handed, { type: type === "Collection" ? undefined : type, timeZone: scope.timeZone, last: "and" });
  if (type === "Number") return handed === 1 ? name : say`${what} × ${name}`;
  return say`${name} (${what})`;
}
