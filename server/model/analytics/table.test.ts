import { expect, it } from "vitest";
import { pageOf, sortedBy, tableView } from "./table.ts";

it.each([
  [false, [3, 2, 1, null]],
  [true, [1, 2, 3, null]],
])("a table sorted, ascending %j, has missing values last", (ascending, sorted) =>
  expect(sortedBy([2, null, 3, 1], (value) => value, ascending)).toEqual(sorted),
);

const ROWS = Array.from({ length: 120 }, (_, at) => at);

it.each([
  [1, 1],
  [3, 3],
  [9, 3],
])("page %j is one that the table has", (page, shown) => {
  const found = pageOf(ROWS, tableView.parse({ page }), {});
  expect(found).toEqual({ rows: ROWS.slice((shown - 1) * 50, shown * 50), count: 120, page: shown, limit: 50 });
});

it("all rows are sorted, not those of a page, and an unknown column leaves the report's own order", () => {
  const orders = { number: (row: number) => row };
  expect(pageOf(ROWS, tableView.parse({ sort: "number", limit: 2 }), orders).rows).toEqual([119, 118]);
  for (const sort of ["other", "toString", null]) expect(pageOf(ROWS, tableView.parse({ sort, limit: 2 }), orders).rows).toEqual([0, 1]);
});
