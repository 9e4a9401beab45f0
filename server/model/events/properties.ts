import type { EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { canBeKey, FULL, MAX_DISCOVERED, NOT_A_KEY, typeOfFirst } from "../definitions/discovery.ts";
import { numberFits } from "../kernel/decimal.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { memberNames } from "../kernel/json-reader.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, type Properties, type Scalar, type ScalarType } from "../kernel/values.ts";

/** Reports a problem with the property of a key. The message is only built if it is reported. */
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
    const scalar = property === null ? undefined : storedScalar(property.type, value);
    if (scalar !== undefined) properties[key] = scalar;
    else {
      isSound = false;
      if (property !== null) refuseMisfit(property, value, refuse);
    }
  }
  for (const property of definition.properties.values()) {
    if (property.required && (!Object.hasOwn(raw, property.key) || raw[property.key] === null)) {
      refuse("event.property_missing", property.key, () => `The ${noun} "${definition.key}" needs the property "${property.key}".`);
      isSound = false;
    }
  }
  return isSound ? properties : null;
}

function refuseMisfit({ key, type }: PropertyDefinition, value: unknown, refuse: Refuse): void {
  const { isOutOfRange, text } = misfit(type, value);
  const code = isOutOfRange ? "event.property_value_out_of_range" : "event.property_type_mismatch";
  refuse(code, key, () => `The property "${key}" ${text}`);
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
  if (found === null || budget === null) return refuse("event.unknown_property", key, () => `${message()}.`);
  if (!canBeKey(key)) return refuse("event.unknown_property", key, () => `${message()}, and none can have this key: ${NOT_A_KEY}.`);
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

/** A value in the stored form of its type; undefined if it does not fit (`misfit`). */
export function storedScalar(type: ScalarType, value: unknown): Scalar | undefined {
  switch (type) {
    case "String":
      return typeof value === "string" ? value : undefined;
    case "Boolean":
      return typeof value === "boolean" ? value : undefined;
    case "DateTime": {
      const instant = typeof value === "string" ? parseInstant(value) : null;
      return instant === null ? undefined : formatInstant(instant);
    }
    case "Number":
      return isNumeric(value) && numberFits(value) ? value : undefined;
  }
}

const EXPECTED: Record<ScalarType, string> = {
  String: "a string",
  Boolean: "true or false",
  DateTime: "an RFC 3339 timestamp with an offset or Z",
  Number: "a number",
};

/** Why a value does not fit its type, as the end of a sentence about it. */
export const misfit = (type: ScalarType, value: unknown): { isOutOfRange: boolean; text: string } =>
  type === "Number" && isNumeric(value)
    ? { isOutOfRange: true, text: "has more than 20 digits before or 8 after the decimal point. Send identifiers as strings." }
    : { isOutOfRange: false, text: `must be ${EXPECTED[type]}.` };
