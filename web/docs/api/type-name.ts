import { schemaName, resolve, type Schema } from "./document.ts";

/** A schema's type in words: "string or null", "list of Mission". */
export function schemaType(schema: Schema): string {
  const names = typeNames(schema);
  // Null comes last, and once: a variant may be null itself.
  return joined(names.has("null") ? [...[...names].filter((name) => name !== "null"), "null"] : [...names]);
}

/** The distinct types of a value. */
function typeNames(schema: Schema): Set<string> {
  const name = schemaName(schema);
  if (name !== undefined) return new Set([name]);
  const { type, format, items, additionalProperties, const: only, properties } = schema;
  const variants = schema.oneOf ?? schema.anyOf ?? [];
  if (variants.length > 0) return new Set(variants.flatMap((variant) => [...typeNames(variant)]));
  if (only !== undefined) return new Set([JSON.stringify(only)]);
  const types = [type].flat().filter((one) => one !== undefined);
  return new Set(
    types.map((one) => {
      if (one === "array" && items) return `list of ${schemaType(items)}`;
      if (one === "object" && additionalProperties && !properties) return `map of key to ${schemaType(additionalProperties)}`;
      return one === "string" && format ? (FORMATS[format] ?? one) : one;
    }),
  );
}

const FORMATS: Readonly<Record<string, string>> = { "date-time": "timestamp", uuid: "UUID", uri: "URL" };

const joined = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "any value") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/** The variants of a schema, without null. */
export const variantsOf = ({ oneOf, anyOf }: Schema): Schema[] => (oneOf ?? anyOf ?? []).filter(({ type }) => type !== "null");

/** The only variant besides null. */
function withoutNull(schema: Schema): { value: Schema | null; isNullable: boolean } {
  const variants = variantsOf(schema);
  const all = schema.oneOf ?? schema.anyOf ?? [];
  return { value: variants.length === 1 ? variants[0]! : null, isNullable: all.length > variants.length };
}

/** The object, or the variants, whose members are shown below a value: its own, its elements' or its entries'. */
export function innerOf(schema: Schema): Schema | null {
  const own = resolve(schema);
  const { value } = withoutNull(own);
  if (value) return innerOf(value);
  if (own.properties) return own;
  if (variantsOf(own).some((variant) => innerOf(variant) !== null)) return own;
  const part = own.items ?? own.additionalProperties;
  return part ? innerOf(part) : null;
}

/** The names of the schemas between a value and the result of `innerOf`. */
export function namesIn(schema: Schema): string[] {
  const name = schemaName(schema);
  const own = resolve(schema);
  const part = withoutNull(own).value ?? own.items ?? own.additionalProperties;
  return [...(name === undefined ? [] : [name]), ...(part && !own.properties ? namesIn(part) : [])];
}

/** "1–1,000 items". */
function itemsLimit(least: number | undefined, most: number | undefined): string | false {
  const [from, to] = [least?.toLocaleString("en"), most?.toLocaleString("en")];
  if (from !== undefined && to !== undefined) return `${from}–${to} items`;
  return from !== undefined ? `at least ${from} items` : to !== undefined && `at most ${to} items`;
}

/** A value's constraints, in words. */
export function limitsOf(schema: Schema): string[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    minLength !== undefined && minLength > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `${minimum} or more`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    maximum !== undefined && `${maximum} or less`,
    itemsLimit(minItems, maxItems),
    pattern !== undefined && `matches ${pattern}`,
  ].filter((limit) => limit !== false);
}
