import { type Database, transact } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { openLocked } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { Problem } from "#server/model/kernel/problem.ts";
import { reasonFrom } from "#server/model/kernel/input-text.ts";
import type { Actor } from "#server/model/kernel/roles.ts";
import { type Adjusted, adjustPointsIn, retryConflicts } from "../../points/service.ts";
import { playerEntry } from "./players.ts";

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
