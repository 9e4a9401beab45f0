import { compareNumbers } from "../../../model/kernel/decimal.ts";
import { writeJson } from "../../../model/kernel/json.ts";
import { isNumeric } from "../../../model/kernel/values.ts";
import type { Path } from "../../../model/rules/finding.ts";

export interface Difference {
  path: Path;
  expected: unknown;
  actual: unknown;
}

/**
 * The paths at which an actual value differs from the expected one. Of objects only the expected members are compared; lists as a whole.
 */
export function differencesOf(expected: unknown, actual: unknown, path: Path): Difference[] {
  if (isObject(expected) && isObject(actual))
    return Object.entries(expected).flatMap(([name, one]) => (one === undefined ? [] : differencesOf(one, actual[name], [...path, name])));
  return isSame(expected, actual)
    ? []
    : [{ path, expected, actual: Array.isArray(actual) ? actual.map((one, at) => cutTo(one, expected, at)) : actual }];
}

/** For lists without order: the actual list, with each expected entry moved to the index at which it is expected. */
export function inOrderOf(expected: unknown, actual: unknown): unknown {
  if (!Array.isArray(expected) || !Array.isArray(actual)) return actual;
  const left = [...(actual as unknown[])];
  const found = expected.map((one) => {
    const at = left.findIndex((other) => isSame(one, other));
    return at < 0 ? null : left.splice(at, 1)[0];
  });
  return [...found.flatMap((one) => one ?? left.splice(0, 1)), ...left];
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (isNumeric(expected) && isNumeric(actual)) return compareNumbers(expected, actual) === 0;
  if (Array.isArray(expected) && Array.isArray(actual))
    return expected.length === actual.length && expected.every((one, at) => isSame(one, actual[at]));
  if (isObject(expected) && isObject(actual)) return Object.entries(expected).every(([name, one]) => isSame(one, actual[name]));
  return writeJson(expected) === writeJson(actual);
}

/** The expected members of a webhook, and its subject. */
function cutTo(actual: unknown, expected: unknown, at: number): unknown {
  if (!isObject(actual)) return actual;
  const wanted: unknown = Array.isArray(expected) ? expected[at] : undefined;
  const names = ["event", ...Object.keys(actual).filter((name) => name.endsWith("Key")), ...(isObject(wanted) ? Object.keys(wanted) : [])];
  return Object.fromEntries([...new Set(names)].flatMap((name) => (name in actual ? [[name, actual[name]]] : [])));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isNumeric(value);
