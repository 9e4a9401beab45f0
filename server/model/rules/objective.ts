import { type Finding, mistake } from "./finding.ts";
import { z } from "zod";
import type { CounterValue } from "../kernel/player.ts";
import type { Text } from "../kernel/texts.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import { onlyRises, counterWithoutEvents } from "./measure.ts";
import {
  canonicalMeasured,
  checkMeasured,
  chosen,
  type EventCriterion,
  eventCriterion,
  found,
  isMeasured,
  measured,
  type MeasuredDraft,
  measuredPhrase,
  metricMeasured,
} from "./measured.ts";
import { checkComparison, comparison, holds, operator, type Operator, progressToward } from "./operator.ts";
import { begun, type Phrase, say, textOf } from "./phrase.ts";
import { checkAttribute, type CheckScope, type DescribeScope, type Sources, type TypeScope } from "./scope.ts";
import { filledList, oneForm, reference } from "./shapes.ts";
import { description } from "./text-shapes.ts";
import { compiledTree, evaluate, fold, type Leaf, type LeafOf, mapped, treePhrase } from "./tree.ts";
import { canonicalValue, type Choice, type Value, value } from "./value.ts";

/** A single condition of an objective: over the occurrences of one event or metric, or over an attribute. */
const eventObjective = z.strictObject({ description, ...measured, operator, target: value });
const metricObjective = z.strictObject({ description, ...metricMeasured, operator, target: value });
const attributeObjective = z.strictObject({ description, attribute: reference, operator, target: value });

type EventObjectiveShape = z.output<typeof eventObjective>;
type MetricObjectiveShape = z.output<typeof metricObjective>;
type AttributeObjectiveShape = z.output<typeof attributeObjective>;
type CompoundShape = { all: ObjectiveShape[] } | { any: ObjectiveShape[] } | { not: ObjectiveShape };
export type ObjectiveShape =
  | EventObjectiveShape
  | MetricObjectiveShape
  | AttributeObjectiveShape
  | ({ description: Text | null } & CompoundShape);

export const objectiveShape: z.ZodType<ObjectiveShape> = z.lazy(() =>
  oneForm<ObjectiveShape>(
    mistake("shape.rule", { rule: "objective", example: '{ "event": "order_placed", "operator": "GreaterThanOrEqualTo", "target": 5 }' }),
    [
      eventObjective,
      attributeObjective,
      z.strictObject({ description, all: filledList(objectiveShape) }),
      z.strictObject({ description, any: filledList(objectiveShape) }),
      z.strictObject({ description, not: objectiveShape }),
      metricObjective,
    ],
  ),
);

/** The description of an objective, or of a group of them, for players. */
interface Described {
  description?: Text | null;
}

export type MeasuredObjectiveDraft = MeasuredDraft & Described & { operator: Operator; target: Value };
export interface AttributeObjectiveDraft extends Described {
  attribute: Choice;
  operator: Operator;
  target: Value;
}

/** An objective as a form holds it. */
export type ObjectiveDraft =
  | MeasuredObjectiveDraft
  | AttributeObjectiveDraft
  | (Described & ({ all: ObjectiveDraft[] } | { any: ObjectiveDraft[] } | { not: ObjectiveDraft }));

/** A compiled criterion: the player's value of an attribute, and its target. */
export interface AttributeCriterion {
  source: "Attribute";
  /** The id of the attribute. */
  definitionId: number;
  type: ScalarType;
  operator: Operator;
  target: Scalar | readonly Scalar[];
}

/** The reading of an objective's leaf, and its target. */
export type Criterion = EventCriterion | AttributeCriterion;

/** How the criteria of an objective combine; a number is the index of a criterion. */
export type Expression = number | { all: readonly Expression[] } | { any: readonly Expression[] } | { not: Expression };

export type ProgressKind = "TowardTarget" | "WithinLimit" | "Binary" | "NotDisplayable";

export interface Objective {
  /** UUID derived from the mission and the objective's index. */
  id: string;
  description: Text | null;
  criteria: readonly Criterion[];
  expression: Expression;
  progressKind: ProgressKind;
}

/** The findings of one condition of an objective: its event or attribute, and its target. */
export function checkObjective({ leaf, path }: Leaf<ObjectiveShape>, scope: CheckScope): Finding[] {
  const { operator: compares, target } = leaf;
  const { type, findings } =
    "attribute" in leaf ? checkAttribute(leaf.attribute, [...path, "attribute"], scope) : checkMeasured(leaf, path, scope);
  return [...findings, ...checkComparison(type, { operator: compares, value: target, path, member: "target" })];
}

export const canonicalObjective = (objective: ObjectiveShape, scope: TypeScope): ObjectiveShape =>
  mapped<ObjectiveShape, LeafOf<ObjectiveShape>>(objective, (leaf) => {
    if ("attribute" in leaf) return { ...leaf, target: canonicalValue(scope.attributeType(leaf.attribute), leaf.target) };
    const { type, where } = canonicalMeasured(leaf, scope);
    return { ...leaf, where, target: canonicalValue(type, leaf.target) };
  });

