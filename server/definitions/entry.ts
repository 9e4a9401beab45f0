import { holds } from "../kernel/operators.ts";
import { readingWithoutEvents } from "../missions/measure.ts";
import { isLimit } from "../missions/objectives.ts";
import type { Criterion, Expression, Objective } from "./compiled.ts";

/** What holds at entry; null is for what depends on the player's attributes. */
type Verdict = boolean | null;

/**
 * Whether there may be a player who satisfies an objective by entering, before any event: limits are satisfied from the
 * start, readings are what they are without events, attributes may have any value or none. Where a compound could only be
 * decided by how its parts depend on the same attribute, the answer is that there may be one.
 */
export const mayEntrySatisfy = (objective: Objective): boolean =>
  isLimit(objective) || verdictOf(objective.expression, objective.criteria) !== false;

/**
 * Whether an objective over events and metrics alone is satisfied by their readings without any: so is everybody by entering,
 * in every occurrence anew. A limit is none of these, nor what has an attribute in it.
 */
export const isSatisfiedWithoutEvents = (objective: Objective): boolean =>
  !isLimit(objective) &&
  objective.criteria.every(({ source }) => source !== "Attribute") &&
  verdictOf(objective.expression, objective.criteria) === true;

function verdictOf(expression: Expression, criteria: readonly Criterion[]): Verdict {
  if (typeof expression === "number") return verdictOfCriterion(criteria[expression]!);
  if ("all" in expression) return allOf(expression.all.map((one) => verdictOf(one, criteria)));
  if ("any" in expression) return not(allOf(expression.any.map((one) => not(verdictOf(one, criteria)))));
  return not(verdictOf(expression.not, criteria));
}

function verdictOfCriterion(criterion: Criterion): Verdict {
  switch (criterion.source) {
    case "Attribute":
      return null;
    case "Event":
    case "Metric":
      return holds(readingWithoutEvents(criterion).value, criterion.operator, criterion.target);
  }
}

const allOf = (verdicts: readonly Verdict[]): Verdict => (verdicts.includes(false) ? false : verdicts.includes(null) ? null : true);

const not = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);
