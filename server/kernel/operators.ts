import { compareNumbers } from "./decimal.ts";
import { isNumeric, type Operator, type Scalar } from "./values.ts";

/** Whether `actual` stands to `target` as the operator says. Without a value only NotEqualTo and NotIn hold (definitions.md, Condition). */
export function holds(actual: Scalar | null | undefined, operator: Operator, target: Scalar | readonly Scalar[]): boolean {
  if (actual === null || actual === undefined) return operator === "NotEqualTo" || operator === "NotIn";
  switch (operator) {
    case "In":
      return asList(target).some((one) => compareScalars(actual, one) === 0);
    case "NotIn":
      return !asList(target).some((one) => compareScalars(actual, one) === 0);
    default:
      return ordered(compareScalars(actual, target as Scalar), operator);
  }
}

function ordered(order: number | null, operator: Exclude<Operator, "In" | "NotIn">): boolean {
  switch (operator) {
    case "EqualTo":
      return order === 0;
    case "NotEqualTo":
      return order !== 0;
    case "GreaterThan":
      return order !== null && order > 0;
    case "GreaterThanOrEqualTo":
      return order !== null && order >= 0;
    case "LessThan":
      return order !== null && order < 0;
    case "LessThanOrEqualTo":
      return order !== null && order <= 0;
  }
}

/** −1, 0 or 1; null for values of different types. DateTimes compare as text: their one form sorts by time. */
export function compareScalars(a: Scalar, b: Scalar): -1 | 0 | 1 | null {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : null;
  if (typeof a !== typeof b || isNumeric(b)) return null;
  return a === b ? 0 : a < b ? -1 : 1;
}

const asList = (target: Scalar | readonly Scalar[]): readonly Scalar[] => (Array.isArray(target) ? target : [target as Scalar]);
