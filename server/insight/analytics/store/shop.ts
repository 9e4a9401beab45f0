import type { Sql } from "#db/client.ts";

export interface SoldRound {
  listingId: number;
  /** Local start of its period; empty if the listing does not repeat. */
  start: string;
  sold: number;
  stock: number | null;
}

/** The number of recent periods shown per listing. */
const SHOWN = 12;

/** The recent periods of each listing of an environment, the newest first, by listing. */
export async function selectRounds(sql: Sql, environmentId: number): Promise<Map<number, SoldRound[]>> {
  const rows = await sql<SoldRound[]>`
    select listing_id, round as start, sold, stock
    from (select *, row_number() over (partition by listing_id order by round desc) as nth from marketplace_rounds where environment_id = ${environmentId}) r
    where nth <= ${SHOWN} order by listing_id, round desc`;
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
