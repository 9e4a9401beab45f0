import { z } from "zod";
import { count, decimal, sourceType, timestamp, uuid } from "../contract/v1.ts";

/** A webhook as the API reference shows it. */
export interface DescribedWebhook {
  operationId: string;
  summary: string;
  description: string;
  body: z.ZodType;
}

const playerExternalId = z.string().meta({ description: "Your own id for the player.", examples: ["customer-1042"] });

/** Ids of sources are derived from the player's external id, which a new player may have. Ids of deliveries are always new. */
const REPEATS = "May repeat for a new player of the same id after an erasure or a Sandbox reset: count by `deliveryId`.";

const envelope = (event: string, data: z.ZodType) =>
  z.object({
    version: z.literal(1),
    event: z.literal(event),
    deliveryId: uuid.meta({ description: "The same on every attempt: recognise repeated deliveries by it." }),
    occurredAtUtc: timestamp,
    data,
  });

const missionCompleted = z
  .object({
    playerExternalId,
    missionKey: z.string().meta({ examples: ["coffee_lover"] }),
    occurrenceId: uuid.meta({ description: `What was completed. ${REPEATS}` }),
    occurrenceNumber: count.meta({ description: "Counts from 0; always 0 for a mission that does not repeat.", examples: [0] }),
    completedAtUtc: timestamp,
  })
  .meta({ id: "MissionCompleted" });

const owedItem = (valueType: string, value: z.ZodType) =>
  z.object({
    playerExternalId,
    catalogItemKey: z.string().meta({ description: "What to hand over.", examples: ["free_coffee"] }),
    valueType: z.literal(valueType),
    value,
    sourceType: sourceType.meta({ description: "What the item was earned with." }),
    sourceId: uuid.meta({ description: `The id of the mission's occurrence, the purchase, …; items earned together share it. ${REPEATS}` }),
  });

const fulfillmentRequested = z
  .union([
    owedItem("Number", decimal.meta({ description: "The quantity.", examples: [2] })),
    owedItem("String", z.string()),
    owedItem("Boolean", z.boolean()),
    owedItem("DateTime", timestamp),
    owedItem("Collection", z.array(z.union([z.string(), decimal, z.boolean()]))),
  ])
  .meta({ id: "FulfillmentRequested" });

const milestoneReached = z
  .object({
    playerExternalId,
    streakKey: z.string().meta({ examples: ["daily_coffee"] }),
    milestone: count.meta({ description: "The length that was reached.", examples: [7] }),
    currentLength: count.meta({
      description: "The length of the run; longer than the milestone where late events joined runs.",
      examples: [7],
    }),
    reachedAtUtc: timestamp,
  })
  .meta({ id: "MilestoneReached" });

const periodClosed = z
  .object({
    leaderboardKey: z.string().meta({ examples: ["top_spenders"] }),
    periodNumber: count.meta({ description: "Counts from 0, the period in which the leaderboard was made.", examples: [4] }),
    startsAtUtc: timestamp,
    endsAtUtc: timestamp,
    participants: count.meta({ description: "How many players, or teams, had a score.", examples: [350] }),
    settledAtUtc: timestamp,
  })
  .meta({ id: "PeriodClosed" });

/** Every event that an endpoint can subscribe to, with its payload. */
export const webhooksContract = {
  "mission.completed": {
    operationId: "missionCompleted",
    summary: "A player completed a mission",
    description: "Goes to every endpoint that subscribes to it. Carries no amounts.",
    body: envelope("mission.completed", missionCompleted).meta({ id: "MissionCompletedWebhook" }),
  },
  "catalog_item.fulfillment_requested": {
    operationId: "fulfillmentRequested",
    summary: "Hand a catalog item over to a player",
    description:
      "One for each catalog item that a player has earned or bought; it goes to one endpoint of the environment. Switch on `valueType`.",
    body: envelope("catalog_item.fulfillment_requested", fulfillmentRequested).meta({ id: "FulfillmentRequestedWebhook" }),
  },
  "streak.milestone_reached": {
    operationId: "milestoneReached",
    summary: "A player's streak reached a milestone",
    description: "Goes to every endpoint that subscribes to it; once for each milestone of a run.",
    body: envelope("streak.milestone_reached", milestoneReached).meta({ id: "MilestoneReachedWebhook" }),
  },
  "leaderboard.period_closed": {
    operationId: "periodClosed",
    summary: "A period of a leaderboard was settled",
    description: "Goes to every endpoint that subscribes to it, once ranks are final and prizes are granted.",
    body: envelope("leaderboard.period_closed", periodClosed).meta({ id: "PeriodClosedWebhook" }),
  },
} satisfies Record<string, DescribedWebhook>;

export type WebhookEvent = keyof typeof webhooksContract;

/** The headers of every delivery. */
export const webhookHeaders = (event: string) =>
  z.object({
    "webhook-id": uuid.meta({ description: "The `deliveryId`." }),
    "webhook-timestamp": z.string().meta({ description: "When the attempt was made, in seconds since 1970.", examples: ["1769850000"] }),
    "webhook-signature": z.string().meta({
      description:
        "`v1,` and the base64 HMAC-SHA256 over `webhook-id.webhook-timestamp.body`, by the base64 part of the endpoint's `whsec_` secret. For 24 hours after a rotation there are two, separated by a space.",
      examples: ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="],
    }),
    "X-Service-Event": z.literal(event).meta({ description: "The name of the event." }),
    "X-Service-Delivery": uuid.meta({ description: "The `deliveryId`." }),
  });
