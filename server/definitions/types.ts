import type { DescribeScope, SourceKind, TypeScope } from "../rules/scope.ts";
import type { Sources } from "../rules/scope.ts";
import type { Path } from "../rules/finding.ts";
import { given, isLeftOut, type Readable } from "../rules/readable.ts";
import type { ScalarType } from "../kernel/values.ts";
import type { Kind, Shaped } from "./contract.ts";
import { type Finding, quoted } from "./problems.ts";
import { NOUNS, resolve, type Result, type Standing } from "./result.ts";

/** The type of what a reference names, undefined where it cannot be told, and what is wrong with the reference. */
export interface Typed {
  type?: ScalarType | undefined;
  findings: Finding[];
}

/** The type of an attribute of the result. */
export function attributeType(result: Result, reference: Readable<string>, path: Path): Typed {
  const { standing, findings } = resolve(result, "attributes", reference, path);
  return { type: given(given(standing?.readable)?.type), findings };
}

/** The type of a property of an event or a metric of the result. Without it nothing can be said of its properties. */
export function propertyType(
  event: Standing<SourceKind> | undefined,
  reference: Readable<string>,
  path: Path,
  { suggestions }: Result,
): Typed {
  const key = given(reference);
  const properties = event === undefined ? undefined : propertiesOf(event);
  if (event === undefined || key === undefined || properties === undefined) return { findings: [] };
  if (properties.has(key)) return { type: properties.get(key), findings: [] };
  const suggestion = suggestions.for(key, `properties of ${event.kind} ${event.key}`, () => properties.keys());
  return { findings: [{ path, message: `the ${NOUNS[event.kind]} ${quoted(event.key)} has no property ${quoted(key)}${suggestion}` }] };
}

/** By key; the type is undefined where the file does not let it be read. */
type Properties = ReadonlyMap<string, ScalarType | undefined>;

/** Every condition that names an event asks. */
const known = new WeakMap<Standing, Properties>();

/** The properties of an event; undefined when one of them may be the one that is meant and cannot be read. */
function propertiesOf(event: Standing<SourceKind>): Properties | undefined {
  const before = known.get(event);
  if (before !== undefined) return before;
  const properties = given(event.readable)?.properties;
  const listed = isLeftOut(properties) ? [] : given(properties);
  const keyed = listed?.map((one) => [given(given(one)?.key), given(given(one)?.type)] as const);
  if (!keyed?.every((one): one is [string, ScalarType | undefined] => one[0] !== undefined)) return undefined;
  const read = new Map(keyed);
  known.set(event, read);
  return read;
}

/** The types of what the result defines, as rules ask for them. */
export const typesIn = (result: Result): TypeScope & Pick<DescribeScope, "itemType"> => ({
  attributeType: (key) => attributeType(result, key, []).type,
  propertyType: ({ event, metric }, property) =>
    propertyType(typeof metric === "string" ? result.metrics.get(metric) : result.events.get(event ?? ""), property, [], result).type,
  itemType: (key) => given(given(result.catalogItems.get(key)?.readable)?.valueType),
});

/** The events and attributes that are sound as a whole, as the rules want them. */
export function soundSources(result: Result): Sources {
  const withProperties = (kind: SourceKind) =>
    soundOf(result, kind).map(
      ({ key, properties }) => [key, { id: 0, properties: new Map(properties.map((property) => [property.key, property])) }] as const,
    );
  const attributes = soundOf(result, "attributes").map(({ key, type }) => [key, { id: 0, type }] as const);
  return { events: new Map(withProperties("events")), metrics: new Map(withProperties("metrics")), attributes: new Map(attributes) };
}

const soundOf = <K extends Kind>(result: Result, kind: K): Shaped<K>[] =>
  [...(result[kind].values() as Iterable<Standing<K>>)].flatMap(({ entry, stored }) => {
    const shaped = entry === null ? stored?.shaped : entry.shaped;
    return shaped === null || shaped === undefined ? [] : [shaped as Shaped<K>];
  });
