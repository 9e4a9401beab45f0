import type { Database, Sql } from "#db/client.ts";
import { REQUEST_LOG_BOUNDS, firstIdAt } from "#server/model/kernel/kept-days.ts";
import { loggedEnvironments, purgeEffects, purgeItems, purgeOmissions, purgeRequests } from "../store/purge.ts";
import { deleteItemsOf } from "../store/items.ts";
import { deleteBodiesNaming, deleteBodiesOf } from "../store/settings.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { DAY } from "#server/model/kernel/instant.ts";

/** Rows deleted per statement: some milliseconds of work. */
const SLICE = 1_000;

/** The bounds, for tests. */
export type PurgeBounds = { [Table in keyof typeof REQUEST_LOG_BOUNDS]: { ms: number; rows: number } };

/** Deletes expired rows of the log in slices; returns the number. `now` in epoch milliseconds, real time. */
export async function purgeLog(
  { sql }: Database,
  now: number,
  isStopping = () => false,
  bounds: PurgeBounds = REQUEST_LOG_BOUNDS,
): Promise<number> {
  const { requests, items } = bounds;
  let total = 0;
  /** Repeats a purge until it deletes less than a slice. */
  const inSlices = async (purgeSlice: () => Promise<number>): Promise<void> => {
    while (!isStopping()) {
      const count = await purgeSlice();
      total += count;
      if (count < SLICE) return;
    }
  };
  for (const { id, days } of await loggedEnvironments(sql)) {
    const keptMs = days === null ? requests.ms : days * DAY;
    await inSlices(() => purgeRequests(sql, id, firstIdAt(now - keptMs), requests.rows, SLICE));
    const itemsSince = now - Math.min(items.ms, keptMs);
    await inSlices(() => purgeItems(sql, id, firstIdAt(itemsSince), items.rows, SLICE));
    await inSlices(() => purgeEffects(sql, id, itemsSince, items.rows, SLICE));
    await purgeOmissions(sql, id, now - keptMs);
  }
  return total;
}

/** Removes a player's items, and the bodies of the requests that sent them. */
export async function forgetPlayer(sql: Sql, environmentId: number, key: PlayerKey): Promise<void> {
  const requestIds = await deleteItemsOf(sql, environmentId, key);
  await deleteBodiesOf(sql, environmentId, requestIds);
}

/**
 * Removes the content of other requests that name a player, such as reads, from an instant on (real time, epoch milliseconds). Scans every
 * stored body of that time.
 */
export const forgetRequestsNaming = (sql: Sql, environmentId: number, externalId: string, from: number): Promise<void> =>
  deleteBodiesNaming(sql, environmentId, externalId, firstIdAt(from));
