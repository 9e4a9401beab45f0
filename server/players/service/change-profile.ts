import { type Database, transact } from "../../../db/client.ts";
import { recordChange } from "../../audit-log/record.ts";
import { openLocked } from "../../engine/apply.ts";
import type { Environment } from "../../kernel/environment.ts";
import { OperatorError } from "../../kernel/operator-error.ts";
import { reasonFrom } from "../../kernel/reason.ts";
import type { Actor } from "../../kernel/roles.ts";
import { playerKey } from "../identity.ts";
import { lockProfile, savePlayer } from "../store.ts";
import { playerEntry } from "./player-entry.ts";

interface ProfileChange {
  externalId: string;
  displayName: string | null;
  /** IANA zone; null: the project's holds. */
  timeZone: string | null;
  reason: string;
}

/** Changes a known player's name and zone for a person, with its line in the audit log. Returns them as they were. Throws OperatorError. */
export const changeProfile = (
  database: Database,
  environment: Environment,
  { externalId, displayName, timeZone, reason }: ProfileChange,
  actor: Actor,
): Promise<{ displayName: string | null; timeZone: string | null }> => {
  const why = reasonFrom(reason);
  const key = playerKey(environment.id, externalId);
  return transact(database, async (tx) => {
    const { now } = await openLocked(tx, environment.id);
    const before = await lockProfile(tx, key);
    if (before === null) throw new OperatorError("This environment has never seen such a player.");
    const isRenamed = before.displayName !== displayName;
    const isMoved = before.timeZone !== timeZone;
    if (!isRenamed && !isMoved) return before;
    await savePlayer(tx, { ...key, environmentId: environment.id, externalId, createdAt: now }, { displayName, timeZone });
    const facts = {
      ...(isRenamed && { displayName: { before: before.displayName, after: displayName } }),
      ...(isMoved && { timeZone: { before: before.timeZone, after: timeZone } }),
      reason: why,
    };
    await recordChange(tx, playerEntry(environment, actor, "update", externalId, facts));
    return before;
  });
};
