import type { Operator } from "../rules/operator.ts";
import type { Path } from "../rules/finding.ts";
import { given, type Readable } from "../rules/readable.ts";
import { Decimal, simplify } from "../kernel/decimal.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, type Scalar, type ScalarType } from "../kernel/values.ts";
import type { Finding } from "./problems.ts";

/** A comparison as it stands in a file: in a filter the value is called `value`, in an objective `target`. */
export interface Comparison {
  operator: Readable<Operator>;
  value: Readable<Scalar | Scalar[]>;
  path: Path;
  member: "value" | "target";
}

/** Whether operator and value fit what is compared (definitions.md, Rules); without its type, whether they fit each other. */
export function comparisonFindings(type: ScalarType | undefined, { operator, value, path, member }: Comparison): Finding[] {
  const compares = given(operator);
  const wanted = given(value);
  const found: Finding[] = [];
  if (type !== undefined && compares !== undefined && !isOperatorOf(type, compares)) {
    found.push({ path: [...path, "operator"], message: `${compares} does not fit a ${type}; use EqualTo, NotEqualTo, In or NotIn` });
  }
  if (wanted === undefined) return found;
  const place = [...path, member];
  if (compares !== undefined) found.push(...numberOfValues(compares, wanted, place));
  if (type !== undefined) found.push(...valueFindings(type, wanted, place));
  return found;
}

/** What cannot be ordered can only be equal or not. */
function isOperatorOf(type: ScalarType, operator: Operator): boolean {
  switch (type) {
    case "Number":
    case "DateTime":
      return true;
    case "String":
    case "Boolean":
      return !["GreaterThan", "GreaterThanOrEqualTo", "LessThan", "LessThanOrEqualTo"].includes(operator);
  }
}

function numberOfValues(operator: Operator, value: unknown, path: Path): Finding[] {
  const isList = Array.isArray(value);
  if (operator === "In" || operator === "NotIn") {
    return isList && value.length > 0 ? [] : [{ path, message: `must be a list of at least one value for ${operator}` }];
  }
  return isList ? [{ path, message: `must be a single value for ${operator}; a list is for In and NotIn` }] : [];
}

/** Each value that is not of the type, a value of a list at its own place. */
export function valueFindings(type: ScalarType, value: Readable<Scalar | Scalar[]>, path: Path): Finding[] {
  if (Array.isArray(value)) return value.flatMap((one: Readable<Scalar>, at) => valueFindings(type, one, [...path, at]));
  const one = given(value);
  return one === undefined || isOfType(type, one) ? [] : [{ path, message: `must be ${NAMES[type]}, as it stands for a ${type}` }];
}

const NAMES: Record<ScalarType, string> = {
  String: "a string",
  Number: "a number",
  Boolean: "true or false",
  DateTime: "an RFC 3339 timestamp with an offset or Z",
};

function isOfType(type: ScalarType, value: unknown): boolean {
  switch (type) {
    case "String":
      return typeof value === "string";
    case "Number":
      return isNumeric(value);
    case "Boolean":
      return typeof value === "boolean";
    case "DateTime":
      return typeof value === "string" && parseInstant(value) !== null;
  }
}

/** The one form in which a value of a type is kept: instants in UTC with milliseconds, numbers as `simplify` gives them. */
export function canonicalValue<Value extends Scalar | Scalar[]>(type: ScalarType | undefined, value: Value): Value {
  if (Array.isArray(value)) return value.map((one) => canonicalValue(type, one)) as Value;
  if (value instanceof Decimal) return simplify(value) as Value;
  const instant = type === "DateTime" && typeof value === "string" ? parseInstant(value) : null;
  return instant === null ? value : (formatInstant(instant) as Value);
}
