import { expect, it } from "vitest";
import { pageOf, sortedBy } from "./report-table.tsx";

it.each([
  [true, [3, 2, 1, null]],
  [false, [1, 2, 3, null]],
])("a table sorted, descending %j, has what is not there last", (descending, sorted) =>
  expect(sortedBy([2, null, 3, 1], (value) => value, descending)).toEqual(sorted),
);

it.each([
  [null, 1, "1–50 of 120", "2"],
  ["3", 3, "101–120 of 120", null],
  ["9", 3, "101–120 of 120", null],
])("page %j of the address is one that the table has", (page, number, summary, next) => {
  const rows = Array.from({ length: 120 }, (_, at) => at);
  const shown = pageOf(rows, page);
  expect(shown).toMatchObject({ number, summary, next });
  expect(shown.rows).toEqual(rows.slice((number - 1) * 50, number * 50));
});
