import { type Finding, finding, issueText, type Path, type Mistake, mistake } from "./finding.ts";
import { given, type Readable } from "./readable.ts";
import { z } from "zod";
import { Decimal, numberFits, type Numeric, simplify } from "../kernel/decimal.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, type Scalar, type ScalarType, type TaggedValue } from "../kernel/values.ts";
import { codePoints, MAX_LIST, MAX_TEXT_LENGTH } from "./shapes.ts";

/** A value as a form holds it: null while there is none. */
export type Value = Scalar | Scalar[] | null;

/** A reference as a form holds it: null while it is not chosen. */
export type Choice = string | null;

export const SCALAR_TYPES = ["String", "Number", "Boolean", "DateTime"] as const satisfies readonly ScalarType[];

/** The finding of a single value, independent of its comparison; null if valid. */
function scalarProblem(one: unknown): Mistake | null {
  if (isNumeric(one)) return numberFits(one) ? null : mistake("shape.number_wide");
  if (typeof one === "string") return codePoints(one) <= MAX_TEXT_LENGTH ? null : mistake("shape.text_long", { most: MAX_TEXT_LENGTH });
  return typeof one === "boolean" ? null : mistake("shape.scalar");
}

/** A value, or a list of them; whether it fits is checked where it is used. */
export const value = z.unknown().superRefine((one, context) => {
  if (Array.isArray(one)) {
    if (one.length > MAX_LIST) addProblem(context, mistake("shape.entries_most", { most: MAX_LIST }), []);
    for (const [at, inner] of one.entries()) addProblem(context, scalarProblem(inner), [at]);
  } else {
    addProblem(context, scalarProblem(one), []);
  }
}) as unknown as z.ZodType<Scalar | Scalar[]>;

function addProblem(context: z.core.$RefinementCtx, what: Mistake | null, path: number[]): void {
  if (what !== null) context.addIssue({ code: "custom", path, message: issueText(what) });
}

export function isOfType(type: ScalarType, one: unknown): boolean {
  switch (type) {
    case "String":
      return typeof one === "string";
    case "Number":
      return isNumeric(one);
    case "Boolean":
      return typeof one === "boolean";
    case "DateTime":
      return typeof one === "string" && parseInstant(one) !== null;
  }
}

/** Each value that is not of the type, a value of a list at its own index. */
export function checkValue(type: ScalarType, one: Readable<Scalar | Scalar[]>, path: Path): Finding[] {
  if (Array.isArray(one)) return one.flatMap((inner: Readable<Scalar>, at) => checkValue(type, inner, [...path, at]));
  const known = given(one);
  return known === undefined || isOfType(type, known) ? [] : [finding(path, "value.type_wanted", { type })];
}

/** The one form in which a value of a type is kept: instants in UTC with milliseconds, numbers as `simplify` gives them. */
export function canonicalValue<One extends Scalar | Scalar[]>(type: ScalarType | undefined, given: One): One {
  if (Array.isArray(given)) return given.map((one) => canonicalValue(type, one)) as One;
  if (given instanceof Decimal) return simplify(given) as One;
  const instant = type === "DateTime" && typeof given === "string" ? parseInstant(given) : null;
  return instant === null ? given : (formatInstant(instant) as One);
}

export function tagged(type: ScalarType, one: Scalar): TaggedValue {
  switch (type) {
    case "String":
      return { type: "string", value: String(one) };
    case "Number":
      return { type: "number", value: one as Numeric };
    case "Boolean":
      return { type: "boolean", value: one === true };
    case "DateTime":
      return { type: "dateTime", value: String(one) };
  }
}

/** A value without a declared type: an element of a collection. */
function taggedByKind(one: Scalar): TaggedValue {
  if (isNumeric(one)) return { type: "number", value: one };
  return typeof one === "boolean" ? { type: "boolean", value: one } : { type: "string", value: one };
}

/** The value of a catalog item: one of its type, or a collection. */
export const taggedItem = (item: { valueType: ScalarType | "Collection"; value: Scalar | readonly Scalar[] }): TaggedValue =>
  item.valueType === "Collection"
    ? { type: "collection", items: (item.value as readonly Scalar[]).map(taggedByKind) }
    : tagged(item.valueType, item.value as Scalar);
