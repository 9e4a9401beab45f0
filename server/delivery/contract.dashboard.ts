import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText, problems } from "../model/contract/rpc.ts";

const endpoint = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  createdAt: instantText,
  isOn: z.boolean(),
  /** Who switched it off, or why the service did. */
  offReason: z.string().nullable(),
  /** Since when every attempt has failed. */
  failingSince: instantText.nullable(),
  /** Until when the previous secret also signs. */
  previousSecretUntil: instantText.nullable(),
  /** Why its deliveries cannot be signed, and the remedy; null if its secret is readable. */
  secretProblem: z.string().nullable(),
  /** Pending deliveries, counted up to a thousand. 0 while it is off. */
  waiting: z.int(),
  /** Deliveries held until it is switched on again, counted likewise. 0 while it is on. */
  held: z.int(),
});

/** `Held`: the endpoint is switched off; the delivery is sent when it is on again. */
const deliveryStatus = z.enum(["Pending", "Held", "Delivered", "Failed"]);

const delivery = z.object({
  id: z.string(),
  endpointId: z.string(),
  url: z.string(),
  isEndpointOn: z.boolean(),
  event: z.string(),
  /** The player's external id; null if it is not about a player. */
  player: z.string().nullable(),
  status: deliveryStatus,
  attempts: z.int(),
  createdAt: instantText,
  /** The next attempt of a pending delivery. */
  nextAttemptAt: instantText.nullable(),
  isUnderWay: z.boolean(),
  /** The last attempt's response, or why there was none. */
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  /** Why a failed delivery was given up, unless its receiver or the schedule decided. */
  givenUp: z.enum(["Discarded", "HeldTooLong"]).nullable(),
});

const attempt = z.object({
  number: z.int(),
  startedAt: instantText,
  durationMs: z.int(),
  responseStatus: z.int().nullable(),
  error: z.string().nullable(),
  /** The meaning of the result, and the remedy if it failed. */
  words: z.string(),
  /** The headers that were sent, without the signature, which is not stored. */
  requestHeaders: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Whether the beginning of its response is stored. */
  hasAnswer: z.boolean(),
});

/** An hour in which an endpoint had attempts. */
const hour = z.object({
  /** Its beginning. */
  at: instantText,
  succeeded: z.int(),
  failed: z.int(),
  /** Latency percentiles in milliseconds, within a factor of the square root of two. */
  p50: z.number(),
  p95: z.number(),
});

/** Slightly more than there are events, so that a mistake in each can be reported. */
const MAX_EVENTS = 50;

const wanted = inEnvironment.extend({ url: z.string(), events: z.array(z.string().max(100)).max(MAX_EVENTS) });
const one = inEnvironment.extend({ id: z.uuid() });
const oneDelivery = one.extend({ deliveryId: z.uuid() });
/** The deliveries of one endpoint, or of all (null), whose last attempt failed from `since` to `until` (null: now). */
const failures = inEnvironment.extend({ id: z.uuid().nullable(), since: instantText, until: instantText.nullable().default(null) });

