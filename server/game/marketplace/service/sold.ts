import type { Database } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { roundAt } from "#server/model/marketplace/rounds.ts";
import { loadUnitsSold } from "../store/sold.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** The units of some listings sold in the round that runs at `now` (on the environment's clock), by key. Reversed purchases do not count. */
export async function unitsSold(
  database: Database,
  environment: Environment,
  now: number,
  keys: readonly string[],
): Promise<{ key: string; units: number }[]> {
  const { listingsByKey, timeZone } = await definitionsOf(database.sql, environment);
  const listings = [...new Set(keys)].flatMap((key) => listingsByKey.get(key) ?? []);
  const rounds = listings.map((listing) => ({ listingId: listing.id, round: roundAt(listing, now, timeZone).start }));
  const sold = await loadUnitsSold(database.sql, rounds);
  return listings.map(({ id, key }) => ({ key, units: sold.get(id) ?? 0 }));
}
