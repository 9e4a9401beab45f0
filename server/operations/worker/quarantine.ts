import microdiff from "microdiff";
import { entryIn } from "../../model/audit-log/entry.ts";
import { type Database, type Transaction, transact, isConflict, isTimeout, isUnavailable } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { boundRehearsal, requeueFacts, tryRehearsal } from "./store.ts";
import { savepoint } from "#db/scale/parts.ts";
import { applyFacts, openLocked } from "../../engine/apply.ts";
import { holdPlayers } from "../../engine/store/locks.ts";
import { selectAside } from "../../engine/store/queue.ts";
import { withoutSecrets } from "../../model/kernel/secrets.ts";
import { faultInWords, foldInWords, withoutFrames } from "./fold-words.ts";
import { lockPlayers } from "../../engine/store/players.ts";

/**
 * Requeues quarantined facts at their positions: these, or all of them (null). Facts that fail again return with the new error. Returns the
 * number. Throws OperatorError if there are none.
 */
export const retryQuarantined = (database: Database, environment: Environment, seqs: readonly number[] | null, actor: Actor) =>
  transact(database, async (tx) => {
    const count = await requeueFacts(tx, environment.id, seqs);
    if (count === 0) throw new OperatorError("There is nothing to retry; another user may have done so already.");
    const subject = { subjectKind: "quarantinedFact", subjectKey: seqs?.length === 1 ? String(seqs[0]) : null };
    const difference = microdiff({ quarantined: count }, {});
    await recordChange(tx, entryIn(environment, actor, { action: "retry", ...subject, difference }));
    return count;
  });

/** The outcome of a retry: its changes, or its error. */
export type Rehearsal = { isApplied: true; changes: string[] } | { isApplied: false; words: string; error: string };

/** Limits for a statement of a rehearsal and its waits for locks, so that it does not delay real work. */
const BOUNDS = { statementMs: 4_000, lockMs: 1_000 };

/** Carries the result out of the rolled-back transaction. */
class Undone extends Error {
  readonly rehearsal: Rehearsal;

  constructor(rehearsal: Rehearsal) {
    super("A rehearsal is undone.");
    this.rehearsal = rehearsal;
  }
}

/**
 * Retries a quarantined fact and rolls everything back: many facts fold well and fail only when their effects are written. The player's
 * queued facts are not applied first. One rehearsal at a time per environment, as each holds locks that folds wait for. Throws
 * OperatorError if the fact is not in quarantine, or another rehearsal is running.
 */
export async function rehearseQuarantined({ sql }: Database, environment: Environment, seq: number): Promise<Rehearsal> {
  try {
    await sql.begin(async (tx) => {
      throw new Undone(await rehearse(tx, environment, seq));
    });
  } catch (error) {
    if (error instanceof Undone) return error.rehearsal;
    throw error;
  }
  throw new Error("A rehearsal was not undone.");
}

async function rehearse(tx: Transaction, { id, defaultLanguage }: Environment, seq: number): Promise<Rehearsal> {
  await boundRehearsal(tx, BOUNDS);
  if (!(await tryRehearsal(tx, id))) throw new OperatorError("Another event is being tried at this moment. Try again in a few seconds.");
  await holdPlayers(tx, id);
  const locked = await openLocked(tx, id);
  const fact = await selectAside(tx, id, seq);
  if (fact === null) throw new OperatorError("This event is no longer in quarantine; another user may have retried it.");
  const changes: string[] = [];
  try {
    await savepoint(tx, async (inner) => {
      const players = await lockPlayers(inner, [fact]);
      if (players.length === 0) throw new Error(`Player ${fact.playerId} is gone.`);
      const { part, playerId } = fact;
      await applyFacts(inner, locked, [{ part, playerId, facts: [fact] }], players, {
        onFold: (before, after, effects) => changes.push(...foldInWords(locked.definitions, defaultLanguage, before, after, effects)),
      });
    });
  } catch (error) {
    if (isUnavailable(error) || isConflict(error)) throw error;
    if (isTimeout(error)) throw new OperatorError("This takes too long to try. A retry has no time limit.");
    const text = withoutSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return { isApplied: false, words: faultInWords(text), error: withoutFrames(text) };
  }
  return { isApplied: true, changes };
}
