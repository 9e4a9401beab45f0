import type { EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { canBeKey, FULL, MAX_DISCOVERED, typeOfFirst } from "../definitions/discovery.ts";
import { numberFits } from "../kernel/decimal.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { memberNames } from "../kernel/json-reader.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, type Properties, type Scalar } from "../kernel/values.ts";

/** Reports a problem with the property of a key. The message is only built where it is reported. */
type Refuse = (code: ErrorCode, key: string, message: () => string) => null;

/** Members judged in one step. */
const STEP = 1_000;

/**
 * The properties of an event in their stored form, in steps: there may be a hundred thousand. A null value counts as absent. With
 * discovery on, undefined properties go into `found`; it is null with discovery off.
 */
export function* checkProperties(
  definition: EventDefinition,
  raw: Record<string, unknown>,
  found: PropertyDefinition[] | null,
  refuse: Refuse,
  noun: "event" | "metric" = "event",
): Generator<void, Properties | null> {
  const properties: Record<string, Scalar> = {};
  let isSound = true;
  let count = 0;
  for (const key of memberNames(raw)) {
    if (++count % STEP === 0) yield;
    const value = raw[key];
    if (value === null) continue;
    const property = definition.properties.get(key) ?? newProperty(definition, key, value, found, refuse, noun);
    const scalar = property === null ? null : scalarOf(property, value, refuse);
    if (scalar === null) isSound = false;
    else properties[key] = scalar;
  }
  for (const property of definition.properties.values()) {
    if (property.required && (!Object.hasOwn(raw, property.key) || raw[property.key] === null)) {
      refuse("event.property_missing", property.key, () => `The ${noun} "${definition.key}" needs the property "${property.key}".`);
      isSound = false;
    }
  }
  return isSound ? properties : null;
}

/** The property that a first value defines: of the value's kind, and optional. */
function newProperty(
  { key: event, budget }: EventDefinition,
  key: string,
  value: unknown,
  found: PropertyDefinition[] | null,
  refuse: Refuse,
  noun: string,
): PropertyDefinition | null {
  const message = () => `The ${noun} "${event}" has no property "${key.slice(0, 100)}"`;
  if (found === null || budget === null || !canBeKey(key)) return refuse("event.unknown_property", key, () => `${message()}.`);
  if (found.length >= budget) {
    const limit = `at most ${MAX_DISCOVERED.properties} of an event are, and ${FULL}`;
    return refuse("event.unknown_property", key, () => `${message()}, and no more are defined by their first value: ${limit}.`);
  }
  const type = typeOfFirst(value);
  if (type === null) {
    const expected = "a string, a number, true or false";
    return refuse("event.property_type_mismatch", key, () => `The property "${key}" is new, and must be ${expected}.`);
  }
  const property = { key, type, required: false };
  found.push(property);
  return property;
}

const OUT_OF_RANGE = "has more than 20 digits before or 8 after the decimal point. Send identifiers as strings.";

function scalarOf(property: PropertyDefinition, value: unknown, refuse: Refuse): Scalar | null {
  const mismatch = (expected: string) =>
    refuse("event.property_type_mismatch", property.key, () => `The property "${property.key}" must be ${expected}.`);
  switch (property.type) {
    case "String":
      return typeof value === "string" ? value : mismatch("a string");
    case "Boolean":
      return typeof value === "boolean" ? value : mismatch("true or false");
    case "DateTime": {
      const instant = typeof value === "string" ? parseInstant(value) : null;
      return instant === null ? mismatch("an RFC 3339 timestamp with an offset or Z") : formatInstant(instant);
    }
    case "Number":
      if (!isNumeric(value)) return mismatch("a number");
      if (numberFits(value)) return value;
      return refuse("event.property_value_out_of_range", property.key, () => `The property "${property.key}" ${OUT_OF_RANGE}`);
  }
}
