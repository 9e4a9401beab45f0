import { z } from "zod";
import { endpoint, unchecked } from "../api/contract.ts";

const eventItem = z
  .object({
    playerId: z.string().meta({ maxLength: 200, description: "Your own id of the player." }),
    event: z.string().meta({ description: "Key of an event that is defined and active in the environment." }),
    occurredAt: z.string().meta({ format: "date-time", description: "When it happened: RFC 3339 with an offset or Z." }),
    idempotencyKey: z.string().nullish().meta({
      maxLength: 200,
      description: "One per player and event: the same key again is answered with the first event's id. Blank counts as absent.",
    }),
    properties: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .nullish()
      .meta({ description: "Plain values by property key, as the event's definition has them." }),
  })
  .meta({ id: "EventItem" });

const itemResult = z
  .object({
    index: z.int(),
    accepted: z.boolean(),
    eventId: z.string().nullable().meta({ format: "uuid" }),
    errors: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({ id: "EventResult" });

/** api.md 4.1. Items are judged one by one, so the contract describes them and checks none. */
export const eventsContract = {
  send: endpoint({
    method: "POST",
    path: "/v1/events",
    operationId: "sendEvents",
    tag: "Events",
    summary: "Send events",
    description:
      "Takes up to 1,000 events. Items are independent: each is accepted or refused alone, so look at `rejected` even when the call answers 200. What follows from events is worked out asynchronously, usually within seconds.",
    textIsJudgedPerItem: true,
    refuses: ["event_batch.empty", "event_batch.too_large", "event_batch.concurrent_update"],
  })
    .input(
      z.object({
        events: z.array(unchecked(eventItem)).meta({
          examples: [
            [
              {
                playerId: "ann",
                event: "order_placed",
                occurredAt: "2026-01-31T09:00:00Z",
                idempotencyKey: "order-1001",
                properties: { amount: 12.5 },
              },
            ],
          ],
        }),
      }),
    )
    .output(z.object({ accepted: z.int(), rejected: z.int(), results: z.array(itemResult) })),
};
