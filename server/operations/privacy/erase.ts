import microdiff from "microdiff";
import { entryIn } from "../../model/audit-log/entry.ts";
import { randomUUID } from "node:crypto";
import { type Database, transact } from "#db/client.ts";
import { keepSumsOf } from "../../insight/analytics/service/counting.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { lockExclusive, lockPlayersExclusive } from "../../engine/store/locks.ts";
import { type Environment, type Actor, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { reasonFrom } from "../../model/kernel/input-text.ts";
import { playerKey } from "../../model/players/identity.ts";
import { countErasure } from "../../people/projects/environments.ts";
import { forgetRequestsNaming } from "../../insight/request-log/service/purge.ts";
import * as store from "./store/erasing.ts";
import { withdrawHeldValues } from "../../game/leaderboards/service/hide.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

/** Rows written during an erasure may be dated this much earlier; process clocks differ by less. */
const LATELY_MS = 15 * 60_000;

/**
 * Erases a player: events, attributes, progress, streaks, current scores, deliveries and everything that names them are deleted; ledger,
 * purchases, completions and settled scores stay under a random owner, so that totals hold. Reusing the external id creates a new player.
 * All in one transaction that excludes other writers for the environment's players: running folds finish first, and of two erasures of one
 * player only one finds them. `erasedAt`: when a repeated erasure was first done, on the environment's clock. Throws OperatorError.
 */
export function erasePlayer(
  database: Database,
  environment: Environment,
  externalId: string,
  reason: string,
  actor: Actor = COMMAND_LINE,
  erasedAt?: number,
) {
  const why = reasonFrom(reason);
  const { id: environmentId, projectId } = environment;
  const erased = { ...playerKey(environmentId, externalId), environmentId, projectId, externalId };
  return transact(database, async (tx) => {
    const unknown = new OperatorError("There is no such player in this environment.");
    if (!(await store.isThere(tx, erased))) throw unknown;
    // The long scans of the request log and of unreadable lines come before the locks; rows written meanwhile are scanned under them.
    const began = Date.now();
    await forgetRequestsNaming(tx, environmentId, externalId, 0);
    const read = await store.importsRead(tx, erased);
    await store.deleteUnreadable(tx, erased);
    await lockPlayersExclusive(tx, environmentId);
    await lockExclusive(tx, environmentId);
    if (!(await store.isThere(tx, erased))) throw unknown;
    const board = await store.settlingBoardOf(tx, erased);
    if (board !== null)
      throw new OperatorError(`A period of the leaderboard ${board} that the player is in is being settled. Try again in a minute.`);
    const now = await environmentNow(tx, environment);
    await store.deleteDeliveries(tx, erased);
    await forgetRequestsNaming(tx, environmentId, externalId, began - LATELY_MS);
    await store.blankAuditLog(tx, erased);
    await keepSumsOf(tx, environment, erased);
    await withdrawHeldValues(tx, await definitionsOf(tx, (await loadEnvironment(tx, environmentId)) ?? environment), erased);
    await store.leaveOpenBoards(tx, erased);
    await store.makeAnonymous(tx, erased, randomUUID());
    await store.deleteRows(tx, erased);
    await store.deleteUnreadable(tx, erased, read);
    await store.insertErasure(tx, erased, erasedAt ?? now, actor.name);
    await countErasure(tx, environmentId);
    const subject = { subjectKind: "player", subjectKey: null };
    await recordChange(tx, entryIn(environment, actor, { action: "erase", ...subject, difference: microdiff({}, { reason: why }) }));
  });
}
