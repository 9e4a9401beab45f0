import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText, problems } from "../api/contract.dashboard.ts";

const endpoint = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  createdAt: instantText,
  isOn: z.boolean(),
  /** The person who switched it off, or the reason why the service did. */
  offReason: z.string().nullable(),
  /** Since when every attempt has failed. */
  failingSince: instantText.nullable(),
  /** Until when the secret before the last rotation signs along. */
  previousSecretUntil: instantText.nullable(),
  /** Why nothing can be signed for it, and what to do; null where its secret can be read. */
  secretProblem: z.string().nullable(),
  /** Deliveries that are to be sent; a thousand is as far as it is counted. None while it is off. */
  waiting: z.int(),
  /** Deliveries that are held until it is switched on again; counted likewise. None while it is on. */
  held: z.int(),
});

/** `Held`: the endpoint is switched off; it goes out when that is on again. */
const deliveryStatus = z.enum(["Pending", "Held", "Delivered", "Failed"]);

const delivery = z.object({
  id: z.string(),
  event: z.string(),
  status: deliveryStatus,
  attempts: z.int(),
  createdAt: instantText,
  /** The next attempt of a pending one. */
  nextAttemptAt: instantText.nullable(),
  isUnderWay: z.boolean(),
  /** The last attempt's answer, or the cause why none came. */
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  /** Why a failed one was given up, where neither its receiver nor the schedule decided. */
  givenUp: z.enum(["Discarded", "HeldTooLong"]).nullable(),
});

const attempt = z.object({
  number: z.int(),
  startedAt: instantText,
  durationMs: z.int(),
  responseStatus: z.int().nullable(),
  error: z.string().nullable(),
  /** The meaning of it, and the remedy where it failed. */
  words: z.string(),
});

/** A few more than there are events, so that a mistake in each is reported. */
const MOST_EVENTS = 50;

const wanted = inEnvironment.extend({ url: z.string(), events: z.array(z.string()).max(MOST_EVENTS) });
const one = inEnvironment.extend({ id: z.uuid() });
const oneDelivery = one.extend({ deliveryId: z.uuid() });

/** Webhook endpoints and their deliveries. Every member sees them, without secrets; Admins manage them. */
export const webhooksDashboard = {
  /** Oldest first; with the events there are, of which the exclusive one goes to one endpoint alone. */
  list: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        endpoints: z.array(endpoint),
        events: z.array(z.object({ event: z.string(), summary: z.string(), isExclusive: z.boolean() })),
      }),
    ),
  /** The secret is shown this once. Where `isResolved` is false nobody knows the host name yet. */
  create: forEnvironment("Admin")
    .input(wanted)
    .output(z.union([z.object({ id: z.string(), secret: z.string(), isResolved: z.boolean() }), z.object({ problems })])),
  edit: forEnvironment("Admin")
    .input(wanted.extend({ id: z.uuid() }))
    .output(z.union([z.object({ isResolved: z.boolean() }), z.object({ problems })])),
  /** Off: what is to be sent is held. On again: that goes out, the oldest first. */
  switch: forEnvironment("Admin")
    .input(one.extend({ isOn: z.boolean() }))
    .output(z.void()),
  /** Discards what is held for an endpoint that is switched off. */
  discardHeld: forEnvironment("Support")
    .input(one)
    .output(z.object({ discarded: z.int() })),
  /** The secret is shown this once; for 24 hours the one before signs along. */
  rotateSecret: forEnvironment("Admin")
    .input(one)
    .output(z.object({ secret: z.string() })),
  delete: forEnvironment("Admin").input(one).output(z.void()),
  /** Posts a signed `ping` now; what the endpoint answered. */
  ping: forEnvironment("Admin")
    .input(one)
    .output(
      z.object({
        isAccepted: z.boolean(),
        words: z.string(),
        status: z.int().nullable(),
        durationMs: z.int(),
        /** The begin of the answer's body. */
        excerpt: z.string(),
      }),
    ),
  /** The newest first. */
  deliveries: forEnvironment("Viewer")
    .input(one.extend({ status: deliveryStatus.nullable().default(null), cursor, take: z.int().min(1).max(100).default(25) }))
    .output(z.object({ deliveries: z.array(delivery), next: z.string().nullable() })),
  delivery: forEnvironment("Viewer")
    .input(oneDelivery)
    .output(
      delivery.extend({
        body: z.string(),
        attemptsMade: z.array(attempt),
        /** Why nobody may send it again by hand; null where people may. */
        resendProblem: z.string().nullable(),
      }),
    ),
  /** Sends a delivery once more, at once, whatever its status; only for events that allow it. */
  retry: forEnvironment("Support").input(oneDelivery).output(z.void()),
};
