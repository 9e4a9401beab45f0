import type { FilterShape } from "../rules/filter.ts";
import type { MetricObjectiveShape } from "../rules/objective.ts";
import { leavesIn } from "../rules/tree.ts";
import { readingType } from "../rules/measure.ts";
import type { Path } from "../rules/finding.ts";
import { given, isLeftOut, type Readable } from "../rules/readable.ts";
import type { SourceKind } from "../rules/scope.ts";
import type { ScalarType } from "../kernel/values.ts";
import { comparisonFindings } from "./comparisons.ts";
import { resolve, type Result, type Standing } from "./result.ts";
import { propertyType, type Typed } from "./types.ts";

type MeasureShape = MetricObjectiveShape["measure"];

/** What an objective, a condition over history or a streak reads of an event or a metric. */
export interface Measured {
  readonly event?: Readable<string>;
  readonly metric?: Readable<string>;
  readonly where: Readable<FilterShape> | null;
  readonly measure: Readable<MeasureShape>;
}

/** Which of the two is named. */
const sourceOf = ({ event, metric }: Measured) =>
  isLeftOut(metric)
    ? ({ kind: "events", member: "event", reference: event } as const)
    : ({ kind: "metrics", member: "metric", reference: metric } as const);

/** What is wrong with the event or metric, the filter and the measure, and the type of the reading where they tell it. */
export function measuredFindings(measured: Measured, path: Path, result: Result): Typed {
  const { where, measure } = measured;
  const source = sourceOf(measured);
  const { standing, findings } = resolve<SourceKind>(result, source.kind, source.reference, [...path, source.member]);
  for (const { leaf, path: place } of leavesIn<FilterShape>(where, [...path, "where"])) {
    const property = propertyType(standing, leaf.property, [...place, "property"], result);
    const { operator, value } = leaf;
    findings.push(...property.findings, ...comparisonFindings(property.type, { operator, value, path: place, member: "value" }));
  }
  const reading = readingOf(standing, measure, [...path, "measure", "property"], source.kind, result);
  return { type: reading.type, findings: [...findings, ...reading.findings] };
}

/** The properties of its event that are read, by the filter and by the measure. */
export function propertiesRead({ where, measure }: Measured): string[] {
  const one = given(measure);
  const named = leavesIn<FilterShape>(where, []).map(({ leaf }) => given(leaf.property));
  if (one !== undefined && "property" in one) named.push(given(one.property));
  return named.filter((key) => key !== undefined);
}

/** The type of what is read, and whether the measure can be taken of its property (definitions.md, measure). */
function readingOf(
  event: Standing<SourceKind> | undefined,
  measure: Readable<MeasureShape>,
  path: Path,
  source: SourceKind,
  result: Result,
): Typed {
  if (isLeftOut(measure)) return { type: "Number", findings: [] };
  const one = given(measure);
  const kind = given(one?.kind);
  if (kind === undefined || one === undefined) return { findings: [] };
  if (kind === "Count" || kind === "DistinctDays" || !("property" in one)) return { type: "Number", findings: [] };
  if (isLeftOut(one.property)) {
    // Of a metric it is the metric's value, which is a number.
    return source === "metrics"
      ? { type: "Number", findings: [] }
      : { findings: [{ path, message: `is missing; ${kind} needs the property of the event that it is taken of` }] };
  }
  const { type, findings } = propertyType(event, one.property, path, result);
  if (type === undefined) return { type: readingWithoutProperty(kind), findings };
  if (MEASURABLE[kind].includes(type)) return { type: readingType(kind, type), findings };
  const message = `${kind} needs a property of type ${MEASURABLE[kind].join(" or ")}, and this is a ${type}`;
  return { findings: [...findings, { path, message }] };
}

const ANY: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];
const MEASURABLE: Record<MeasureShape["kind"], readonly ScalarType[]> = {
  Count: ANY,
  DistinctDays: ANY,
  DistinctCount: ANY,
  Latest: ANY,
  Sum: ["Number"],
  Max: ["Number", "DateTime"],
  Min: ["Number", "DateTime"],
};

const readingWithoutProperty = (kind: MeasureShape["kind"]): ScalarType | undefined =>
  kind === "Sum" || kind === "DistinctCount" ? "Number" : undefined;
