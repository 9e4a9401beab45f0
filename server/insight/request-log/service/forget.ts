import type { Sql } from "#db/client.ts";
import { firstIdAt } from "#server/model/request-log/kept.ts";
import { deleteItemsOf } from "../store/items.ts";
import { deleteBodiesNaming, deleteBodiesOf } from "../store/settings.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** Forgets a player: the items that name them, and what was sent in the requests that those came with. */
export async function forgetPlayer(sql: Sql, environmentId: number, key: PlayerKey): Promise<void> {
  const requestIds = await deleteItemsOf(sql, environmentId, key);
  await deleteBodiesOf(sql, environmentId, requestIds);
}

/**
 * Forgets what was sent in the other requests that name a player, reads for one, from an instant on (real time, epoch milliseconds). It
 * looks at every body that is kept of that time.
 */
export const forgetRequestsNaming = (sql: Sql, environmentId: number, externalId: string, from: number): Promise<void> =>
  deleteBodiesNaming(sql, environmentId, externalId, firstIdAt(from));
