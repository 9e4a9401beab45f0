import type { Operator, Scalar, ScalarType } from "../kernel/values.ts";
import type { AttributeCriterion, Criterion, EventCriterion, Expression, Filter, Measure, Objective, ProgressKind } from "./compiled.ts";
import type { AttributeObjectiveShape, FilterShape, MetricObjectiveShape, ObjectiveShape } from "./contract.ts";

/** What objectives and conditions have to know of the events and attributes that they name, by key. */
export interface Sources {
  events: ReadonlyMap<string, { id: number; properties: ReadonlyMap<string, { type: ScalarType }> }>;
  metrics: Sources["events"];
  attributes: ReadonlyMap<string, { id: number; type: ScalarType }>;
}

/** An objective ready for the rules; every reference must resolve. Criteria are numbered as they are written. */
export function compileObjective(shape: ObjectiveShape, id: string, sources: Sources): Objective {
  const criteria: Criterion[] = [];
  const expressionOf = (one: ObjectiveShape): Expression => {
    if ("all" in one) return { all: one.all.map(expressionOf) };
    if ("any" in one) return { any: one.any.map(expressionOf) };
    if ("not" in one) return { not: expressionOf(one.not) };
    return criteria.push("attribute" in one ? attributeCriterion(one, sources) : eventCriterion(one, sources)) - 1;
  };
  const expression = expressionOf(shape);
  return { id, description: shape.description, criteria, expression, progressKind: progressKindOf(expression, criteria) };
}

function attributeCriterion({ attribute, operator, target }: AttributeObjectiveShape, { attributes }: Sources): AttributeCriterion {
  const { id, type } = found(attributes.get(attribute), attribute);
  return { source: "Attribute", definitionId: id, type, operator, target };
}

export function eventCriterion(
  { operator, target, ...read }: MeasuredShape & { operator: Operator; target: Scalar | Scalar[] },
  sources: Sources,
): EventCriterion {
  const { eventId, where, measure, type } = compileMeasured(read, sources);
  return { source: isOfMetric(read) ? "Metric" : "Event", definitionId: eventId, where, measure, type, operator, target };
}

/** What is measured of an event, or of a metric where it names one. */
type MeasuredShape = { event?: string | null; metric?: string | null } & Pick<MetricObjectiveShape, "where" | "measure">;

const isOfMetric = ({ metric }: MeasuredShape): boolean => typeof metric === "string";

/** What is measured of an event, by an objective or by a condition over history, and the type of the reading. */
export function compileMeasured(
  { event, metric, where, measure }: MeasuredShape,
  { events, metrics }: Sources,
): { eventId: number; where: Filter | null; measure: Measure; type: ScalarType } {
  const { id, properties } = found(typeof metric === "string" ? metrics.get(metric) : events.get(event ?? ""), metric ?? event ?? "");
  const property = "property" in measure ? (measure.property ?? null) : null;
  const type = property === null ? "Number" : found(properties.get(property), property).type;
  return {
    eventId: id,
    where: where === null ? null : compileFilter(where, properties),
    measure: "property" in measure ? { kind: measure.kind, property } : measure,
    type: readingType(measure.kind, type),
  };
}

function compileFilter(filter: FilterShape, properties: ReadonlyMap<string, { type: ScalarType }>): Filter {
  if ("all" in filter) return { all: filter.all.map((one) => compileFilter(one, properties)) };
  if ("any" in filter) return { any: filter.any.map((one) => compileFilter(one, properties)) };
  if ("not" in filter) return { not: compileFilter(filter.not, properties) };
  const { property, operator, value } = filter;
  return { property, type: found(properties.get(property), property).type, operator, value };
}

/** Counts and sums are numbers; extremes and the latest are what the property is. */
export function readingType(measure: Measure["kind"], property: ScalarType): ScalarType {
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
      return onlyRises(criterion) ? "WithinLimit" : "Binary";
    case "EqualTo":
    case "NotEqualTo":
    case "In":
    case "NotIn":
      return "Binary";
  }
}

/** Whether a reading starts low and rises, so that staying below something is a limit. A lap time below a minute is a feat, and has to be seen first. */
function onlyRises(criterion: Criterion): boolean {
  if (criterion.source === "Attribute") return false;
  switch (criterion.measure.kind) {
    case "Count":
    case "Sum":
    case "DistinctCount":
    case "DistinctDays":
    case "Max":
      return true;
    case "Min":
    case "Latest":
      return false;
  }
}

/** What a reference names; every reference of a stored definition resolves. */
export function found<Value>(value: Value | undefined, key: Scalar): Value {
  if (value === undefined) throw new Error(`The definition "${String(key)}" is named but not there.`);
  return value;
}
