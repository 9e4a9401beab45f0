import type { Sql } from "#db/client.ts";
import { firstIdAt } from "#server/model/request-log/kept.ts";
import { deleteItemsOf } from "../store/items.ts";
import { deleteBodiesNaming, deleteBodiesOf } from "../store/settings.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** Removes a player: the items that name them, and the content of the requests that sent those. */
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
