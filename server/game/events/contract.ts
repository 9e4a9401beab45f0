import { z } from "zod";
import { count, descriptions, endpoint, uuid } from "../../model/contract/v1.ts";
import { ERRORS } from "../../model/kernel/errors.ts";

const eventItem = z
  .object({
    playerId: z.string().meta({
      minLength: 1,
      maxLength: 200,
      description: "Your own id for the player, at most 200 characters.",
      examples: ["customer-1042"],
    }),
    event: z
      .string()
      .meta({ minLength: 1, description: "Key of an event that is defined and active in the environment.", examples: ["order_placed"] }),
    occurredAt: z.string().meta({
      format: "date-time",
      description: "When it happened: RFC 3339 with an offset or Z, at most 24 hours ahead of the clock.",
      examples: ["2026-01-31T09:00:00Z"],
    }),
    idempotencyKey: z
      .string()
      .meta({
        maxLength: 200,
        description: "One per player and event: the same key again is answered with the first event's id. Blank counts as absent.",
        examples: ["order-1001"],
      })
      .nullish(),
    properties: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({
        description: "Plain values by property key, as the event's definition has them; null counts as absent. Dates are RFC 3339 strings.",
        examples: [{ amount: 12.5, drink: "flat_white", takeaway: true }],
      })
      .nullish(),
  })
  .meta({ id: "EventItem" });

/** The codes that an item can be refused with. */
const ITEM_CODES = Object.entries(ERRORS).filter(([code, { status }]) => status === 200 || code.startsWith("player.external_id_"));

const itemError = z
  .object({
    code: z.string().meta({
      description: ITEM_CODES.map(([code, { meaning }]) => `\`${code}\`: ${meaning}`).join("\n\n"),
      enum: ITEM_CODES.map(([code]) => code),
    }),
    message: z.string().meta({
      description: "For people; it may change.",
      examples: ['There is no event "order_palced" in this environment. Did you mean "order_placed"?'],
    }),
  })
  .meta({ id: "EventError" });

const itemResult = z
  .object({
    index: count.meta({ description: "Place of the item in the batch; counts from 0.", examples: [0] }),
    accepted: z.boolean().meta({ examples: [true] }),
    eventId: uuid.nullable().meta({ description: "Null if the item was refused." }),
    errors: z.array(itemError).meta({ description: "Every problem of the item; empty if it was accepted.", examples: [[]] }),
  })
  .meta({ id: "EventResult" });

/** The service validates items one by one, so the contract only describes them. */
export const eventsContract = {
  send: endpoint({
    method: "POST",
    path: "/v1/events",
    operationId: "sendEvents",
    tag: "Events",
    summary: "Send events",
    description:
      "Takes up to 1,000 events. Items are independent: each is accepted or refused alone, so look at `rejected` even when the call answers 200. When a batch is sent again, items with an `idempotencyKey` are not applied twice. The effects of events follow asynchronously, usually within seconds.",
    answers: "The result for each item, in the order sent.",
    textIsJudgedPerItem: true,
    confirmsKey: true,
    refuses: ["event_batch.empty", "event_batch.too_large", "event_batch.concurrent_update"],
  })
    .input(
      z.object({
        events: z.custom<unknown[]>(Array.isArray, "must be a list.").register(descriptions, {
          shape: z.array(eventItem).meta({ minItems: 1, maxItems: 1_000, description: "One event is a batch of one." }),
        }),
      }),
    )
    .output(
      z
        .object({
          accepted: count.meta({ description: "The number of accepted items.", examples: [1] }),
          rejected: count.meta({ description: "The number of refused items.", examples: [0] }),
          results: z.array(itemResult).meta({ description: "One for each item, in the order sent." }),
        })
        .meta({ id: "EventBatchResult" }),
    ),
};
