import type { RewardMove } from "../../engine/moved.ts";
import type { Effect } from "../../model/kernel/effects.ts";
import { addNumbers, type Numeric } from "../../model/kernel/decimal.ts";
import { isNumeric, type Scalar } from "../../model/kernel/values.ts";

/** A value without a declared type, as people read it. */
export const plain = (value: Scalar | readonly Scalar[]): string =>
  Array.isArray(value) ? (value as readonly Scalar[]).map(plain).join(", ") : isNumeric(value) ? value.toString() : String(value);

/** "1 point", "200 points". */
export const pointsText = (points: Numeric): string => `${points.toString()} point${points === 1 ? "" : "s"}`;

/** "2 × Coffee" of numbers, "Badge (gold)" of anything else. */
export const itemText = (name: string, value: Scalar | readonly Scalar[]): string =>
  isNumeric(value) ? `${value.toString()} × ${name}` : `${name} (${plain(value)})`;

interface Names {
  /** The name of a catalog item, by its key. */
  itemName(key: string): string;
}

/** What effects grant, in their order: "200 points", "1 × Coffee". */
export const rewardTexts = (effects: readonly (Effect | RewardMove)[], { itemName }: Names): string[] =>
  effects.flatMap((effect) => {
    if (effect.kind === "grant") return [pointsText(effect.points)];
    return effect.kind === "owedItem" ? [itemText(itemName(effect.catalogItemKey), effect.value)] : [];
  });

/** What effects grant in all: "160 points", "4 × Coffee", "Badge (gold)" once for each different value. */
export function totalRewards(effects: readonly Effect[], { itemName }: Names): string[] {
  let points: Numeric | null = null;
  const amounts = new Map<string, Numeric>();
  const others = new Set<string>();
  for (const effect of effects) {
    if (effect.kind === "grant") points = addNumbers(points ?? 0, effect.points);
    if (effect.kind !== "owedItem") continue;
    const { catalogItemKey: key, value } = effect;
    if (isNumeric(value)) amounts.set(key, addNumbers(amounts.get(key) ?? 0, value));
    else others.add(itemText(itemName(key), value));
  }
  return [
    ...(points === null ? [] : [pointsText(points)]),
    ...[...amounts].map(([key, amount]) => itemText(itemName(key), amount)),
    ...others,
  ];
}
