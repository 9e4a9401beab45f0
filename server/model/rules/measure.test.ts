import { expect, test } from "vitest";
import type { ScalarType } from "../kernel/values.ts";
import {
  isDistinct,
  isMeasurable,
  measurableTypes,
  type MeasureKind,
  needsProperty,
  onlyRises,
  counterType,
  counterWithoutEvents,
} from "./measure.ts";

const ALL: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];

test.each<[kind: MeasureKind, of: readonly ScalarType[] | null, ofText: ScalarType, start: 0 | null, rises: boolean, distinct: boolean]>([
  ["Count", null, "Number", 0, true, false],
  ["Sum", ["Number"], "Number", 0, true, false],
  ["Max", ["Number", "DateTime"], "String", null, true, false],
  ["Min", ["Number", "DateTime"], "String", null, false, false],
  ["Latest", ALL, "String", null, false, false],
  ["DistinctCount", ALL, "Number", 0, true, true],
  ["DistinctDays", null, "Number", 0, true, true],
])("%s", (kind, of, ofText, start, rises, distinct) => {
  expect(needsProperty(kind)).toBe(of !== null);
  expect(measurableTypes(kind)).toEqual(of ?? []);
  for (const type of ALL) expect(isMeasurable(kind, type)).toBe(of?.includes(type) ?? true);
  expect(counterType(kind, "String")).toBe(ofText);
  const measure = needsProperty(kind) ? { kind, property: null } : { kind };
  expect(counterWithoutEvents({ measure: measure as never })).toEqual({ value: start });
  expect(onlyRises(kind)).toBe(rises);
  expect(isDistinct({ kind })).toBe(distinct);
});
