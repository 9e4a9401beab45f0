import { z } from "zod";
import {
  endpoint,
  fieldCodes,
  integer,
  optionalText,
  playerId,
  requiredText,
  sourceType,
  Take,
  timestamp,
  uuid,
} from "../../model/contract/v1.ts";

const points = z.int();

const transaction = z
  .object({
    id: uuid,
    type: z.enum(["Grant", "Spend", "Adjustment", "Refund"]).meta({
      description: "`Grant`: a reward; `Spend`: a purchase; `Adjustment`: a credit or debit by hand; `Refund`: a reversed purchase.",
    }),
    amount: points.meta({ description: "The signed change of the balance: the amounts of a player sum to it.", examples: [200] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: "The reason given for an adjustment or a refund.", examples: [null] }),
    sourceType: sourceType.nullable().meta({ description: "What the points were granted or spent for; null on an adjustment." }),
    sourceId: uuid.nullable().meta({ description: "The id of the mission's occurrence, the purchase, …; null on an adjustment." }),
    occurredAtUtc: timestamp,
  })
  .meta({ id: "PointsTransaction" });

const amount = integer
  .refine((value) => value !== 0, "must not be 0.")
  .meta({
    type: "integer",
    description: "Points to add, or to take away where negative; not 0, and within ±9007199254740991.",
    examples: [50],
  })
  .register(fieldCodes, { invalid: "points_adjustment.amount_invalid" });

const reason = requiredText(
  500,
  { missing: "points_adjustment.reason_missing", tooLong: "points_adjustment.reason_too_long" },
  { description: "Why the balance is changed, at most 500 characters.", examples: ["A spilled cappuccino"] },
);

const idempotencyKey = optionalText(
  200,
  { tooLong: "points_adjustment.idempotency_key_too_long" },
  {
    description:
      "Unique for the player among adjustments and purchases. A request that is sent again with its key is answered without being applied again. Blank counts as absent.",
    examples: ["complaint-77"],
  },
);

export const pointsContract = {
  balance: endpoint({
    method: "GET",
    path: "/v1/points",
    operationId: "getPoints",
    tag: "Points",
    summary: "Read a player's balance",
    description: "An unknown player has zero points, and is not created.",
    answers: "The balance as it stands.",
  })
    .input(z.object({ PlayerId: playerId }))
    .output(
      z
        .object({
          balance: points.meta({ examples: [250] }),
          totalGranted: points.meta({ description: "Sum of all grants; adjustments are not in it.", examples: [200] }),
          totalSpent: points.meta({ description: "Sum of all spending less refunds, positive; adjustments are not in it.", examples: [0] }),
        })
        .meta({ id: "Points" }),
    ),

  adjust: endpoint({
    method: "POST",
    path: "/v1/points/adjustments",
    operationId: "adjustPoints",
    tag: "Points",
    summary: "Credit or debit a player's points by hand",
    description:
      "Moves the balance and nothing else, with a recorded reason. It can create points out of nothing; it is not how a purchase is refunded. Without an `idempotencyKey` the same request again moves the balance again.",
    answers: "The adjustment; for a replayed key, the original one.",
    refuses: ["player.not_found", "points.insufficient_balance", "points_adjustment.idempotency_key_conflict", "points.concurrent_update"],
  })
    .input(z.object({ playerId, amount, reason, idempotencyKey }))
    .output(
      z
        .object({
          transactionId: uuid,
          amount: points.meta({ examples: [50] }),
          reason: z.string().meta({ examples: ["A spilled cappuccino"] }),
          balance: points.meta({ description: "As it stands now, also when the request is a replay.", examples: [250] }),
          occurredAtUtc: timestamp,
        })
        .meta({ id: "PointsAdjustment" }),
    ),

  transactions: endpoint({
    method: "GET",
    path: "/v1/points/transactions",
    operationId: "listPointsTransactions",
    tag: "Points",
    summary: "Read a player's transactions, newest first",
    description: "Without `Take` the whole history is returned; a `Take` is advised.",
    answers: "Transactions, newest first.",
  })
    .input(z.object({ PlayerId: playerId, Take }))
    .output(z.array(transaction)),
};
