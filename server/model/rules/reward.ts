import { type Finding, finding, type Path } from "./finding.ts";
import { z } from "zod";
import { addNumbers } from "../kernel/decimal.ts";
import { plural } from "../kernel/thousands.ts";
import { isNumeric, type Scalar, type ScalarType } from "../kernel/values.ts";
import { chosen, found } from "./measured.ts";
import { listed, missing, type Phrase, say, valued } from "./phrase.ts";
import { given, type Readable } from "./readable.ts";
import { type CheckScope, checkReference, type DescribeScope } from "./scope.ts";
import { must, reference, wholeNumber } from "./shapes.ts";
import type { Summary } from "./summary.ts";
import { canonicalValue, checkValue, type Choice, type Value, value } from "./value.ts";
import { numberInWords, plain, valuePhrase } from "./value-words.ts";

const SHAPES = [
  z.strictObject({ kind: z.literal("Points"), points: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
  z.strictObject({ kind: z.literal("CatalogItem"), catalogItem: reference, value }),
] as const;
export const REWARD_KINDS = SHAPES.map(({ shape }) => shape.kind.value);
export const rewardShape = z.discriminatedUnion("kind", SHAPES, must("shape.kind", { kinds: REWARD_KINDS }));
export type RewardShape = z.output<typeof rewardShape>;

export const REWARD_EXAMPLES: { [Kind in RewardShape["kind"]]: Extract<RewardShape, { kind: Kind }> } = {
  Points: { kind: "Points", points: 100 },
  CatalogItem: { kind: "CatalogItem", catalogItem: "free_coffee", value: 1 },
};

/** The items of one purchase of a listing. */
export const contentShape = z.strictObject(
  { catalogItem: reference, value },
  must("shape.object", { example: '{ "catalogItem": "free_coffee", "value": 1 }' }),
);

interface Drafts {
  Points: { points: number | null };
  CatalogItem: ItemDraft;
}

/** A reward as a form holds it. */
export type RewardDraft = { [Kind in RewardShape["kind"]]: { kind: Kind } & Drafts[Kind] }[RewardShape["kind"]];

/** A handed-over item as a form holds it. */
export interface ItemDraft {
  catalogItem: Choice;
  value: Value;
}

export type ItemType = ScalarType | "Collection";

/** A compiled reward. */
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
export function rewardsSummary(rewards: readonly RewardShape[]): Summary {
  const summary = { points: 0, items: 0 };
  for (const reward of rewards) {
    switch (reward.kind) {
      case "Points":
        summary.points += reward.points;
        break;
      case "CatalogItem":
        summary.items++;
    }
  }
  return summary;
}

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

export interface RewardSource {
  sourceType: "Mission" | "StreakMilestone" | "Leaderboard";
  sourceId: string;
  /** The id of the mission, streak or leaderboard. */
  sourceDefinitionId: number;
  /** The index of the reward among those of the source. */
  ordinal: number;
  /** The length of the streak's milestone; left out for other sources. */
  milestone?: number;
  at: number;
  /** Endpoints are not notified, because it follows from a quiet fact. */
  isQuiet?: boolean;
}

export interface GrantEffect extends RewardSource {
  kind: "grant";
  points: number;
}

export interface OwedItemEffect extends RewardSource, RewardItem {
  kind: "owedItem";
}

export type RewardEffect = GrantEffect | OwedItemEffect;

export function rewardEffect(reward: Reward, source: RewardSource): RewardEffect {
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

export type Granted = Grant<RewardEffect>;
type Grant<Effect> = Effect extends unknown ? Omit<Effect, Exclude<keyof RewardSource, "sourceDefinitionId">> : never;

/** "2 × Coffee" of numbers, "Badge (gold)" of anything else. */
export const itemText = (name: string, given: Scalar | readonly Scalar[]): string =>
  isNumeric(given) ? `${numberInWords(given)} × ${name}` : `${name} (${plain(given)})`;

/** The `data` of catalog_item.fulfillment_requested. */
export const fulfillmentData = (
  playerExternalId: string,
  { catalogItemKey, valueType, value: handed }: RewardItem,
  { sourceType, sourceId }: { sourceType: string; sourceId: string },
) => ({ playerExternalId, catalogItemKey, valueType, value: handed, sourceType, sourceId });

interface Names {
  itemName(key: string): string;
}

interface GrantedKind<Effect extends RewardEffect> {
  /** The points that the reward adds to the balance. */
  points(granted: Grant<Effect>): number;
  /** The catalog item that the reward hands over; null for none. */
  item(granted: Grant<Effect>): RewardItem | null;
  /** The reward's value and its text. Numbers with the same `of` add up. */
  amount(
    granted: Grant<Effect>,
    names: Names,
  ): { of: string; value: Scalar | readonly Scalar[]; text(value: Scalar | readonly Scalar[]): string };
  /** The webhook about it; null for none. */
  webhook(playerExternalId: string, effect: Effect): { event: "catalog_item.fulfillment_requested"; data: object } | null;
}

const GRANTED: { [Kind in RewardEffect["kind"]]: GrantedKind<Extract<RewardEffect, { kind: Kind }>> } = {
  grant: {
    points: ({ points }) => points,
    item: () => null,
    amount: ({ points }) => ({ of: "", value: points, text: (sum) => plural(sum, "point") }),
    webhook: () => null,
  },
  owedItem: {
    points: () => 0,
    item: (item) => item,
    amount: ({ catalogItemKey: of, value: handed }, { itemName }) => ({ of, value: handed, text: (sum) => itemText(itemName(of), sum) }),
    webhook: (playerExternalId, effect) => ({
      event: "catalog_item.fulfillment_requested",
      data: fulfillmentData(playerExternalId, effect, effect),
    }),
  },
};

const kindOf = ({ kind }: Granted): GrantedKind<RewardEffect> => GRANTED[kind];

export const isReward = <Effect extends { kind: string }>(effect: Effect): effect is Extract<Effect, Granted> => effect.kind in GRANTED;

/** The points that effects add to the balance. */
export const pointsOf = (effects: readonly { kind: string }[]): number =>
  grants(effects).reduce((sum, granted) => sum + kindOf(granted).points(granted), 0);

/** The catalog items that effects hand over, in their order. */
export const itemsOf = (effects: readonly { kind: string }[]): RewardItem[] =>
  grants(effects).flatMap((granted) => kindOf(granted).item(granted) ?? []);

/** The webhook about a reward; null for a kind without one. */
export const rewardWebhook = (playerExternalId: string, effect: RewardEffect) => kindOf(effect).webhook(playerExternalId, effect);

const grants = (effects: readonly { kind: string }[]): Granted[] => effects.filter((effect) => effect.kind in GRANTED) as Granted[];

const grantedBy = (effects: readonly { kind: string }[], names: Names) =>
  grants(effects).map((granted) => kindOf(granted).amount(granted, names));

/** What effects grant, in their order: "200 points", "1 × Coffee". */
export const rewardTexts = (effects: readonly { kind: string }[], names: Names): string[] =>
  grantedBy(effects, names).map(({ value: granted, text }) => text(granted));

/** "200 points": a reward in words, without its being granted. */
export const rewardText = (reward: Reward, names: Names): string =>
  rewardTexts([rewardEffect(reward, { sourceType: "Mission", sourceId: "", sourceDefinitionId: 0, ordinal: 0, at: 0 })], names)[0]!;

/** What effects grant in all: "160 points", "4 × Coffee", "Badge (gold)" once for each different value. */
export function totalRewards(effects: readonly { kind: string }[], names: Names): string[] {
  const totals = new Map<string, ReturnType<typeof grantedBy>[number]>();
  for (const one of grantedBy(effects, names)) {
    const name = isNumeric(one.value) ? one.of : one.text(one.value);
    const before = totals.get(name)?.value;
    totals.set(name, isNumeric(one.value) && isNumeric(before) ? { ...one, value: addNumbers(before, one.value) } : one);
  }
  return [...totals.values()].map(({ value: total, text }) => text(total));
}
