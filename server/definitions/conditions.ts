import type { ScalarType } from "../kernel/values.ts";
import { type Comparison, comparisonFindings } from "./comparisons.ts";
import type { EventObjectiveShape, FilterShape, ObjectiveShape } from "./contract.ts";
import { readingType } from "./objectives.ts";
import { didYouMean, type Finding, type Path, quoted } from "./problems.ts";
import { given, isLeftOut, type Readable } from "./readable.ts";
import { resolve, type Result } from "./result.ts";

/** One condition of an objective with its place, however deep it stands in compounds. */
export interface Condition {
  condition: Exclude<Readable<EventObjectiveShape>, null | undefined | symbol>;
  path: Path;
}

/** The conditions of objectives in the order in which they are written. */
export function conditionsOf(objectives: Readable<ObjectiveShape[]>, path: Path): Condition[] {
  return (given(objectives) ?? []).flatMap((one, at) => conditionsIn(one, [...path, at]));
}

function conditionsIn(objective: Readable<ObjectiveShape>, path: Path): Condition[] {
  const one = given(objective);
  if (one === undefined) return [];
  if ("all" in one) return conditionsOf(one.all, [...path, "all"]);
  if ("any" in one) return conditionsOf(one.any, [...path, "any"]);
  if ("not" in one) return conditionsIn(one.not, [...path, "not"]);
  return "event" in one ? [{ condition: one, path }] : [];
}

/** One comparison of a filter with its place. */
type FilterComparison = Omit<Comparison, "member"> & { property: Readable<string> };

function comparisonsIn(filter: Readable<FilterShape>, path: Path): FilterComparison[] {
  const one = given(filter);
  if (one === undefined) return [];
  if ("all" in one) return (given(one.all) ?? []).flatMap((inner, at) => comparisonsIn(inner, [...path, "all", at]));
  if ("any" in one) return (given(one.any) ?? []).flatMap((inner, at) => comparisonsIn(inner, [...path, "any", at]));
  if ("not" in one) return comparisonsIn(one.not, [...path, "not"]);
  return [{ property: one.property, operator: one.operator, value: one.value, path }];
}

/** The properties that a condition reads, in its filter and in its measure. */
export function propertiesOf({ condition }: Condition): string[] {
  const measure = given(condition.measure);
  const named: Readable<string>[] = [measure !== undefined && "property" in measure ? measure.property : undefined];
  for (const { property } of comparisonsIn(condition.where, [])) named.push(property);
  return named.map((one) => given(one)).filter((key) => key !== undefined);
}

/** Properties of an event by key; the type is undefined where the file does not let it be read. Undefined as a whole likewise. */
type Properties = ReadonlyMap<string, ScalarType | undefined> | undefined;

/** What is wrong with one condition: its event, its filter, its measure, and what the reading is held against. */
export function conditionFindings({ condition, path }: Condition, result: Result): Finding[] {
  const { standing, findings } = resolve(result, "events", condition.event, [...path, "event"]);
  const event = standing === undefined ? null : { key: standing.key, properties: propertiesByKey(result, standing.key) };
  for (const comparison of comparisonsIn(condition.where, [...path, "where"])) {
    const property = propertyType(event, comparison.property, [...comparison.path, "property"]);
    findings.push(...property.findings, ...comparisonFindings(property.type, { ...comparison, member: "value" }));
  }
  const reading = readingOf(event, condition.measure, [...path, "measure"]);
  const { operator, target } = condition;
  findings.push(...reading.findings, ...comparisonFindings(reading.type, { operator, value: target, path, member: "target" }));
  return findings;
}

interface Typed {
  type?: ScalarType;
  findings: Finding[];
}

type Event = { key: string; properties: Properties } | null;

/** The properties of an event of the result; undefined when one of them may be the one that is meant and cannot be read. */
function propertiesByKey(result: Result, event: string): Properties {
  const properties = given(result.events.get(event)?.readable)?.properties;
  if (isLeftOut(properties)) return new Map();
  const keyed = given(properties)?.map((one) => [given(given(one)?.key), given(given(one)?.type)] as const);
  return keyed?.every((one): one is [string, ScalarType | undefined] => one[0] !== undefined) ? new Map(keyed) : undefined;
}

function propertyType(event: Event, reference: Readable<string>, path: Path): Typed {
  const key = given(reference);
  if (key === undefined || event?.properties === undefined) return { findings: [] };
  if (event.properties.has(key)) return { type: event.properties.get(key), findings: [] };
  const message = `the event ${quoted(event.key)} has no property ${quoted(key)}${didYouMean(key, event.properties.keys())}`;
  return { findings: [{ path, message }] };
}

/** The type of what a condition reads, and whether the measure can be taken of its property (definitions.md, measure). */
function readingOf(event: Event, measure: Readable<EventObjectiveShape["measure"]>, path: Path): Typed {
  if (isLeftOut(measure)) return { type: "Number", findings: [] };
  const kind = given(given(measure)?.kind);
  const one = given(measure);
  if (kind === undefined || one === undefined) return { findings: [] };
  if (!("property" in one)) return { type: "Number", findings: [] };
  const place = [...path, "property"];
  const { type, findings } = propertyType(event, one.property, place);
  if (type !== undefined && !MEASURABLE[kind].includes(type)) {
    return {
      findings: [
        ...findings,
        { path: place, message: `${kind} needs a property of type ${MEASURABLE[kind].join(" or ")}, and this is a ${type}` },
      ],
    };
  }
  return { type: type === undefined ? readingWithoutProperty(kind) : readingType(kind, type), findings };
}

const ANY: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];
const MEASURABLE: Record<EventObjectiveShape["measure"]["kind"], readonly ScalarType[]> = {
  Count: ANY,
  DistinctDays: ANY,
  DistinctCount: ANY,
  Latest: ANY,
  Sum: ["Number"],
  Max: ["Number", "DateTime"],
  Min: ["Number", "DateTime"],
};

const readingWithoutProperty = (kind: EventObjectiveShape["measure"]["kind"]): ScalarType | undefined =>
  kind === "Sum" || kind === "DistinctCount" ? "Number" : undefined;
