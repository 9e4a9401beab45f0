import { type Database, transact } from "#db/client.ts";
import { countChangesOfSubject } from "#server/people/audit-log/read.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { openLocked } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { noteFrom } from "#server/model/kernel/input-text.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { lockProfile } from "../store.ts";
import { playerEntry } from "./players.ts";

const NOTE = "note";

/** The most notes about one player. */
export const MAX_NOTES = 200;

/**
 * Writes a note about a player, as an entry of the audit log. It is shown in the player's timeline, and an erasure deletes its text. Throws
 * OperatorError.
 */
export const writeNote = (database: Database, environment: Environment, externalId: string, text: string, actor: Actor): Promise<void> => {
  const note = noteFrom(text);
  return transact(database, async (tx) => {
    await openLocked(tx, environment.id);
    // Locked, so that an erasure comes before or after the note.
    if ((await lockProfile(tx, playerKey(environment.id, externalId))) === null)
      throw new OperatorError("There is no such player in this environment.");
    if ((await countChangesOfSubject(tx, environment, "player", externalId, NOTE)) >= MAX_NOTES)
      throw new OperatorError(`A player has at most ${MAX_NOTES} notes.`);
    await recordChange(tx, playerEntry(environment, actor, NOTE, externalId, { reason: note }));
  });
};
