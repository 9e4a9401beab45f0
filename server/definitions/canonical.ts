import { Decimal } from "../kernel/decimal.ts";
import { PROJECT_LANGUAGE } from "../kernel/text-shapes.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import { canonicalValue } from "./comparisons.ts";
import {
  type ConditionShape,
  type FilterShape,
  type Kind,
  type MetricObjectiveShape,
  type ObjectiveShape,
  type Shaped,
} from "./contract.ts";
import { readingType } from "./objectives.ts";
import { given } from "./readable.ts";
import type { Result } from "./result.ts";
import { attributeType, propertyType } from "./types.ts";

/**
 * The one form in which a definition is kept, compared and exported: short texts name their language, and values are
 * written as their type is. What a reference that does not resolve compares with stays as it is.
 */
export function canonical<K extends Kind>(kind: K, shaped: Shaped<K>, result: Result, language: string): Shaped<K> {
  return inLanguage(typed(kind, shaped, result), language) as Shaped<K>;
}

function typed(kind: Kind, shaped: Shaped, result: Result): Shaped {
  switch (kind) {
    case "segments":
      return { ...(shaped as Shaped<"segments">), rule: canonicalCondition((shaped as Shaped<"segments">).rule, result) };
    case "missions":
      return canonicalMission(shaped as Shaped<"missions">, result);
    case "marketplaceItems":
      return canonicalListing(shaped as Shaped<"marketplaceItems">, result);
    case "streaks":
      return canonicalStreak(shaped as Shaped<"streaks">, result);
    case "leaderboards":
      return canonicalLeaderboard(shaped as Shaped<"leaderboards">, result);
    case "exchangeRates":
      return { ...(shaped as Shaped<"exchangeRates">), rate: canonicalValue("Number", (shaped as Shaped<"exchangeRates">).rate) };
    case "pointsValuations":
      return { ...(shaped as Shaped<"pointsValuations">), amount: canonicalValue("Number", (shaped as Shaped<"pointsValuations">).amount) };
    case "events":
    case "metrics":
    case "attributes":
    case "catalogItems":
    case "missionCollections":
    case "marketplaceCollections":
      return shaped;
  }
}

/** The same for the objectives of a mission alone. */
export const canonicalObjectives = (objectives: readonly ObjectiveShape[], result: Result, language: string): ObjectiveShape[] =>
  inLanguage(
    objectives.map((one) => canonicalObjective(one, result)),
    language,
  ) as ObjectiveShape[];

const canonicalMission = (mission: Shaped<"missions">, result: Result): Shaped<"missions"> => ({
  ...mission,
  audience: canonicalAudience(mission.audience, result),
  objectives: mission.objectives.map((one) => canonicalObjective(one, result)),
  rewards: canonicalRewards(mission.rewards, result),
});

function canonicalStreak(streak: Shaped<"streaks">, result: Result): Shaped<"streaks"> {
  const { type, where } = canonicalMeasured(streak, result);
  const milestones = streak.milestones.map((one) => ({ ...one, rewards: canonicalRewards(one.rewards, result) }));
  return { ...streak, where, target: canonicalValue(type, streak.target), milestones };
}

/** What counts events without saying how counts them. */
export function canonicalLeaderboard(board: Shaped<"leaderboards">, result: Result): Shaped<"leaderboards"> {
  const { scoreSource, prizes } = board;
  const measure = board.measure ?? (scoreSource === "Event" || scoreSource === "Metric" ? { kind: "Count" as const } : null);
  const { where } = canonicalMeasured({ ...board, measure: measure ?? { kind: "Count" } }, result);
  return {
    ...board,
    where,
    measure,
    audience: canonicalAudience(board.audience, result),
    prizes: prizes.map((prize) => ({ ...prize, rewards: canonicalRewards(prize.rewards, result) })),
  };
}

const canonicalRewards = (rewards: Shaped<"missions">["rewards"], result: Result): Shaped<"missions">["rewards"] =>
  rewards.map((reward) => (reward.kind === "Points" ? reward : canonicalItem(reward, result)));

const canonicalListing = (listing: Shaped<"marketplaceItems">, result: Result): Shaped<"marketplaceItems"> => ({
  ...listing,
  contents: listing.contents.map((content) => canonicalItem(content, result)),
  audience: canonicalAudience(listing.audience, result),
});

const canonicalAudience = (audience: Shaped<"missions">["audience"], result: Result): Shaped<"missions">["audience"] => ({
  ...audience,
  rule: audience.rule === null ? null : canonicalCondition(audience.rule, result),
});

/** What is handed over of a catalog item. */
const canonicalItem = <Item extends { catalogItem: string; value: Scalar | Scalar[] }>(item: Item, result: Result): Item => ({
  ...item,
  value: canonicalValue(itemType(result, item.catalogItem), item.value),
});

function canonicalCondition(condition: ConditionShape, result: Result): ConditionShape {
  const inner = (one: ConditionShape) => canonicalCondition(one, result);
  if ("all" in condition) return { all: condition.all.map(inner) };
  if ("any" in condition) return { any: condition.any.map(inner) };
  if ("not" in condition) return { not: inner(condition.not) };
  if ("segment" in condition || "missionCompleted" in condition) return condition;
  if ("event" in condition || "metric" in condition) {
    const { type, where } = canonicalMeasured(condition, result);
    return { ...condition, where, value: canonicalValue(type, condition.value) };
  }
  const type = "attribute" in condition ? attributeType(result, condition.attribute, []).type : "Number";
  return { ...condition, value: canonicalValue(type, condition.value) };
}

function canonicalObjective(objective: ObjectiveShape, result: Result): ObjectiveShape {
  const inner = (one: ObjectiveShape) => canonicalObjective(one, result);
  if ("all" in objective) return { ...objective, all: objective.all.map(inner) };
  if ("any" in objective) return { ...objective, any: objective.any.map(inner) };
  if ("not" in objective) return { ...objective, not: inner(objective.not) };
  if ("attribute" in objective) {
    return { ...objective, target: canonicalValue(attributeType(result, objective.attribute, []).type, objective.target) };
  }
  const { type, where } = canonicalMeasured(objective, result);
  return { ...objective, where, target: canonicalValue(type, objective.target) };
}

/** The filter in its one form, and the type of what is read. */
function canonicalMeasured(
  { event, metric, where, measure }: { event?: string | null; metric?: string | null } & Pick<MetricObjectiveShape, "where" | "measure">,
  result: Result,
): { type: ScalarType | undefined; where: FilterShape | null } {
  const source = typeof metric === "string" ? result.metrics.get(metric) : result.events.get(event ?? "");
  const typeOf = (property: string) => propertyType(source, property, [], result).type;
  const property = "property" in measure && typeof measure.property === "string" ? typeOf(measure.property) : "Number";
  return {
    type: property === undefined ? undefined : readingType(measure.kind, property),
    where: where === null ? null : canonicalFilter(where, typeOf),
  };
}

function canonicalFilter(filter: FilterShape, typeOf: (property: string) => ScalarType | undefined): FilterShape {
  const inner = (one: FilterShape) => canonicalFilter(one, typeOf);
  if ("all" in filter) return { all: filter.all.map(inner) };
  if ("any" in filter) return { any: filter.any.map(inner) };
  if ("not" in filter) return { not: inner(filter.not) };
  return { ...filter, value: canonicalValue(typeOf(filter.property), filter.value) };
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
