import { finding, type Path } from "./finding.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import {
  canonicalFilter,
  checkFilter,
  compileFilter,
  type Filter,
  type FilterDraft,
  filterPhrase,
  type FilterShape,
  filterShape,
  passes,
} from "./filter.ts";
import {
  eventMeasure,
  isMeasurable,
  type Measure,
  type MeasureDraft,
  type MeasureShape,
  measurableTypes,
  metricMeasure,
  needsProperty,
  counterPhrase,
  counterType,
  takenPhrase,
} from "./measure.ts";
import { distinctTarget, type Operator, quantity, timesPhrase } from "./operator.ts";
import { missing, named, type Phrase, say, words } from "./phrase.ts";
import { given, isLeftOut, type Readable } from "./readable.ts";
import {
  type CheckScope,
  checkProperty,
  checkReference,
  type DescribeScope,
  type SourceKind,
  type Sources,
  type Typed,
  type TypeScope,
} from "./scope.ts";
import { leavesIn } from "./tree.ts";
import { defaulted, optional, reference } from "./shapes.ts";
import type { Choice, Value } from "./value.ts";

/** The reading of an event: its occurrences that pass the filter, measured. */
export const measured = { event: reference, where: optional(filterShape), measure: defaulted(eventMeasure, { kind: "Count" }) };

/** The reading of a metric's events, likewise. */
export const metricMeasured = { metric: reference, where: optional(filterShape), measure: defaulted(metricMeasure, { kind: "Count" }) };

type MeasuredShape = { event?: string | null; metric?: string | null; where: FilterShape | null; measure: MeasureShape };

/** The same as a form holds it. */
export interface MeasuredDraft {
  event?: Choice;
  metric?: Choice;
  where: FilterDraft | null;
  measure: MeasureDraft;
}

export const isMeasured = <Rule extends object>(rule: Rule): rule is Extract<Rule, MeasuredDraft> => "event" in rule || "metric" in rule;

export const isOfMetric = ({ metric }: { metric?: Choice }): boolean => typeof metric === "string";

/** The type of the reading; undefined if the property is not chosen, or unknown. */
export function typeRead(one: MeasuredDraft, scope: TypeScope): ScalarType | undefined {
  const { kind, property } = one.measure;
  if (typeof property === "string") return counterType(kind, scope.propertyType(one, property));
  return counterType(kind, isOfMetric(one) ? "Number" : undefined);
}

/** The source of an objective, a condition over history, a streak or a leaderboard, in the form of the file. */
export interface MeasuredGiven {
  readonly event?: Readable<string>;
  readonly metric?: Readable<string>;
  readonly where: Readable<FilterShape> | null;
  readonly measure: Readable<MeasureShape>;
}

/** The findings of the event or metric, the filter and the measure, and the type of the reading if known. */
export function checkMeasured({ event, metric, where, measure }: MeasuredGiven, path: Path, scope: CheckScope): Typed {
  const source = isLeftOut(metric) ? ({ kind: "events", reference: event } as const) : ({ kind: "metrics", reference: metric } as const);
  const member = source.kind === "events" ? "event" : "metric";
  const checked = checkMeasure(measure, [...path, "measure", "property"], source, scope);
  return {
    type: checked.type,
    findings: [
      ...checkReference(source.kind, source.reference, [...path, member], scope),
      ...checkFilter(where, [...path, "where"], (property, fieldPath) => checkProperty(source, property, fieldPath, scope)),
      ...checked.findings,
    ],
  };
}

/** The type of the reading, and whether the property has the type that the measure needs. */
function checkMeasure(
  measure: Readable<MeasureShape>,
  path: Path,
  source: { kind: SourceKind; reference: Readable<string> },
  scope: CheckScope,
): Typed {
  if (isLeftOut(measure)) return { type: "Number", findings: [] };
  const one = given(measure);
  const kind = given(one?.kind);
  if (kind === undefined || one === undefined) return { findings: [] };
  if (!needsProperty(kind) || !("property" in one)) return { type: "Number", findings: [] };
  if (isLeftOut(one.property)) {
    // A metric's own value is a number.
    if (source.kind === "metrics") return { type: "Number", findings: [] };
    return { findings: [finding(path, "measure.property_missing", { measure: kind })] };
  }
  const { type, findings } = checkProperty(source, one.property, path, scope);
  if (type === undefined) return { type: counterType(kind, undefined), findings };
  if (isMeasurable(kind, type)) return { type: counterType(kind, type), findings };
  return { findings: [...findings, finding(path, "measure.type_wanted", { measure: kind, wanted: measurableTypes(kind), type })] };
}

export function propertiesRead({ where, measure }: Pick<MeasuredGiven, "where" | "measure">): string[] {
  const one = given(measure);
  const named = leavesIn<FilterShape>(where, []).map(({ leaf }) => ("when" in leaf ? undefined : given(leaf.property)));
  if (one !== undefined && "property" in one) named.push(given(one.property));
  return named.filter((key) => key !== undefined);
}

