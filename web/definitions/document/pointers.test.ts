import { expect, it } from "vitest";
import { placeInWords } from "./labels.ts";
import { around, isWithin, pathOf, pointerTo, valueAt } from "./pointers.ts";

it("a pointer leads through the members that it was made of, whatever is in their names", () => {
  const path = ["images", "a/b~c", 0];
  expect(pointerTo(path)).toBe("/images/a~1b~0c/0");
  expect(pathOf(pointerTo(path))).toEqual(["images", "a/b~c", "0"]);
  expect(pathOf("")).toEqual([]);
  expect(valueAt({ images: { "a/b~c": ["here"] } }, path)).toBe("here");
  expect(valueAt({ images: null }, path)).toBeUndefined();
});

it("a place holds what is in it, and not what only begins alike", () => {
  expect(isWithin("/objectives/1/target", "/objectives/1")).toBe(true);
  expect(isWithin("/objectives/10", "/objectives/1")).toBe(false);
  expect(around("/objectives/1")).toBe("/objectives");
  expect(around("/objectives")).toBe("");
  expect(around("")).toBeNull();
});

it("a place is told in words", () => {
  expect(placeInWords("/objectives/0/where/all/1/value")).toBe("Objective 1, filter, condition 2, value");
  expect(placeInWords("/audience/rule/any/1/attribute")).toBe("Audience, condition 2, attribute");
  expect(placeInWords("/objectives")).toBe("Objectives");
  expect(placeInWords("/name/texts/nl")).toBe("Name in Dutch");
  expect(placeInWords("/settleAfterMinutes")).toBe("Settles after");
  expect(placeInWords("/objectives/0/measure/property")).toBe("Objective 1, property");
});
