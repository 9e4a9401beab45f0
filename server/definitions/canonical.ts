import { Decimal } from "../kernel/decimal.ts";
import type { ScalarType } from "../kernel/values.ts";
import { canonicalValue } from "./comparisons.ts";
import { type FilterShape, type Kind, type ObjectiveShape, PROJECT_LANGUAGE, type Shaped } from "./contract.ts";
import { readingType } from "./objectives.ts";
import { given } from "./readable.ts";
import type { Result } from "./result.ts";

/**
 * The one form in which a definition is kept, compared and exported: short texts name their language, and values are
 * written as their type is. What a reference that does not resolve compares with stays as it is.
 */
export function canonical<K extends Kind>(kind: K, shaped: Shaped<K>, result: Result, language: string): Shaped<K> {
  const typed = kind === "missions" ? canonicalMission(shaped as Shaped<"missions">, result) : shaped;
  return inLanguage(typed, language) as Shaped<K>;
}

/** The same for the objectives of a mission alone. */
export const canonicalObjectives = (objectives: readonly ObjectiveShape[], result: Result, language: string): ObjectiveShape[] =>
  inLanguage(
    objectives.map((one) => canonicalObjective(one, result)),
    language,
  ) as ObjectiveShape[];

const canonicalMission = (mission: Shaped<"missions">, result: Result): Shaped<"missions"> => ({
  ...mission,
  objectives: mission.objectives.map((one) => canonicalObjective(one, result)),
  rewards: mission.rewards.map((reward) =>
    reward.kind === "Points" ? reward : { ...reward, value: canonicalValue(itemType(result, reward.catalogItem), reward.value) },
  ),
});

function canonicalObjective(objective: ObjectiveShape, result: Result): ObjectiveShape {
  const inner = (one: ObjectiveShape) => canonicalObjective(one, result);
  if ("all" in objective) return { ...objective, all: objective.all.map(inner) };
  if ("any" in objective) return { ...objective, any: objective.any.map(inner) };
  if ("not" in objective) return { ...objective, not: inner(objective.not) };
  const { event, where, measure, target } = objective;
  const property = "property" in measure ? propertyType(result, event, measure.property) : "Number";
  return {
    ...objective,
    where: where === null ? null : canonicalFilter(where, event, result),
    target: canonicalValue(property === undefined ? undefined : readingType(measure.kind, property), target),
  };
}

function canonicalFilter(filter: FilterShape, event: string, result: Result): FilterShape {
  const inner = (one: FilterShape) => canonicalFilter(one, event, result);
  if ("all" in filter) return { all: filter.all.map(inner) };
  if ("any" in filter) return { any: filter.any.map(inner) };
  if ("not" in filter) return { not: inner(filter.not) };
  return { ...filter, value: canonicalValue(propertyType(result, event, filter.property), filter.value) };
}

function propertyType(result: Result, event: string, key: string): ScalarType | undefined {
  const properties = given(given(result.events.get(event)?.readable)?.properties);
  return given(given(properties?.find((one) => given(given(one)?.key) === key))?.type);
}

function itemType(result: Result, key: string): ScalarType | undefined {
  const type = given(given(result.catalogItems.get(key)?.readable)?.valueType);
  return type === "Collection" ? undefined : type;
}

/** Puts the project's language where a text in short form left it open. */
function inLanguage(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((one) => inLanguage(one, language));
  if (typeof value !== "object" || value === null || value instanceof Decimal) return value;
  const members = value as Record<string, unknown>;
  if (members.default === PROJECT_LANGUAGE)
    return { default: language, texts: { [language]: (members.texts as Record<string, string>)[PROJECT_LANGUAGE] } };
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, inLanguage(one, language)]));
}
