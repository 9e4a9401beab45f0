import { z } from "zod";
import { endpoint, fieldCodes, integer, optionalText, playerId, requiredText, Take, timestamp, uuid } from "../api/contract.ts";

const points = z.int();

const transaction = z
  .object({
    id: uuid,
    type: z.enum(["Grant", "Spend", "Adjustment", "Refund"]),
    amount: points.meta({ description: "The signed change of the balance." }),
    reason: z.string().nullable().meta({ description: "Of an adjustment: the reason given." }),
    sourceType: z
      .string()
      .nullable()
      .meta({ description: "What the points were granted or spent for; null on an adjustment.", examples: ["Mission"] }),
    sourceId: uuid.nullable(),
    occurredAtUtc: timestamp,
  })
  .meta({ id: "PointsTransaction" });

const amount = integer
  .refine((value) => value !== 0, "must not be 0.")
  .meta({ type: "integer", description: "Points to add, or to take away where negative; not 0." })
  .register(fieldCodes, { invalid: "points_adjustment.amount_invalid" });

const reason = requiredText(
  500,
  { missing: "points_adjustment.reason_missing", tooLong: "points_adjustment.reason_too_long" },
  "Why the balance is changed.",
);

const idempotencyKey = optionalText(
  200,
  { tooLong: "points_adjustment.idempotency_key_too_long" },
  "A key of the player's, shared by adjustments and purchases: the same request again is answered without being applied again. Blank counts as absent.",
);

export const pointsContract = {
  /** api.md 4.9. */
  balance: endpoint({
    method: "GET",
    path: "/v1/points",
    operationId: "getPoints",
    tag: "Points",
    summary: "Read a player's balance",
    description: "An unknown player has zero points.",
  })
    .input(z.object({ PlayerId: playerId }))
    .output(
      z
        .object({
          balance: points,
          totalGranted: points.meta({ description: "Sum of all grants; adjustments are not in it." }),
          totalSpent: points.meta({ description: "Sum of all spending less refunds; adjustments are not in it." }),
        })
        .meta({ id: "Points" }),
    ),

  /** api.md 4.10. */
  adjust: endpoint({
    method: "POST",
    path: "/v1/points/adjustments",
    operationId: "adjustPoints",
    tag: "Points",
    summary: "Credit or debit a player's points by hand",
    refuses: ["player.not_found", "points.insufficient_balance", "points_adjustment.idempotency_key_conflict", "points.concurrent_update"],
  })
    .input(z.object({ playerId, amount, reason, idempotencyKey }))
    .output(
      z
        .object({
          transactionId: uuid,
          amount: points,
          reason: z.string(),
          balance: points.meta({ description: "As it stands now, also when the request is a replay." }),
          occurredAtUtc: timestamp,
        })
        .meta({ id: "PointsAdjustment" }),
    ),

  /** api.md 4.11. */
  transactions: endpoint({
    method: "GET",
    path: "/v1/points/transactions",
    operationId: "listPointsTransactions",
    tag: "Points",
    summary: "Read a player's transactions, newest first",
    description: "Without `Take` the whole history is returned; a `Take` is advised.",
  })
    .input(z.object({ PlayerId: playerId, Take }))
    .output(z.array(transaction)),
};
