import type { Operator } from "../../../server/kernel/values.ts";
import { type Catalogue, find, nameIn, sourceOf, typeOfProperty } from "../catalogue.ts";
import {
  type AttributeObjective,
  type Choice,
  combined,
  type Condition,
  type Filter,
  type Group,
  isGroup,
  isMeasured,
  type Measured,
  type MeasuredObjective,
  type Objective,
  readingType,
  type Value,
} from "../rules/shapes.ts";
import { begun, listed, missing, named, type Phrase, say, textOf, words } from "./parts.ts";
import { comparison, quantity } from "./values.ts";

/** "Order placed at least 5 times where amount is over 10" (of an objective, for lists and the builder's own line). */
export const sentenceOf = (objective: Objective, catalogue: Catalogue): string => textOf(begun(objectivePhrase(objective, catalogue)));

/** "Tier is gold or platinum, or they have completed First order" */
export const conditionSentence = (condition: Condition, catalogue: Catalogue): string =>
  textOf(begun(conditionPhrase(condition, catalogue)));

export function objectivePhrase(objective: Objective, catalogue: Catalogue): Phrase {
  if (isGroup(objective)) return groupPhrase<Objective>(objective, (one) => objectivePhrase(one, catalogue));
  if (isMeasured(objective)) {
    const { operator, target } = objective as MeasuredObjective;
    return measuredPhrase(objective as MeasuredObjective, { operator, value: target }, catalogue);
  }
  const { attribute, operator, target } = objective as AttributeObjective;
  return attributePhrase(attribute, { operator, value: target }, catalogue);
}

export function conditionPhrase(condition: Condition, catalogue: Catalogue): Phrase {
  if (isGroup(condition)) return groupPhrase<Condition>(condition, (one) => conditionPhrase(one, catalogue));
  if ("segment" in condition) return say`they are in the segment ${chosen(condition.segment, catalogue.segments, "…")}`;
  if ("missionCompleted" in condition)
    return say`they have completed ${chosen(condition.missionCompleted, catalogue.missions, "a mission")}`;
  if ("attribute" in condition) return attributePhrase(condition.attribute, condition, catalogue);
  const compared = { operator: condition.operator, value: condition.value, type: "Number", timeZone: catalogue.timeZone } as const;
  if ("points" in condition) return say`their points balance ${comparison(compared)}`;
  if ("streak" in condition)
    return say`they have a streak of ${quantity(compared)} in ${chosen(condition.streak, catalogue.streaks, "a streak")}`;
  return measuredPhrase(condition, condition, catalogue, condition.lastDays);
}

export function filterPhrase(filter: Filter, source: ReturnType<typeof sourceOf>, timeZone: string): Phrase {
  if (isGroup(filter)) return groupPhrase<Filter>(filter, (one) => filterPhrase(one, source, timeZone));
  const { property, operator, value } = filter;
  const subject = property === null || property === "" ? missing("a property") : named(property);
  return say`${subject} ${comparison({ operator, value, type: typeOfProperty(source, property), timeZone })}`;
}

interface Compared {
  operator: Operator;
  value: Value;
}

function attributePhrase(attribute: Choice, { operator, value }: Compared, { attributes, timeZone }: Catalogue): Phrase {
  const type = find(attributes, attribute)?.type;
  return say`${chosen(attribute, attributes, "an attribute")} ${comparison({ operator, value, type, timeZone })}`;
}

/** What is read of an event or a metric, and what that is held against. */
export function measuredPhrase(measured: Measured, compared: Compared, catalogue: Catalogue, lastDays: number | null = null): Phrase {
  return say`${sourcePhrase(measured, catalogue)} ${readingPhrase(measured, compared, catalogue)}${lastDaysPhrase(lastDays)}${wherePhrase(measured, catalogue)}`;
}

export function sourcePhrase({ event, metric }: Measured, { events, metrics }: Catalogue): Phrase {
  return metric === undefined || metric === null ? chosen(event ?? null, events, "an event") : chosen(metric, metrics, "a metric");
}

export function wherePhrase({ where, ...measured }: Measured, catalogue: Catalogue): Phrase {
  return where === null || where === undefined ? [] : say` where ${filterPhrase(where, sourceOf(catalogue, measured), catalogue.timeZone)}`;
}

