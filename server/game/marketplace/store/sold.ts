import type { Sql } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";

/** The units sold in a round of each listing; of a round without a sale nothing. */
export async function loadUnitsSold(sql: Sql, rounds: readonly { listingId: number; round: string }[]): Promise<Map<number, number>> {
  if (rounds.length === 0) return new Map();
  const rows = await sql<{ listingId: number; sold: number }[]>`
    select r.listing_id as "listingId", r.sold
    from json_to_recordset(${writeJson(rounds)}::text::json) as a("listingId" int, "round" text)
    join marketplace_rounds r on r.listing_id = a."listingId" and r.round = a.round`;
  return new Map(rows.map(({ listingId, sold }) => [listingId, sold]));
}
