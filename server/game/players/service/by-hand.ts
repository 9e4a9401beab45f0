import { type Database, transact } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { openLocked } from "#server/engine/apply.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { noteFrom, reasonFrom } from "#server/model/kernel/input-text.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { lockProfile, type Profile, upsertPlayer } from "../store.ts";
import { beforeZone, playerEntry } from "./players.ts";
import { countChangesOfSubject } from "#server/people/audit-log/read.ts";
import { Problem } from "#server/model/kernel/problem.ts";
import { type Adjusted, adjustPointsIn, retryConflicts } from "../../points/service.ts";

interface ProfileChange extends Partial<Profile> {
  externalId: string;
  reason: string;
}

/**
 * Changes the given fields of a known player's profile, with an entry in the audit log. Returns the previous profile. Throws OperatorError.
 */
export const changeProfile = async (
  database: Database,
  environment: Environment,
  { externalId, reason, ...wanted }: ProfileChange,
  actor: Actor,
): Promise<Profile> => {
  const why = reasonFrom(reason);
  const key = playerKey(environment.id, externalId);
  await beforeZone(database, environment, externalId, wanted.timeZone);
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

const NOTE = "note";

/** The most notes about one player. */
const MAX_NOTES = 200;

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

interface HandAdjustment {
  externalId: string;
  /** A whole number other than 0. */
  amount: number;
  reason: string;
  /** The idempotency key of the click, a UUID. */
  requestId: string;
}

/** Credits or debits a player's points on behalf of a user, with an audit entry. Throws OperatorError. */
export async function adjustPointsByHand(
  database: Database,
  environment: Environment,
  { externalId, amount, reason, requestId }: HandAdjustment,
  actor: Actor,
): Promise<Adjusted> {
  const why = reasonFrom(reason);
  try {
    return await retryConflicts(() =>
      transact(
        database,
        async (tx) => {
          const { now } = await openLocked(tx, environment.id);
          const adjustment = { externalId, amount, reason: why, idempotencyKey: `dashboard ${requestId}` };
          const { isReplay, ...adjusted } = await adjustPointsIn(tx, environment, now, adjustment);
          const facts = { points: amount, balance: adjusted.balance, reason: why };
          if (!isReplay) await recordChange(tx, playerEntry(environment, actor, "adjust_points", externalId, facts));
          return adjusted;
        },
        1,
      ),
    );
  } catch (error) {
    if (error instanceof Problem) throw new OperatorError(error.message);
    throw error;
  }
}
