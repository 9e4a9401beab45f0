import { type Database, type Sql, transact } from "#db/client.ts";
import { mustBeAsRead, openLocked } from "#server/engine/apply.ts";
import { type AuditEntry, entryIn } from "#server/model/audit-log/entry.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import * as store from "../store.ts";

/** Creates a player, or updates a known one. `now` is on the environment's clock. */
export const savePlayer = ({ sql }: Database, environment: Environment, now: number, externalId: string, profile: Partial<store.Profile>) =>
  store.upsertPlayer(sql, { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt: now }, profile);

/** Players whose external id or display name begins with the search, at most `limit`; the newest without a search. */
export const findPlayers = (
  { sql }: Database,
  environment: Pick<Environment, "id">,
  beginning: string,
  limit: number,
): Promise<store.FoundPlayer[]> =>
  beginning === "" ? store.newestPlayers(sql, environment.id, limit) : store.playersBeginning(sql, environment.id, beginning, limit);

export {
  externalIdUpTo,
  type PagedPlayer,
  playersAfter,
  playersByKey,
  PROFILE_COLUMNS,
  selectPlayersAmong as playersAmong,
} from "../store.ts";

/** The zone of a player's days; null if the project's applies, and for an unknown player. */
export const zoneOf = (sql: Sql, key: PlayerKey): Promise<string | null> => store.selectZone(sql, key);

/** A line of the audit log about a player. `facts` are named values; a pair is a value before and after. */
export const playerEntry = (
  environment: Environment,
  actor: Actor,
  action: string,
  externalId: string,
  facts: Record<string, string | number | null | { before: string | null; after: string | null }>,
): AuditEntry =>
  entryIn(environment, actor, {
    ...{ action, subjectKind: "player", subjectKey: externalId },
    difference: Object.entries(facts).map(([name, value]) =>
      typeof value === "object" && value !== null
        ? { type: "CHANGE", path: [name], oldValue: value.before, value: value.after }
        : { type: "CREATE", path: [name], value },
    ),
  });

/**
 * Creates or updates a player. Throws service.unavailable if players were deleted since `environment` was read. `at` is on the
 * environment's clock.
 */
export const savePlayerAsRead = (
  database: Database,
  environment: Environment,
  at: number,
  externalId: string,
  profile: Partial<store.Profile>,
): Promise<void> =>
  transact(database, async (tx) => {
    mustBeAsRead(await openLocked(tx, environment.id), environment);
    await store.upsertPlayer(
      tx,
      { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt: at },
      profile,
    );
  });
