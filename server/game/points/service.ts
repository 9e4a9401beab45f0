import { randomUUIDv7 } from "node:crypto";
import { type Database, type Sql, retryingConflicts } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type Problem, problem } from "../../model/kernel/problem.ts";
import { type PlayerKey, playerKey } from "../../model/players/identity.ts";
import { type AdjustmentRow, adjustBalance, selectTransactions } from "./store.ts";

export {
  type Balance,
  selectBalance as readBalance,
  selectBalances as readBalances,
  type TransactionRow,
  transactionsBelow,
  usedKeys,
} from "./store.ts";

export interface Adjustment {
  externalId: string;
  /** A whole number other than 0, within ±(2^53 − 1). */
  amount: number;
  reason: string;
  /** Null: repeating the request changes the balance again. */
  idempotencyKey: string | null;
}

export type Adjusted = Pick<AdjustmentRow, "transactionId" | "amount" | "reason" | "balance" | "occurredAt">;

/**
 * Credits or debits a balance by hand; `now` is on the environment's clock. A replayed key returns the
 * original with the current balance.
 * Problems: player.not_found, points.insufficient_balance, points_adjustment.amount_invalid (the balance would pass 2^53 − 1),
 * points_adjustment.idempotency_key_conflict, points.concurrent_update.
 */
export const adjustPoints = async ({ sql }: Database, environment: Environment, now: number, adjustment: Adjustment): Promise<Adjusted> => {
  const { isReplay: _, ...adjusted } = await retryConflicts(() => adjustPointsIn(sql, environment, now, adjustment));
  return adjusted;
};

/** One attempt of `adjustPoints`, also in the caller's transaction. `isReplay`: the key was used before, and nothing was changed. */
export async function adjustPointsIn(
  sql: Sql,
  environment: Environment,
  now: number,
  { externalId, ...rest }: Adjustment,
): Promise<Adjusted & { isReplay: boolean }> {
  const key = playerKey(environment.id, externalId);
  const row = await adjustBalance(sql, { ...key, ...rest, environmentId: environment.id, id: randomUUIDv7(), occurredAt: now });
  if (row.outcome !== "adjusted" && row.outcome !== "replayed") throw refusal(row.outcome);
  const { outcome, ...adjusted } = row;
  return { ...adjusted, isReplay: outcome === "replayed" };
}

/** Runs a change of a player's points, and retries it after a conflict. Problem: points.concurrent_update, when retries do not succeed. */
export const retryConflicts = <T>(run: () => Promise<T>): Promise<T> =>
  retryingConflicts(run, () =>
    problem(
      "points.concurrent_update",
      "Another change to the player's points or to the stock interfered. Nothing was changed; send the request again.",
    ),
  );

function refusal(outcome: Exclude<AdjustmentRow["outcome"], "adjusted" | "replayed">): Problem {
  switch (outcome) {
    case "player.not_found":
      return problem(outcome, "This environment has never seen the player.", { pointer: "#/playerId" });
    case "points.insufficient_balance":
      return problem(outcome, "The player's balance is too low for this adjustment.", { pointer: "#/amount" });
    case "points_adjustment.amount_invalid":
      return problem(outcome, "The balance would be more than 9007199254740991.", { pointer: "#/amount" });
    case "points_adjustment.idempotency_key_conflict":
      return problem(outcome, "The player's idempotency key was used by a purchase or by an adjustment of another amount.", {
        pointer: "#/idempotencyKey",
      });
  }
}

/** The points granted by missions and streaks among a player's latest `take` transactions, oldest first. */
export async function recentGrants(sql: Sql, key: PlayerKey, take: number): Promise<{ amount: number; at: number }[]> {
  const newest = await selectTransactions(sql, key, take);
  const ofRules = newest.filter(
    ({ type, sourceType }) => type === "Grant" && (sourceType === "Mission" || sourceType === "StreakMilestone"),
  );
  return ofRules.reverse().map(({ amount, occurredAt }) => ({ amount, at: occurredAt }));
}
