import type { ScalarType } from "../kernel/values.ts";
import { given, isLeftOut } from "../rules/readable.ts";
import type { CheckScope, SourceKind, Sources } from "../rules/scope.ts";
import type { Kind, Shaped } from "./contract.ts";
import type { Result, DefinitionState } from "./result.ts";

/** The definitions of the result that rules may name. */
export const scopeOf = (result: Result): CheckScope => {
  const propertiesOf = (kind: SourceKind, key: string) => {
    const source = (result[kind] as ReadonlyMap<string, DefinitionState<SourceKind>>).get(key);
    return source === undefined ? undefined : propertiesIn(source);
  };
  return {
    has: (kind, key) => result[kind].has(key),
    attributeType: (key) => given(given(result.attributes.get(key)?.readable)?.type),
    propertiesOf,
    propertyType: ({ event, metric }, property) =>
      (typeof metric === "string" ? propertiesOf("metrics", metric) : propertiesOf("events", event ?? ""))?.get(property),
    itemType: (key) => given(given(result.catalogItems.get(key)?.readable)?.valueType),
    closest: (kind, key) => result.suggestions.for(key, kind, () => result[kind].keys()),
    closestProperty: (kind, key, property) =>
      result.suggestions.for(property, `properties of ${kind} ${key}`, () => propertiesOf(kind, key)?.keys() ?? []),
  };
};

/** Types by property key; undefined if the file's type cannot be read. */
type Properties = ReadonlyMap<string, ScalarType | undefined>;

/** Cached, because every condition that names an event looks its properties up. */
const known = new WeakMap<DefinitionState, Properties>();

/** The properties of an event; undefined if one has an unreadable key, which may be any. */
function propertiesIn(event: DefinitionState<SourceKind>): Properties | undefined {
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

/** The fully valid events and attributes, in the form of the rules. */
export function soundSources(result: Result): Sources {
  const withProperties = (kind: SourceKind) =>
    soundOf(result, kind).map(
      ({ key, properties }) => [key, { id: 0, properties: new Map(properties.map((property) => [property.key, property])) }] as const,
    );
  const attributes = soundOf(result, "attributes").map(({ key, type }) => [key, { id: 0, type }] as const);
  return { events: new Map(withProperties("events")), metrics: new Map(withProperties("metrics")), attributes: new Map(attributes) };
}

const soundOf = <K extends Kind>(result: Result, kind: K): Shaped<K>[] =>
  [...(result[kind].values() as Iterable<DefinitionState<K>>)].flatMap(({ entry, stored }) => {
    const shaped = entry === null ? stored?.shaped : entry.shaped;
    return shaped === null || shaped === undefined ? [] : [shaped as Shaped<K>];
  });
