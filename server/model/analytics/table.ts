import { z } from "zod";

/** A table's rows by default, and at most: a file of the whole table is read in pages of this size. */
const PAGE_ROWS = 50;
export const MAX_PAGE_ROWS = 1_000;

/** A page of a report's table, from 1, and its order. An unknown `sort` is the report's own order. */
export const tableView = z.object({
  sort: z.string().max(200).nullable().default(null),
  ascending: z.boolean().default(false),
  page: z.int().min(1).max(10_000).default(1),
  limit: z.int().min(1).max(MAX_PAGE_ROWS).default(PAGE_ROWS),
});

export type TableView = z.output<typeof tableView>;

export const FIRST_PAGE: TableView = tableView.parse({});

/** The values that a table is sorted by, by column. */
export type Orders<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

/** The order of a view; undefined for the report's own. */
export const orderOf = <Order>(orders: Readonly<Record<string, Order>>, { sort }: TableView): Order | undefined =>
  sort !== null && Object.hasOwn(orders, sort) ? orders[sort] : undefined;

export interface Page<Row> {
  rows: Row[];
  /** Of all pages. */
  count: number;
  page: number;
  limit: number;
}

/** A page of rows that are in the report's own order; the last page where there are fewer by now. */
export function pageOf<Row>(rows: readonly Row[], view: TableView, orders: Orders<Row>): Page<Row> {
  const value = orderOf(orders, view);
  const sorted = value === undefined ? rows : sortedBy(rows, value, view.ascending);
  const { limit } = view;
  const page = Math.min(view.page, Math.max(1, Math.ceil(rows.length / limit)));
  return { rows: sorted.slice((page - 1) * limit, page * limit), count: rows.length, page, limit };
}

const COLLATOR = new Intl.Collator("en");

/** Missing values come last in either direction; each row's value is computed once. */
export function sortedBy<Row>(rows: readonly Row[], value: (row: Row) => string | number | null, ascending: boolean): Row[] {
  const valued = rows.map((row) => ({ row, value: value(row) }));
  valued.sort(({ value: a }, { value: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : COLLATOR.compare(String(a), String(b));
    return ascending ? order : -order;
  });
  return valued.map(({ row }) => row);
}
