import { Decimal, type Numeric } from "./decimal.ts";

export type ScalarType = "String" | "Number" | "Boolean" | "DateTime";

/**
 * One value of a property, an attribute or a target. A number is a plain one where that is exact and a `Decimal` elsewhere (see
 * `simplify`); a DateTime is its UTC form with milliseconds (`2026-01-31T09:00:00.000Z`), which sorts as text.
 */
export type Scalar = string | Numeric | boolean;

export type Properties = Readonly<Record<string, Scalar>>;

export type TaggedValue =
  | { type: "string"; value: string }
  | { type: "number"; value: Numeric }
  | { type: "boolean"; value: boolean }
  | { type: "dateTime"; value: string }
  | { type: "collection"; items: TaggedValue[] };

/** A property's value; undefined if absent, for any key. */
export const propertyOf = (properties: Properties, key: string): Scalar | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

export const isNumeric = (value: unknown): value is Numeric => typeof value === "number" || value instanceof Decimal;

/** Whether a value read by `parseJson` is a JSON object; a `Decimal` is an object only to JavaScript. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
