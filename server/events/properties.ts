import type { EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { numberFits } from "../kernel/decimal.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, type Properties, type Scalar } from "../kernel/values.ts";

type Refuse = (code: ErrorCode, message: string) => null;

/** The properties of an event in the form they are stored in; a null value counts as absent (decisions.md 2.13). */
export function checkProperties(definition: EventDefinition, raw: Record<string, unknown>, refuse: Refuse): Properties | null {
  const properties: Record<string, Scalar> = {};
  let isSound = true;
  for (const [key, value] of Object.entries(raw)) {
    if (value === null) continue;
    const property = definition.properties.get(key);
    const scalar = property === undefined ? unknownProperty(definition, key, refuse) : scalarOf(property, value, refuse);
    if (property === undefined || scalar === null) isSound = false;
    else properties[property.key] = scalar;
  }
  for (const property of definition.properties.values()) {
    if (property.required && (!Object.hasOwn(raw, property.key) || raw[property.key] === null)) {
      refuse("event.property_missing", `The event "${definition.key}" needs the property "${property.key}".`);
      isSound = false;
    }
  }
  return isSound ? properties : null;
}

const unknownProperty = (definition: EventDefinition, key: string, refuse: Refuse): null =>
  refuse("event.unknown_property", `The event "${definition.key}" has no property "${key.slice(0, 100)}".`);

function scalarOf(property: PropertyDefinition, value: unknown, refuse: Refuse): Scalar | null {
  const mismatch = (expected: string) => refuse("event.property_type_mismatch", `The property "${property.key}" must be ${expected}.`);
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
      return refuse(
        "event.property_value_out_of_range",
        `The property "${property.key}" has more than 20 digits before or 8 after the decimal point. Send identifiers as strings.`,
      );
  }
}
