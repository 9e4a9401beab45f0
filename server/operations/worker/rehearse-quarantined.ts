import type { Database, Transaction } from "#db/client.ts";
import { isConflict, isTimeout, isUnavailable } from "#db/errors.ts";
import { applyFacts, openLocked } from "../../engine/apply.ts";
import { selectAside } from "../../engine/store/queue.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { withoutSecrets } from "../../model/kernel/secrets.ts";
import { faultInWords, foldInWords, withoutFrames } from "./fold-words.ts";
import { boundRehearsal, holdPlayers, tryRehearsal } from "./store/quarantine.ts";
import { lockPlayers } from "../../engine/store/players.ts";

/** What a retry would come to: what it changes, or the error. */
export type Rehearsal = { isApplied: true; changes: string[] } | { isApplied: false; words: string; error: string };

/** The longest that one statement of a rehearsal may take, and wait for a lock: a rehearsal must not be in the way of what counts. */
const BOUNDS = { statementMs: 4_000, lockMs: 1_000 };

/** Carries the result out of the transaction that it undoes. */
class Undone extends Error {
  readonly rehearsal: Rehearsal;

  constructor(rehearsal: Rehearsal) {
    super("A rehearsal is undone.");
    this.rehearsal = rehearsal;
  }
}

/**
 * Does with a quarantined fact what a retry would do, and undoes all of it: many a fact folds well and fails as its effects are written,
 * which only writing them shows. Facts that the queue holds for the player are not applied before it. An environment has one rehearsal at
 * a time: each holds locks that folds wait for. Throws OperatorError where it is not in quarantine, and while another goes on.
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
  if (fact === null) throw new OperatorError("This event is not in quarantine any more; somebody may have retried it.");
  const changes: string[] = [];
  try {
    await tx.savepoint(async (inner) => {
      const players = await lockPlayers(inner, [fact]);
      if (players.length === 0) throw new Error(`Player ${fact.playerId} is gone.`);
      const { part, playerId } = fact;
      await applyFacts(inner, locked, [{ part, playerId, facts: [fact] }], players, {
        onFold: (before, after, effects) => changes.push(...foldInWords(locked.definitions, defaultLanguage, before, after, effects)),
      });
    });
  } catch (error) {
    if (isUnavailable(error) || isConflict(error)) throw error;
    if (isTimeout(error)) throw new OperatorError("This takes too long to be tried. A retry has the time that it takes.");
    const text = withoutSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return { isApplied: false, words: faultInWords(text), error: withoutFrames(text) };
  }
  return { isApplied: true, changes };
}
