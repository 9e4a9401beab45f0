import type { Database, Sql } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type PlayerKey, playerKey } from "../../model/players/identity.ts";
import * as store from "./store.ts";

/** Creates a player, or updates a known one. `now` is on the environment's clock. */
export const savePlayer = (
  { sql }: Database,
  environment: Environment,
  now: number,
  externalId: string,
  profile: Partial<store.Profile>,
): Promise<store.SavedPlayer> =>
  store.savePlayer(sql, { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt: now }, profile);

/** Players whose external id or display name begins with the search, at most `limit`; the newest without a search. */
export const findPlayers = (
  { sql }: Database,
  environment: Pick<Environment, "id">,
  beginning: string,
  limit: number,
): Promise<store.FoundPlayer[]> =>
  beginning === "" ? store.newestPlayers(sql, environment.id, limit) : store.playersBeginning(sql, environment.id, beginning, limit);

export { externalIdUpTo, type PagedPlayer, playersAfter, playersByKey, selectPlayersAmong as playersAmong } from "./store.ts";

/** The zone of a player's days; null where the project's holds, and for a stranger. */
export const zoneOf = (sql: Sql, key: PlayerKey): Promise<string | null> => store.selectZone(sql, key);
