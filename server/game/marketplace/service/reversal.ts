import microdiff from "microdiff";
import { entryIn } from "#server/model/audit-log/entry.ts";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { openLocked } from "#server/engine/apply.ts";
import { type Environment, type Actor, COMMAND_LINE } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { reasonFrom } from "#server/model/kernel/input-text.ts";
import { isUuid } from "#server/model/kernel/stored.ts";
import { transactionId } from "#server/model/marketplace/sale.ts";
import { findBuyer, returnUnit, reverse } from "../store/reversal.ts";

/**
 * Reverses a purchase once: it refunds the price that was paid, returns the unit to the stock of its round and frees the player's
 * allowance there. The audit log names the person and the reason. Items that are owed or were fulfilled stay. Returns the refund and
 * the balance. Throws OperatorError.
 */
export async function reversePurchase(
  database: Database,
  environment: Environment,
  purchaseId: string,
  reason: string,
  actor: Actor = COMMAND_LINE,
): Promise<{ refunded: number; balance: number }> {
  const why = reasonFrom(reason);
  const unknown = () => new OperatorError(`This environment has no purchase ${purchaseId}.`);
  const buyer = isUuid(purchaseId) ? await findBuyer(database.sql, environment.id, purchaseId) : null;
  if (buyer === null) throw unknown();
  const { externalId, ...key } = buyer;
  if (externalId === null)
    throw new OperatorError(`The purchase ${purchaseId} cannot be reversed: its player was erased, so nobody would get the points.`);
  return transact(database, async (tx) => {
    const { now } = await openLocked(tx, environment.id);
    const refundId = transactionId("Refund", key.playerId, purchaseId);
    const reversed = await reverse(tx, { ...key, environmentId: environment.id, purchaseId, refundId, reason: why, reversedAt: now });
    switch (reversed) {
      case "unknown":
        throw unknown();
      case "reversed before":
        throw new OperatorError(`The purchase ${purchaseId} was reversed before; nothing is refunded twice.`);
      case "balance too large":
        throw new OperatorError(
          `The purchase ${purchaseId} cannot be reversed: the balance would be more than ${Number.MAX_SAFE_INTEGER}.`,
        );
    }
    const difference = microdiff({}, { player: externalId, listing: reversed.listingKey, refund: reversed.price, reason: why });
    const subject = { subjectKind: "purchase", subjectKey: purchaseId.toLowerCase() };
    await recordChange(tx, entryIn(environment, actor, { action: "reverse", ...subject, difference }));
    await returnUnit(tx, reversed);
    return { refunded: reversed.price, balance: reversed.balance };
  });
}
