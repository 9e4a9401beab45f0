import type { Sql } from "../../../db/client.ts";
import type { PlayerKey } from "../../players/service.ts";
import { deleteItemsOf } from "../store/items.ts";
import { deleteBodiesOf } from "../store/settings.ts";

/** Forgets a player: the items that name them, and what was sent in the requests that those came with. */
export async function forgetPlayer(sql: Sql, environmentId: number, key: PlayerKey): Promise<void> {
  const requestIds = await deleteItemsOf(sql, environmentId, key);
  await deleteBodiesOf(sql, environmentId, requestIds);
}
