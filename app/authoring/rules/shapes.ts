import type { Text } from "../../../server/kernel/texts.ts";
import type { Operator, Scalar, ScalarType } from "../../../server/kernel/values.ts";

/** The rules of definitions.md as a form holds them: what is not chosen yet is null. */

export type Choice = string | null;
export type Value = Scalar | Scalar[] | null;

/** Of a group of objectives: what players read. */
interface Described {
  description?: Text | null;
}
interface AllOf<Rule> extends Described {
  all: Rule[];
}
interface AnyOf<Rule> extends Described {
  any: Rule[];
}
interface Not<Rule> extends Described {
  not: Rule;
}
export type Group<Rule> = AllOf<Rule> | AnyOf<Rule> | Not<Rule>;

export const MEASURES = ["Count", "Sum", "Max", "Min", "Latest", "DistinctCount", "DistinctDays"] as const;
export type MeasureKind = (typeof MEASURES)[number];
export interface Measure {
  kind: MeasureKind;
  property?: Choice;
}

export interface PropertyTest {
  property: Choice;
  operator: Operator;
  value: Value;
}
export type Filter = AllOf<Filter> | AnyOf<Filter> | Not<Filter> | PropertyTest;

/** What is read of an event, or of a metric where it names one. */
export interface Measured {
  event?: Choice;
  metric?: Choice;
  where: Filter | null;
  measure: Measure;
}

export type MeasuredObjective = Measured & { description?: Text | null; operator: Operator; target: Value };
export interface AttributeObjective {
  description?: Text | null;
  attribute: Choice;
  operator: Operator;
  target: Value;
}
export type Objective = MeasuredObjective | AttributeObjective | AllOf<Objective> | AnyOf<Objective> | Not<Objective>;

export type HistoryCondition = Measured & { operator: Operator; value: Value; lastDays: number | null };
export type Condition =
  | AllOf<Condition>
  | AnyOf<Condition>
  | Not<Condition>
  | HistoryCondition
  | { attribute: Choice; operator: Operator; value: Value }
  | { segment: Choice }
  | { points: "Balance"; operator: Operator; value: Value }
  | { missionCompleted: Choice }
  | { streak: Choice; operator: Operator; value: Value };

export type Reward = { kind: "Points"; points: number | null } | { kind: "CatalogItem"; catalogItem: Choice; value: Value };

export type Audience = { rule: Condition | null; otherwise: "Locked" | "Hidden" };
export interface Span {
  startsAt: string | null;
  endsAt: string | null;
}

type AnyGroup<Rule> = Extract<Rule, { all: unknown } | { any: unknown } | { not: unknown }>;

/** Whether a rule combines others. */
export const isGroup = <Rule extends object>(rule: Rule): rule is AnyGroup<Rule> => "all" in rule || "any" in rule || "not" in rule;

export const isMeasured = <Rule extends object>(rule: Rule): rule is Extract<Rule, Measured> => "event" in rule || "metric" in rule;

/** How a group combines, and what. */
export type Combination = "all" | "any" | "not";
export function combined<Rule extends object>(group: Group<Rule>): { how: Combination; rules: Rule[] } {
  if ("all" in group) return { how: "all", rules: group.all };
  if ("any" in group) return { how: "any", rules: group.any };
  return { how: "not", rules: [group.not] };
}

/** Of which properties a measure can be taken (definitions.md, measure). */
export function isMeasurable(measure: MeasureKind, type: ScalarType): boolean {
  switch (measure) {
    case "Count":
    case "DistinctDays":
    case "DistinctCount":
    case "Latest":
      return true;
    case "Sum":
      return type === "Number";
    case "Max":
    case "Min":
      return type === "Number" || type === "DateTime";
  }
}

export const needsProperty = (measure: MeasureKind): boolean => measure !== "Count" && measure !== "DistinctDays";

/** What a measure gives: counts and sums are numbers, extremes and the latest are what the property is. */
export const readingType = (measure: MeasureKind, property: ScalarType | undefined): ScalarType | undefined =>
  measure === "Max" || measure === "Min" || measure === "Latest" ? property : "Number";

const EQUALITY: readonly Operator[] = ["EqualTo", "NotEqualTo", "In", "NotIn"];
const ORDER: readonly Operator[] = ["GreaterThanOrEqualTo", "GreaterThan", "LessThanOrEqualTo", "LessThan"];

/** What can be ordered can be compared; anything can be equal. */
export function operatorsOf(type: ScalarType | undefined): readonly Operator[] {
  switch (type) {
    case "Number":
    case "DateTime":
      return [...ORDER, ...EQUALITY];
    case "Boolean":
      return ["EqualTo", "NotEqualTo"];
    case "String":
    case undefined:
      return EQUALITY;
  }
}

export const takesList = (operator: Operator): boolean => operator === "In" || operator === "NotIn";
