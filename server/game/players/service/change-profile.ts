import { type Database, transact } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { openLocked } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { reasonFrom } from "#server/model/kernel/input-text.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { lockProfile, type Profile, upsertPlayer } from "../store.ts";
import { playerEntry } from "./players.ts";

interface ProfileChange extends Partial<Profile> {
  externalId: string;
  reason: string;
}

/** Changes the given fields of a known player's profile, with an entry in the audit log. Returns the previous profile. Throws OperatorError. */
export const changeProfile = (
  database: Database,
  environment: Environment,
  { externalId, reason, ...wanted }: ProfileChange,
  actor: Actor,
): Promise<Profile> => {
  const why = reasonFrom(reason);
  const key = playerKey(environment.id, externalId);
  return transact(database, async (tx) => {
    const { now } = await openLocked(tx, environment.id);
    const before = await lockProfile(tx, key);
    if (before === null) throw new OperatorError("There is no such player in this environment.");
    const changed = (Object.keys(before) as (keyof Profile)[]).filter(
      (name) => wanted[name] !== undefined && before[name] !== wanted[name],
    );
    if (changed.length === 0) return before;
    await upsertPlayer(tx, { ...key, environmentId: environment.id, externalId, createdAt: now }, wanted);
    const differences = Object.fromEntries(changed.map((name) => [name, { before: before[name], after: wanted[name] }]));
    await recordChange(tx, playerEntry(environment, actor, "update", externalId, { ...differences, reason: why }));
    return before;
  });
};
