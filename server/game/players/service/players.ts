import { type Database, type Sql, transact } from "#db/client.ts";
import { applyDecision, mustBeAsRead, openLocked } from "#server/engine/apply.ts";
import { firstWaitingOf } from "#server/engine/store/queue.ts";
import { type AuditEntry, entryIn } from "#server/model/audit-log/entry.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { problem } from "#server/model/kernel/problem.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import * as store from "../store.ts";

/** Creates a player, or updates a known one. `now` is on the environment's clock. Problem: service.unavailable. */
export async function savePlayer(
  database: Database,
  environment: Environment,
  now: number,
  externalId: string,
  profile: Partial<store.Profile>,
): Promise<store.SavedPlayer> {
  await beforeZone(database, environment, externalId, profile.timeZone);
  const player = { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt: now };
  return store.upsertPlayer(database.sql, player, profile);
}

/**
 * Call it before a player's zone is set. Where that changes the zone of a known player, it applies the facts that are waiting for them:
 * those are judged in the zone that the player had at their receipt. Problem: service.unavailable.
 */
export async function beforeZone(
  database: Database,
  environment: Environment,
  externalId: string,
  timeZone: string | null | undefined,
): Promise<void> {
  if (timeZone === undefined) return;
  const key = { ...playerKey(environment.id, externalId), externalId };
  if (!(await store.hasOtherZone(database.sql, key, timeZone)) || (await firstWaitingOf(database.sql, key)) === null) return;
  const absent = () => problem("service.unavailable", "The player was deleted at the same instant. Send the request again.");
  await applyDecision(database, environment.id, key, () => ({ absent, decide: () => [] }));
}

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
    action,
    subjectKind: "player",
    subjectKey: externalId,
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
export async function savePlayerAsRead(
  database: Database,
  environment: Environment,
  at: number,
  externalId: string,
  profile: Partial<store.Profile>,
): Promise<void> {
  await beforeZone(database, environment, externalId, profile.timeZone);
  await transact(database, async (tx) => {
    mustBeAsRead(await openLocked(tx, environment.id), environment);
    await store.upsertPlayer(
      tx,
      { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt: at },
      profile,
    );
  });
}
