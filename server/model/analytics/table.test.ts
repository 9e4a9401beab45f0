import { expect, it } from "vitest";
import { FIRST_PAGE, pageOf } from "./table.ts";

it.each([
  [false, [3, 2, 1, null]],
  [true, [1, 2, 3, null]],
])("a table sorted, ascending %j, has missing values last", (ascending, sorted) => {
  const view = { ...FIRST_PAGE, sort: "value", ascending };
  expect(pageOf([2, null, 3, 1], view, { value: (value) => value }).rows).toEqual(sorted);
});

it("rows of equal value keep the report's own order", () => {
  const rows = [1, 2, 3, 4];
  const orders = { odd: (row: number) => row % 2 };
  expect(pageOf(rows, FIRST_PAGE, orders, (row) => row).rows).toEqual([4, 3, 2, 1]);
  expect(pageOf(rows, { ...FIRST_PAGE, sort: "odd" }, orders, (row) => row).rows).toEqual([3, 1, 4, 2]);
});

const ROWS = Array.from({ length: 120 }, (_, at) => at);

it.each([
  [1, 1],
  [3, 3],
  [9, 3],
])("page %j is one that the table has", (page, shown) => {
  const found = pageOf(ROWS, { ...FIRST_PAGE, page }, {});
  expect(found).toEqual({ rows: ROWS.slice((shown - 1) * 50, shown * 50), count: 120, page: shown, limit: 50 });
});

it("all rows are sorted, not those of a page, and an unknown column leaves the report's own order", () => {
  const orders = { number: (row: number) => row };
  expect(pageOf(ROWS, { ...FIRST_PAGE, sort: "number", limit: 2 }, orders).rows).toEqual([119, 118]);
  for (const sort of ["other", "toString", null]) expect(pageOf(ROWS, { ...FIRST_PAGE, sort, limit: 2 }, orders).rows).toEqual([0, 1]);
});
