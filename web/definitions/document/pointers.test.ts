import { expect, it } from "vitest";
import { pathInWords } from "./labels.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { valueAt } from "#server/model/definitions/value-at.ts";
import { around, isWithin, pathOf } from "./pointers.ts";

it("a path made into a pointer is read back unchanged, whatever its names", () => {
  const path = ["images", "a/b~c", 0];
  expect(pointerTo(path)).toBe("/images/a~1b~0c/0");
  expect(pathOf(pointerTo(path))).toEqual(["images", "a/b~c", "0"]);
  expect(pathOf("")).toEqual([]);
  expect(valueAt({ images: { "a/b~c": ["here"] } }, path)).toBe("here");
  expect(valueAt({ images: null }, path)).toBeUndefined();
});

it("a path contains its descendants, but no path that only shares a text prefix", () => {
  expect(isWithin("/objectives/1/target", "/objectives/1")).toBe(true);
  expect(isWithin("/objectives/10", "/objectives/1")).toBe(false);
  expect(around("/objectives/1")).toBe("/objectives");
  expect(around("/objectives")).toBe("");
  expect(around("")).toBeNull();
});

it("a path in words", () => {
  expect(pathInWords("/objectives/0/where/all/1/value")).toBe("Objective 1, filter, condition 2, value");
  expect(pathInWords("/audience/rule/any/1/attribute")).toBe("Audience, condition 2, attribute");
  expect(pathInWords("/objectives")).toBe("Objectives");
  expect(pathInWords("/name/texts/nl")).toBe("Name in Dutch");
  expect(pathInWords("/settleAfterMinutes")).toBe("Settles after");
  expect(pathInWords("/objectives/0/measure/property")).toBe("Objective 1, property");
});