const lastDaysPhrase = (days: number | null): Phrase =>
  days === null ? [] : days === 1 ? words(" in the last day") : words(` in the last ${days} days`);

/** "at least 5 times", "with a total amount of at least 100" */
function readingPhrase(measured: Measured, { operator, value }: Compared, catalogue: Catalogue): Phrase {
  const { kind, property } = measured.measure;
  const type = readingType(kind, ofProperty(measured, catalogue));
  const amount = quantity({ operator, value, type, timeZone: catalogue.timeZone });
  switch (kind) {
    case "Count":
      return timesPhrase(operator, value, amount);
    case "DistinctDays":
      return say`on ${amount} different ${value === 1 ? "day" : "days"}`;
    case "DistinctCount":
      return say`with ${amount} different ${valuesOf(property, measured, value === 1)}`;
    case "Sum":
    case "Max":
    case "Min":
    case "Latest":
      return say`with a ${ADJECTIVES[kind]} ${takenOf(property, measured)} of ${amount}`;
  }
}

export const ADJECTIVES = { Sum: "total", Max: "highest", Min: "lowest", Latest: "latest" } as const;

/** Of a metric, a measure without a property is of its value. */
const isOfValue = (property: Choice | undefined, { metric }: Measured): boolean => (property ?? null) === null && (metric ?? null) !== null;

export const takenOf = (property: Choice | undefined, measured: Measured): Phrase => {
  if (isOfValue(property, measured)) return words("value");
  return property ? named(property) : missing("property");
};

const valuesOf = (property: Choice | undefined, measured: Measured, isOne: boolean): Phrase => {
  const noun = isOne ? "value" : "values";
  return isOfValue(property, measured) ? words(noun) : say`${noun} of ${property ? named(property) : missing("a property")}`;
};

const ofProperty = (measured: Measured, catalogue: Catalogue) =>
  isOfValue(measured.measure.property, measured) ? "Number" : typeOfProperty(sourceOf(catalogue, measured), measured.measure.property);

function timesPhrase(operator: Operator, value: Value, amount: Phrase): Phrase {
  if (operator === "EqualTo" && value === 0) return words("never");
  if (value !== 1) return say`${amount} times`;
  switch (operator) {
    case "GreaterThanOrEqualTo":
      return words("at least once");
    case "GreaterThan":
      return words("more than once");
    case "LessThanOrEqualTo":
      return words("at most once");
    case "EqualTo":
      return words("exactly once");
    case "LessThan":
      return words("never");
    case "NotEqualTo":
    case "In":
    case "NotIn":
      return say`${amount} times`;
  }
}

/** Groups inside a group stand in brackets. */
function groupPhrase<Rule extends object>(group: Group<Rule>, phraseOf: (rule: Rule) => Phrase): Phrase {
  const { how, rules } = combined(group);
  if (rules.length === 0) return missing("no condition yet");
  const inner = rules.map((rule) => (rules.length > 1 && needsBrackets(rule) ? say`(${phraseOf(rule)})` : phraseOf(rule)));
  switch (how) {
    case "all":
      return joined(inner, "and");
    case "any":
      return joined(inner, "or");
    case "not":
      return say`not (${inner[0] ?? missing("…")})`;
  }
}

/** Of several: a group of several, and what ends in a filter, which would go on with the next. A "not" has brackets of its own. */
function needsBrackets(rule: object): boolean {
  if (!isGroup(rule)) return "where" in rule && rule.where !== null;
  const { how, rules } = combined(rule as unknown as Group<object>);
  return how !== "not" && rules.length > 1;
}

/** Conditions are long: the word stands between each two of them. */
const joined = (phrases: readonly Phrase[], word: string): Phrase =>
  phrases.length < 3 ? listed(phrases, word) : phrases.flatMap((phrase, at) => (at === 0 ? phrase : [...words(`, ${word} `), ...phrase]));

const chosen = (key: Choice, among: Parameters<typeof nameIn>[0], what: string): Phrase =>
  key === null || key === "" ? missing(what) : named(nameIn(among, key));
