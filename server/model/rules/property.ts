import { z } from "zod";
import type { ScalarType } from "../kernel/values.ts";
import { type Finding, finding, mistake } from "./finding.ts";
import type { CheckedEntry, FixedField } from "./kind-module.ts";
import { given, type Readable } from "./readable.ts";
import { repeated } from "./collection.ts";
import type { SourceKind } from "./scope.ts";
import { defaulted, flag, key, list, must, oneOf } from "./shapes.ts";
import { SCALAR_TYPES } from "./value.ts";

/** `private` is left out if it is not true, so that a file without it is exported as it was imported. */
const property = z
  .strictObject(
    { key, type: oneOf(SCALAR_TYPES), required: defaulted(flag, false), private: flag.nullish() },
    must("shape.object", { example: '{ "key": "amount", "type": "Number" }' }),
  )
  .transform(({ private: isPrivate, ...rest }): PropertyDefinition => (isPrivate === true ? { ...rest, private: true } : rest));

/** The properties of an event or a metric. */
export const propertiesShape = defaulted(list(property), []);
type Properties = z.output<typeof propertiesShape>;

/** An event or a metric. */
interface WithProperties {
  properties: Properties;
}

const propertiesOf = ({ readable }: CheckedEntry<WithProperties>) =>
  ((given(given(readable)?.properties as Readable<Properties>) ?? []) as readonly Readable<Properties[number]>[]).map((one) => given(one));

/** Findings for keys of properties that occur more than once. */
export function checkPropertyKeys(kind: SourceKind, entry: CheckedEntry<WithProperties>): Finding[] {
  const keys = propertiesOf(entry).map((one) => given(one?.key));
  return repeated(keys).map(({ key, at }) => finding([...entry.path, "properties", at, "key"], "property.repeated", { kind, key }));
}

/** A property keeps its type, since stored values have it. */
export function checkPropertyTypes(entry: CheckedEntry<WithProperties>, before: WithProperties): Finding[] {
  const types = new Map(before.properties.map(({ key, type }) => [key, type]));
  return propertiesOf(entry).flatMap((one, at) => {
    const was = types.get(given(one?.key) ?? "");
    const now = given(one?.type);
    if (was === undefined || now === undefined || was === now) return [];
    return [finding([...entry.path, "properties", at, "type"], "property.type_fixed", { key: String(one?.key), before: was })];
  });
}

export const fixedPropertyTypes = ({ properties }: WithProperties): FixedField[] =>
  properties.map(({ key }, at) => ({ pointer: `/properties/${at}/type`, why: mistake("property.type_fixed", { key, before: null }) }));

/** A property, in its shape and ready for the rules. */
export interface PropertyDefinition {
  key: string;
  type: ScalarType;
  required: boolean;
  /** Its values are never suggested to authors (`model/request-log/recent-values.ts`). */
  private?: true;
}

export const propertiesByKey = ({ properties }: WithProperties): ReadonlyMap<string, PropertyDefinition> =>
  new Map(properties.map((one) => [one.key, one]));

/** The properties of a definition, where the authoring options of its kind show them. */
export const propertiesOption = { properties: z.array(z.object({ key: z.string(), type: z.string(), required: z.boolean() })) };
