import { type Database, transact } from "#db/client.ts";
import { mustBeAsRead, openLocked } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { type Profile, savePlayer } from "../store.ts";

/**
 * Creates or updates a player. Throws service.unavailable if players were deleted since `environment` was read. `at` is on the
 * environment's clock.
 */
export const savePlayerAsRead = (
  database: Database,
  environment: Environment,
  at: number,
  externalId: string,
  profile: Partial<Profile>,
): Promise<void> =>
  transact(database, async (tx) => {
    mustBeAsRead(await openLocked(tx, environment.id), environment);
    await savePlayer(tx, { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt: at }, profile);
  });