/** The filter in canonical form, and the type of the reading. */
export const canonicalMeasured = (one: MeasuredShape, scope: TypeScope) => ({
  type: "property" in one.measure && one.measure.property !== null ? typeRead(one, scope) : counterType(one.measure.kind, "Number"),
  where: one.where === null ? null : canonicalFilter(one.where, (property) => scope.propertyType(one, property)),
});

/** A compiled criterion: a reading of events, and its target. */
export interface EventCriterion {
  source: "Event" | "Metric";
  /** The id of the event or metric that it reads. */
  definitionId: number;
  where: Filter | null;
  measure: Measure;
  /** The type of the reading: Number, or for Max, Min and Latest that of the property. */
  type: ScalarType;
  operator: Operator;
  target: Scalar | readonly Scalar[];
}

/** The measure of an event, in an objective or in a condition over history, and the type of its reading. */
export function compileMeasured({ event, metric, where, measure }: MeasuredShape, { events, metrics }: Sources) {
  const { id, properties } = found(typeof metric === "string" ? metrics.get(metric) : events.get(event ?? ""), metric ?? event ?? "");
  const typeOf = (property: string) => found(properties.get(property), property).type;
  const property = "property" in measure ? (measure.property ?? null) : null;
  const of = property === null ? "Number" : typeOf(property);
  return {
    eventId: id,
    where: where === null ? null : compileFilter(where, typeOf),
    measure: !("property" in measure)
      ? measure
      : measure.kind === "DistinctCount"
        ? { kind: measure.kind, property, of }
        : { kind: measure.kind, property },
    type: counterType(measure.kind, of),
  };
}

export function eventCriterion(
  { operator, target, ...read }: MeasuredShape & { operator: Operator; target: Scalar | Scalar[] },
  sources: Sources,
): EventCriterion {
  const { eventId, where, measure, type } = compileMeasured(read, sources);
  return { source: isOfMetric(read) ? "Metric" : "Event", definitionId: eventId, where, measure, type, operator, target };
}

/** The referenced definition; every reference of a stored definition resolves. */
export function found<One>(one: One | undefined, key: Scalar): One {
  if (one === undefined) throw new Error(`The definition "${String(key)}" is named but not there.`);
  return one;
}

/** Whether an event is one that the criterion reads: its event, and it passes the filter. `zone` is the player's, or else the project's. */
export const concerns = <One extends { source: string; definitionId: number }>(
  criterion: One,
  fact: EventFact,
  zone: string,
): criterion is Extract<One, EventCriterion> =>
  criterion.definitionId === fact.definitionId &&
  criterion.source !== "Attribute" &&
  passes((criterion as unknown as EventCriterion).where, fact, zone);

/** "Order placed". */
const sourcePhrase = ({ event, metric }: Pick<MeasuredDraft, "event" | "metric">, scope: DescribeScope): Phrase =>
  metric === undefined || metric === null
    ? chosen(event ?? null, "events", scope, "an event")
    : chosen(metric, "metrics", scope, "a metric");

/** " where amount is more than 10"; nothing without a filter. */
const wherePhrase = (one: MeasuredDraft, scope: DescribeScope): Phrase =>
  one.where === null || one.where === undefined
    ? []
    : say` where ${filterPhrase(one.where, (property) => scope.propertyType(one, property), scope.timeZone)}`;

export const lastDaysPhrase = (days: number | null): Phrase =>
  days === null ? [] : days === 1 ? words(" today") : words(` in the last ${days} days`);

/** "Order placed at least 5 times in the last 30 days where amount is more than 10": the reading and its comparison. */
export function measuredPhrase(
  one: MeasuredDraft,
  compared: { operator: Operator; value: Value },
  scope: DescribeScope,
  lastDays: number | null = null,
): Phrase {
  const { timeZone } = scope;
  const counter = counterPhrase(
    { measure: one.measure, isOfMetric: isOfMetric(one) },
    {
      times: timesPhrase({ ...compared, timeZone }),
      amount: quantity({ ...compared, type: typeRead(one, scope), timeZone }),
      isOne: distinctTarget(compared.value) === 1,
    },
  );
  return say`${sourcePhrase(one, scope)} ${counter}${lastDaysPhrase(lastDays)}${wherePhrase(one, scope)}`;
}

/** "the total amount of Order placed where amount is more than 10": the reading alone. */
export const readPhrase = (one: MeasuredDraft, scope: DescribeScope): Phrase =>
  say`${takenPhrase({ measure: one.measure, isOfMetric: isOfMetric(one) })} ${sourcePhrase(one, scope)}${wherePhrase(one, scope)}`;

/** The name of a definition, or the choice still to make. */
export const chosen = (key: Choice | undefined, kind: Parameters<DescribeScope["nameOf"]>[0], scope: DescribeScope, what: string): Phrase =>
  key === null || key === undefined || key === "" ? missing(what) : named(scope.nameOf(kind, key));
