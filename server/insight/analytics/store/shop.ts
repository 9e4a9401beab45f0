import type { Sql } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

export interface SoldRound {
  listingId: number;
  /** Local start of its period; empty if the listing does not repeat. */
  start: string;
  sold: number;
  stock: number | null;
}

/** The number of recent periods shown per listing. */
const SHOWN = 12;

/** The recent periods of some listings, the newest first, by listing. */
export async function selectRounds(sql: Sql, listings: readonly number[], shown = SHOWN): Promise<Map<number, SoldRound[]>> {
  const rows = await sql<SoldRound[]>`
    select r.listing_id, r.round as start, r.sold, r.stock
    from unnest(${arrayText(listings)}::text::int[]) as l(id) cross join lateral (
      select * from marketplace_rounds m where m.listing_id = l.id order by m.round desc limit ${shown}::int
    ) r order by r.listing_id, r.round desc`;
  return Map.groupBy(rows, ({ listingId }) => listingId);
}

/** The periods of a listing before a given one, the newest first. */
export const selectRoundsOf = (
  sql: Sql,
  listingId: number,
  before: string | null,
  limit: number,
): Promise<Omit<SoldRound, "listingId">[]> =>
  sql<Omit<SoldRound, "listingId">[]>`
    select round as start, sold, stock from marketplace_rounds
    where listing_id = ${listingId} ${before === null ? sql`` : sql`and round < ${before}`}
    order by round desc limit ${limit}::int`.execute();