/** An objective ready for the rules; every reference must resolve. Criteria are numbered as they are written. */
export function compileObjective(shape: ObjectiveShape, id: string, sources: Sources): Objective {
  const criteria: Criterion[] = [];
  const expression = compiledTree<ObjectiveShape, Expression>(
    shape,
    (leaf) => criteria.push("attribute" in leaf ? attributeCriterion(leaf, sources) : eventCriterion(leaf, sources)) - 1,
  );
  return { id, description: shape.description, criteria, expression, progressKind: progressKindOf(expression, criteria) };
}

function attributeCriterion(
  { attribute, operator: compares, target }: AttributeObjectiveShape,
  { attributes }: Sources,
): AttributeCriterion {
  const { id, type } = found(attributes.get(attribute), attribute);
  return { source: "Attribute", definitionId: id, type, operator: compares, target };
}

/** How progress is shown. */
function progressKindOf(expression: Expression, criteria: readonly Criterion[]): ProgressKind {
  const criterion = typeof expression === "number" ? criteria[expression] : undefined;
  if (criterion === undefined) return "NotDisplayable";
  if (criterion.type !== "Number") return "Binary";
  const progress = progressToward(criterion.operator);
  // A target below something is a limit for readings that start low and rise.
  const isLimited = criterion.source !== "Attribute" && onlyRises(criterion.measure.kind);
  return progress === "WithinLimit" && !isLimited ? "Binary" : progress;
}

/** A limit starts satisfied and stays so. */
export const isLimit = (objective: Pick<Objective, "progressKind">): boolean => objective.progressKind === "WithinLimit";

interface Judged {
  criteria: readonly Criterion[];
  counters: readonly CounterValue[];
}

function isCriterionMet(index: number, { criteria, counters }: Judged): boolean {
  const criterion = criteria[index];
  return criterion !== undefined && holds(counters[index]?.value, criterion.operator, criterion.target);
}

/** Whether readings satisfy an objective; there is one for each of its criteria. */
export function isMet({ criteria, expression }: Objective, counters: readonly CounterValue[]): boolean {
  if (expression === 0) return holds(counters[0]?.value, criteria[0]!.operator, criteria[0]!.target);
  return evaluate(expression, isCriterionMet, { criteria, counters });
}

/** Whether it is satisfied at entry; null if that depends on the player's attributes. */
type Verdict = boolean | null;

/**
 * Whether a player might satisfy an objective by entering, before any event. Limits are satisfied from the start, readings are those
 * without events, and attributes may have any value or none. True also where a compound could only be decided by how its parts depend
 * on the same attribute.
 */
export const mayEntrySatisfy = (objective: Objective): boolean => isLimit(objective) || verdictOf(objective) !== false;

/**
 * Whether an objective over events and metrics only is satisfied without any events: then every player meets it by entering, in each
 * occurrence. False for limits, and for objectives with an attribute.
 */
export const isSatisfiedWithoutEvents = (objective: Objective): boolean =>
  !isLimit(objective) && objective.criteria.every(({ source }) => source !== "Attribute") && verdictOf(objective) === true;

const verdictOf = ({ expression, criteria }: Objective): Verdict =>
  fold<Expression, Verdict>(
    expression,
    (index) => verdictOfCriterion(criteria[index]!),
    (how, verdicts) => {
      switch (how) {
        case "all":
          return allOf(verdicts);
        case "any":
          return not(allOf(verdicts.map(not)));
        case "not":
          return not(verdicts[0]!);
      }
    },
  );

function verdictOfCriterion(criterion: Criterion): Verdict {
  switch (criterion.source) {
    case "Attribute":
      return null;
    case "Event":
    case "Metric":
      return holds(counterWithoutEvents(criterion).value, criterion.operator, criterion.target);
  }
}

const allOf = (verdicts: readonly Verdict[]): Verdict => (verdicts.includes(false) ? false : verdicts.includes(null) ? null : true);

const not = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);

/** "Order placed at least 5 times where amount is more than 10". */
export const objectivePhrase = (objective: ObjectiveDraft, scope: DescribeScope): Phrase =>
  treePhrase<ObjectiveDraft>(objective, (leaf) => {
    const { operator: compares, target } = leaf;
    if (isMeasured(leaf)) return measuredPhrase(leaf, { operator: compares, value: target }, scope);
    return attributePhrase((leaf as AttributeObjectiveDraft).attribute, { operator: compares, value: target }, scope);
  });

/** The sentence of an objective, which stands in for a missing description. */
export const objectiveSentence = (objective: ObjectiveDraft, scope: DescribeScope): string =>
  textOf(begun(objectivePhrase(objective, scope)));

/** "Tier is gold". */
export function attributePhrase(attribute: Choice, compared: { operator: Operator; value: Value }, scope: DescribeScope): Phrase {
  const type = attribute === null ? undefined : scope.attributeType(attribute);
  return say`${chosen(attribute, "attributes", scope, "an attribute")} ${comparison({ ...compared, type, timeZone: scope.timeZone })}`;
}
