import type { EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { canBeKey, FULL, MAX_DISCOVERED, NOT_A_KEY, typeOfFirst } from "../definitions/discovery.ts";
import { numberFits } from "../kernel/decimal.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { memberNames } from "../kernel/json-reader.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, type Properties, type Scalar, type ScalarType } from "../kernel/values.ts";
import { shortened } from "../rules/naming.ts";

/** Reports a problem with the property of a key. The message is only built if it is reported. */
type Refuse = (code: ErrorCode, key: string, message: () => string) => null;

/** Members judged in one step. */
const STEP = 1_000;

/** The properties of an event in their stored form, in steps (`PropertiesCheck`). */
export function* checkProperties(...given: ConstructorParameters<typeof PropertiesCheck>): Generator<void, Properties | null> {
  const check = new PropertiesCheck(...given);
  while (!check.step()) yield;
  return check.stored;
}

/**
 * Checks the properties of an event in steps, since there may be a hundred thousand. A null value counts as absent. With discovery on,
 * undefined properties go into `found`; it is null with discovery off. A class, since each event would leave the garbage of a generator.
 */
export class PropertiesCheck {
  readonly #definition: EventDefinition;
  readonly #raw: Record<string, unknown>;
  readonly #found: PropertyDefinition[] | null;
  readonly #refuse: Refuse;
  readonly #noun: "event" | "metric";
  readonly #names: readonly string[];
  #judged = 0;
  #isSound = true;
  /** What is stored, if it differs from what was sent. Many members are copied step by step. */
  #copy: Record<string, Scalar> | null;

  constructor(
    definition: EventDefinition,
    raw: Record<string, unknown>,
    found: PropertyDefinition[] | null,
    refuse: Refuse,
    noun: "event" | "metric" = "event",
  ) {
    this.#definition = definition;
    this.#raw = raw;
    this.#found = found;
    this.#refuse = refuse;
    this.#noun = noun;
    this.#names = memberNames(raw);
    this.#copy = this.#names.length > STEP ? {} : null;
  }

  /** Whether this was the last step. */
  step(): boolean {
    const end = Math.min(this.#judged + STEP, this.#names.length);
    for (; this.#judged < end; this.#judged++) this.#judge(this.#names[this.#judged]!);
    if (end < this.#names.length) return false;
    this.#refuseMissing();
    return true;
  }

  /** The properties in their stored form, after the last step; null if there was a problem. */
  get stored(): Properties | null {
    return this.#isSound ? (this.#copy ?? (this.#raw as Properties)) : null;
  }

  #judge(key: string): void {
    const value = this.#raw[key];
    const scalar = value === null ? undefined : this.#scalarOf(key, value);
    if (scalar !== value) this.#copy ??= this.#copyOfJudged();
    if (this.#copy !== null && scalar !== undefined) this.#copy[key] = scalar;
  }

  #copyOfJudged(): Record<string, Scalar> {
    const copy: Record<string, Scalar> = {};
    for (let at = 0; at < this.#judged; at++) copy[this.#names[at]!] = this.#raw[this.#names[at]!] as Scalar;
    return copy;
  }

  /** The stored form of a value; undefined if it was refused. */
  #scalarOf(key: string, value: unknown): Scalar | undefined {
    const definition = this.#definition;
    const property = definition.properties.get(key) ?? newProperty(definition, key, value, this.#found, this.#refuse, this.#noun);
    const scalar = property === null ? undefined : storedScalar(property.type, value);
    if (scalar === undefined) this.#isSound = false;
    if (scalar === undefined && property !== null) refuseMisfit(property, value, this.#refuse);
    return scalar;
  }

  #refuseMissing(): void {
    for (const { required, key } of this.#definition.properties.values()) {
      if (!required || (Object.hasOwn(this.#raw, key) && this.#raw[key] !== null)) continue;
      this.#isSound = false;
      this.#refuse("event.property_missing", key, () => `The ${this.#noun} "${this.#definition.key}" needs the property "${key}".`);
    }
  }
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
  const message = () => `The ${noun} "${event}" has no property "${shortened(key)}"`;
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
