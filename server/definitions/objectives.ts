import type { Scalar, ScalarType } from "../kernel/values.ts";
import type { Criterion, Expression, Filter, Objective, ProgressKind } from "./compiled.ts";
import type { EventObjectiveShape, FilterShape, ObjectiveShape } from "./contract.ts";

/** What an objective has to know of an event. */
interface ObjectiveEvent {
  id: number;
  properties: ReadonlyMap<string, { type: ScalarType }>;
}

export type ObjectiveEvents = ReadonlyMap<string, ObjectiveEvent>;

/** An objective ready for the rules; every reference must resolve. Criteria are numbered as they are written. */
export function compileObjective(shape: ObjectiveShape, id: string, events: ObjectiveEvents): Objective {
  const criteria: Criterion[] = [];
  const expressionOf = (one: ObjectiveShape): Expression => {
    if ("all" in one) return { all: one.all.map(expressionOf) };
    if ("any" in one) return { any: one.any.map(expressionOf) };
    if ("not" in one) return { not: expressionOf(one.not) };
    return criteria.push(criterionOf(one, events)) - 1;
  };
  const expression = expressionOf(shape);
  return { id, description: shape.description, criteria, expression, progressKind: progressKindOf(expression, criteria) };
}

function criterionOf({ event, where, measure, operator, target }: EventObjectiveShape, events: ObjectiveEvents): Criterion {
  const { id, properties } = found(events.get(event), event);
  return {
    eventId: id,
    where: where === null ? null : compileFilter(where, properties),
    measure,
    type: readingType(measure.kind, "property" in measure ? found(properties.get(measure.property), measure.property).type : "Number"),
    operator,
    target,
  };
}

function compileFilter(filter: FilterShape, properties: ObjectiveEvent["properties"]): Filter {
  if ("all" in filter) return { all: filter.all.map((one) => compileFilter(one, properties)) };
  if ("any" in filter) return { any: filter.any.map((one) => compileFilter(one, properties)) };
  if ("not" in filter) return { not: compileFilter(filter.not, properties) };
  const { property, operator, value } = filter;
  return { property, type: found(properties.get(property), property).type, operator, value };
}

/** Counts and sums are numbers; extremes and the latest are what the property is. */
export function readingType(measure: Criterion["measure"]["kind"], property: ScalarType): ScalarType {
  switch (measure) {
    case "Count":
    case "Sum":
    case "DistinctCount":
    case "DistinctDays":
      return "Number";
    case "Max":
    case "Min":
    case "Latest":
      return property;
  }
}

/** How progress is shown (decisions.md 2.3). */
function progressKindOf(expression: Expression, criteria: readonly Criterion[]): ProgressKind {
  const criterion = typeof expression === "number" ? criteria[expression] : undefined;
  if (criterion === undefined) return "NotDisplayable";
  if (criterion.type !== "Number") return "Binary";
  switch (criterion.operator) {
    case "GreaterThan":
    case "GreaterThanOrEqualTo":
      return "TowardTarget";
    case "LessThan":
    case "LessThanOrEqualTo":
      return "WithinLimit";
    case "EqualTo":
    case "NotEqualTo":
    case "In":
    case "NotIn":
      return "Binary";
  }
}

function found<Value>(value: Value | undefined, key: Scalar): Value {
  if (value === undefined) throw new Error(`The definition "${String(key)}" is named but not there.`);
  return value;
}
