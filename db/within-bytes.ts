import type postgres from "postgres";
import type { Sql } from "./client.ts";

/** A row of `withinBytes`; the one that fills the bound is full, and more rows may follow it. */
export interface Bounded {
  isFull: boolean;
}

/**
 * The rows of a query, in its order, up to the one whose `bytes`, a column of the query, fill the bound: at least one. Rows of players may
 * have megabytes each, so a number of rows bounds no memory. On one machine, or of one player: the rows' order is that of the query.
 */
export const withinBytes = (sql: Sql, rows: postgres.Fragment, most: number) => sql`
  select * from (
    select q.*, sum(bytes) over w >= ${most}::int as is_full, sum(bytes) over w - bytes as bytes_before from (${rows}) q window w as (rows unbounded preceding)
  ) q where bytes_before < ${most}::int`;

/** The same of a query as text. */
export const textWithinBytes = (rows: string, most: number): string => `
  select * from (
    select q.*, sum(bytes) over w >= ${most} as is_full, sum(bytes) over w - bytes as bytes_before from (${rows}) q window w as (rows unbounded preceding)
  ) q where bytes_before < ${most}`;

/** Of rows that people list: a page of two sources keeps within an answer's size. */
export const MAX_LISTED_BYTES = 2 ** 21;
