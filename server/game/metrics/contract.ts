import { z } from "zod";
import { decimal, endpoint, type FieldCodes, fieldCodes, optionalText, requiredText, timestamp, uuid } from "../../model/contract/v1.ts";
import { compareNumbers, numberFits } from "../../model/kernel/decimal.ts";
import { memberNames } from "../../model/kernel/json-reader.ts";
import { isTimeZone, parseInstant } from "../../model/kernel/time.ts";
import { isJsonObject, isNumeric } from "../../model/kernel/values.ts";
import { MAX_LIST } from "../../model/rules/shapes.ts";

/** The player id of the endpoints that take metric events and attribute events in. */
export const externalPlayerId = requiredText(
  200,
  { missing: "player.external_id_missing", tooLong: "player.external_id_too_long" },
  { description: "Your own id for the player, at most 200 characters.", examples: ["ann"] },
);

/** When it happened: RFC 3339, as epoch milliseconds. */
export const occurredAtUtc = (codes: FieldCodes = {}) =>
  z
    .string()
    .transform((text, context) => {
      const instant = parseInstant(text);
      if (instant !== null) return instant;
      context.addIssue({ code: "custom", message: "must be an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z." });
      return z.NEVER;
    })
    .meta({
      format: "date-time",
      description: "When it happened, not when it is sent; at most 24 hours ahead of the clock.",
      examples: ["2026-01-31T09:00:00Z"],
    })
    .register(fieldCodes, codes);

export const playerTimeZoneId = z
  .string()
  .refine(isTimeZone, "must be an IANA time zone such as Europe/Amsterdam.")
  .nullish()
  .meta({ description: "IANA time zone of the player's days from now on.", examples: ["Europe/Amsterdam"] });

const number = z.custom<z.infer<typeof decimal>>(isNumeric, "must be a number.").meta({ type: "number" });

const currencyCode = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "must have three letters, such as EUR.")
  .nullish()
  .meta({ minLength: 3, maxLength: 3, description: "Required for a metric of money, refused on any other.", examples: ["EUR"] });

const RATE = "must be a number above 0 with at most 20 digits before the decimal point and 8 after it.";

const exchangeRate = z
  .custom<z.infer<typeof decimal>>((rate) => isNumeric(rate) && numberFits(rate) && compareNumbers(rate, 0) > 0, RATE)
  .meta({
    type: "number",
    exclusiveMinimum: 0,
    description: "Units of the base currency that one unit is; overrides the stored rate.",
    examples: [0.92],
  })
  .nullish();

/** Checks only as many members as a metric can have properties. */
const holdsPlainValues = (members: Record<string, unknown>): boolean =>
  memberNames(members)
    .slice(0, MAX_LIST)
    .every((name) => !Array.isArray(members[name]) && !isJsonObject(members[name]));

const properties = z
  .custom<Record<string, unknown>>((given) => isJsonObject(given) && holdsPlainValues(given), "must be an object of plain values.")
  .meta({
    type: "object",
    additionalProperties: { type: ["string", "number", "boolean", "null"] },
    description: "Plain values by property key, as the metric's definition has them.",
    examples: [{ channel: "app" }],
  })
  .nullish();

export const metricsContract = {
  send: endpoint({
    method: "POST",
    path: "/v1/metric-events",
    operationId: "sendMetricEvent",
    tag: "Metrics",
    summary: "Add to a metric of a player",
    description:
      "Records something that happened and adds its value to the player's running total. Amounts of money are kept as sent and added in the environment's base currency. A retry with the same idempotencyKey is answered with the original event.",
    answers: "The metric event, and the player's total with it.",
    confirmsKey: true,
    refuses: [
      "metric.not_found",
      "metric.inactive",
      "metric.currency_code_required",
      "metric.currency_code_not_allowed",
      "metric.exchange_rate_not_found",
      "metric.value_out_of_range",
      "metric.unknown_property",
      "metric.property_type_mismatch",
      "event_batch.concurrent_update",
    ],
  })
    .input(
      z.object({
        externalPlayerId,
        metricKey: z
          .string()
          .min(1)
          .meta({ examples: ["spend"] }),
        value: number.meta({ examples: [12.5] }),
        currencyCode,
        exchangeRate,
        idempotencyKey: optionalText(
          200,
          { tooLong: "metric.idempotency_key_too_long" },
          {
            description: "One per player and metric: the same key again is answered with the first event. Blank counts as absent.",
            examples: ["order-1001"],
          },
        ),
        occurredAtUtc: occurredAtUtc(),
        properties,
        playerTimeZoneId,
      }),
    )
    .output(
      z
        .object({
          eventId: uuid,
          metricKey: z.string().meta({ examples: ["spend"] }),
          value: decimal.meta({ examples: [12.5] }),
          currencyCode: z
            .string()
            .nullable()
            .meta({ examples: ["USD"] }),
          exchangeRate: decimal.nullable().meta({ examples: [0.92] }),
          normalizedValue: decimal.meta({
            description: "The value to add; in the base currency if the metric is one of money.",
            examples: [11.5],
          }),
          total: decimal.meta({ description: "The player's running total as it stands.", examples: [245.75] }),
          occurredAtUtc: timestamp,
          receivedAtUtc: timestamp,
        })
        .meta({ id: "MetricEvent" }),
    ),
};
