import { expect, test } from "vitest";
import { BOARD_LANES, boardLaneOf, FINE_LANES, fineLaneOf, LANE_COUNTS, lanesOf } from "./lanes.ts";

test.each(LANE_COUNTS)("%i lanes have every fine lane once, in order", (count) => {
  const lanes = lanesOf(count);
  expect(lanes).toHaveLength(count);
  const fine = lanes.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
  expect(fine).toEqual(Array.from({ length: FINE_LANES }, (_, at) => at));
});

test("every fine lane has parts, and each board lane is a range of fine lanes", () => {
  const parts = Array.from({ length: 1024 }, (_, part) => part);
  expect(new Set(parts.map(fineLaneOf))).toEqual(new Set(Array.from({ length: FINE_LANES }, (_, lane) => lane)));
  expect(
    lanesOf(BOARD_LANES).map(
      ({ first, last }) => new Set(parts.filter((part) => first <= fineLaneOf(part) && fineLaneOf(part) <= last).map(boardLaneOf)),
    ),
  ).toEqual(Array.from({ length: BOARD_LANES }, (_, lane) => new Set([lane])));
});
