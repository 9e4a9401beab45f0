import { expect, it } from "vitest";
import { sortedBy } from "./report-table.tsx";

it.each([
  [true, [3, 2, 1, null]],
  [false, [1, 2, 3, null]],
])("a table sorted, descending %j, has what is not there last", (descending, sorted) =>
  expect(sortedBy([2, null, 3, 1], (value) => value, descending)).toEqual(sorted),
);
