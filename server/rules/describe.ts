import { isJsonObject } from "../kernel/values.ts";
import { conditionPhrase, conditionShape } from "./condition.ts";
import { filterPhrase, filterShape } from "./filter.ts";
import { objectivePhrase, objectiveShape } from "./objective.ts";
import { operatorInMenu, OPERATORS } from "./operator.ts";
import { begun, textOf } from "./phrase.ts";
import type { DescribeScope } from "./scope.ts";

/** The scope of whoever has a rule alone: keys stand for names, and instants as they are written. */
export const KEYS_ALONE: DescribeScope = {
  attributeType: () => undefined,
  propertyType: () => undefined,
  itemType: () => undefined,
  nameOf: (_, key) => key,
  timeZone: "UTC",
};

/** What a rule says of which nobody knows the form: an objective, a condition or a filter as a definition has it; null for what is none. */
export function ruleInWords(value: unknown, scope: DescribeScope): string | null {
  if (!isJsonObject(value)) return null;
  const objective = objectiveShape.safeParse(value);
  if (objective.success) return textOf(begun(objectivePhrase(objective.data, scope)));
  const condition = conditionShape.safeParse(value);
  if (condition.success) return textOf(begun(conditionPhrase(condition.data, scope)));
  const filter = filterShape.safeParse(value);
  if (!filter.success) return null;
  return textOf(filterPhrase(filter.data, (property) => scope.propertyType({}, property), scope.timeZone));
}

/** What an operator is called where it stands alone; null for another word. */
export function operatorInWords(word: string): string | null {
  const known = OPERATORS.find((operator) => operator === word);
  return known === undefined ? null : operatorInMenu(known, undefined, false);
}
