/** A file of a whole table is read in pages of this size. */
export const MAX_PAGE_ROWS = 1_000;

/** A page of a report's table, from 1, and its order. An unknown or null `sort` means the report's own order. */
export interface TableView {
  sort: string | null;
  ascending: boolean;
  page: number;
  limit: number;
}

export const FIRST_PAGE: TableView = { sort: null, ascending: false, page: 1, limit: 50 };

type Value<Row> = (row: Row) => string | number | null;

/** The values that a table is sorted by, by column. */
export type Orders<Row> = Readonly<Record<string, Value<Row>>>;

/** The order of a view; undefined for the report's own. */
export const orderOf = <Order>(orders: Readonly<Record<string, Order>>, { sort }: TableView): Order | undefined =>
  sort !== null && Object.hasOwn(orders, sort) ? orders[sort] : undefined;

export interface Page<Row> {
  rows: Row[];
  /** The number of rows on all pages. */
  count: number;
  page: number;
  limit: number;
}

/**
 * A page of a table, or the last one if there are fewer pages by now. Rows of equal value keep the report's order, the largest `own` first.
 */
export function pageOf<Row>(rows: readonly Row[], view: TableView, orders: Orders<Row>, own?: Value<Row>): Page<Row> {
  const value = orderOf(orders, view);
  const ordered = own === undefined ? rows : sortedBy(rows, own, false);
  const sorted = value === undefined ? ordered : sortedBy(ordered, value, view.ascending);
  const { limit } = view;
  const page = Math.min(view.page, Math.max(1, Math.ceil(rows.length / limit)));
  return { rows: sorted.slice((page - 1) * limit, page * limit), count: rows.length, page, limit };
}

const COLLATOR = new Intl.Collator("en");

/** Missing values come last in either direction; each row's value is computed once. */
function sortedBy<Row>(rows: readonly Row[], value: Value<Row>, ascending: boolean): Row[] {
  const valued = rows.map((row) => ({ row, value: value(row) }));
  valued.sort(({ value: a }, { value: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : COLLATOR.compare(String(a), String(b));
    return ascending ? order : -order;
  });
  return valued.map(({ row }) => row);
}