/** Webhook endpoints and their deliveries. Every member sees them, without secrets; Admins manage endpoints, Editors deliveries. */
export const webhooksDashboard = {
  /** Oldest first; with the available events, of which the exclusive one can have one endpoint only. */
  list: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        endpoints: z.array(endpoint),
        events: z.array(z.object({ event: z.string(), summary: z.string(), isExclusive: z.boolean() })),
      }),
    ),
  /** The secret is shown once. `isResolved` is false if the host name is unknown so far. */
  create: forEnvironment("Admin")
    .input(wanted)
    .output(z.union([z.object({ id: z.string(), secret: z.string(), isResolved: z.boolean() }), z.object({ problems })])),
  edit: forEnvironment("Admin")
    .input(wanted.extend({ id: z.uuid() }))
    .output(z.union([z.object({ isResolved: z.boolean() }), z.object({ problems })])),
  /** Off: deliveries are held. On again: they are sent, oldest first. */
  switch: forEnvironment("Admin")
    .input(one.extend({ isOn: z.boolean() }))
    .output(z.void()),
  /** Discards the held deliveries of an endpoint that is switched off. */
  discardHeld: forEnvironment("Support")
    .input(one)
    .output(z.object({ discarded: z.int() })),
  /** Discards one held delivery. */
  discard: forEnvironment("Support").input(oneDelivery).output(z.void()),
  /** The secret is shown once; for 24 hours the previous secret also signs. */
  rotateSecret: forEnvironment("Admin")
    .input(one)
    .output(z.object({ secret: z.string() })),
  delete: forEnvironment("Admin").input(one).output(z.void()),
  /** Posts a signed `ping` now and returns the endpoint's response. */
  ping: forEnvironment("Admin")
    .input(one)
    .output(
      z.object({
        isAccepted: z.boolean(),
        words: z.string(),
        status: z.int().nullable(),
        durationMs: z.int(),
        /** The beginning of the response body. */
        excerpt: z.string(),
      }),
    ),
  /** The endpoints' health in the last 48 hours: the hours with attempts, in order. */
  health: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(z.object({ now: instantText, endpoints: z.array(z.object({ id: z.string(), hours: z.array(hour) })) })),
  /** Newest first, of all endpoints or one, about all players or one. `from` and `until` bound the time of creation. */
  deliveries: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        id: z.uuid().nullable().default(null),
        status: deliveryStatus.nullable().default(null),
        event: z.string().max(100).nullable().default(null),
        player: z.string().max(400).nullable().default(null),
        from: instantText.nullable().default(null),
        until: instantText.nullable().default(null),
        cursor,
        take: z.int().min(1).max(100).default(25),
      }),
    )
    .output(z.object({ deliveries: z.array(delivery), next: z.string().nullable() })),
  delivery: forEnvironment("Viewer")
    .input(oneDelivery)
    .output(
      delivery.extend({
        body: z.string(),
        attemptsMade: z.array(attempt),
        /** Why it cannot be resent by hand; null if it can. */
        resendProblem: z.string().nullable(),
      }),
    ),
  /** The stored beginning of an attempt's response, as inert text; null if none is stored (any more). */
  answer: forEnvironment("Viewer")
    .input(oneDelivery.extend({ number: z.int().min(1).max(32_767) }))
    .output(
      z.object({
        answer: z
          .object({
            headers: z.array(z.object({ name: z.string(), value: z.string() })),
            text: z.string(),
            bytes: z.int(),
            /** Whether the response was longer. */
            isCut: z.boolean(),
            /** If false, bytes are shown as escapes. */
            isUtf8: z.boolean(),
          })
          .nullable(),
      }),
    ),
  /** Resends a delivery at once, whatever its status; only for events that allow it. */
  retry: forEnvironment("Support").input(oneDelivery).output(z.void()),
  /**
   * The number of deliveries that `resendFailed` would send: `count` given up, `waiting` for their next attempt. Pass the returned `until`,
   * the latest time of failure, to `resendFailed`.
   */
  countFailed: forEnvironment("Viewer")
    .input(failures)
    .output(z.object({ count: z.int(), waiting: z.int(), until: instantText })),
  /**
   * Signed copies of a Sandbox's webhooks for a program on a laptop (`engagement listen`), independent of endpoints. Call once with `start`
   * and the events, which returns the signing secret; then poll, acknowledging the ids received before.
   */
  listen: forEnvironment("Support")
    .input(
      inEnvironment.extend({
        /** The listener's name: unacknowledged copies wait under it for a day. */
        name: z.string().max(200),
        /** This run of the program; a later run under the same name takes over. */
        session: z.string().min(1).max(100),
        start: z
          .object({ events: z.array(z.string()).max(MAX_EVENTS) })
          .nullable()
          .default(null),
        /** Only returns the secret of that name; a running listener is not affected. */
        isForSecret: z.boolean().default(false),
        done: z.array(z.string().max(40)).max(100).default([]),
        /** How long to wait for copies, in milliseconds: less than a shutdown takes. */
        waitMs: z.int().min(0).max(5_000).default(0),
      }),
    )
    .output(
      z.object({
        secret: z.string(),
        /** Oldest first; to be posted unchanged. */
        copies: z.array(z.object({ id: z.string(), event: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })),
      }),
    ),
  /** Sends a test delivery of an event in a Sandbox to all its receivers; its content is made up. */
  trigger: forEnvironment("Support")
    .input(
      inEnvironment.extend({
        event: z.string().max(100),
        /** The key of the mission, catalog item, streak or leaderboard in it, which need not exist. */
        about: z.string().min(1).max(200),
        /** The external id of the player in it, which need not exist. */
        forPlayer: z.string().min(1).max(400),
      }),
    )
    .output(
      z.object({
        endpoints: z.int(),
        /** Endpoints that are switched off: it is held for them. */
        endpointsOff: z.int(),
        listeners: z.int(),
        /** Listeners that have stopped: it waits a day for them. */
        listenersGone: z.int(),
      }),
    ),
  /**
   * Resends deliveries that failed in that time, of endpoints that are on and events that allow it. With `isWaiting` also those waiting for
   * their next attempt. Call it again while `left` is not 0.
   */
  resendFailed: forEnvironment("Support")
    .input(failures.extend({ isWaiting: z.boolean().default(false) }))
    .output(z.object({ resent: z.int(), left: z.int() })),
};
