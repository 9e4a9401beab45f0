import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText, problems } from "../model/contract/rpc.ts";

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
  endpointId: z.string(),
  url: z.string(),
  isEndpointOn: z.boolean(),
  event: z.string(),
  /** The player's external id; null where it is about none. */
  player: z.string().nullable(),
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
  /** The headers that were sent; the signature is not kept. */
  requestHeaders: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Whether the beginning of its answer is kept. */
  hasAnswer: z.boolean(),
});

/** An hour of an endpoint, in which something was sent. */
const hour = z.object({
  /** Its beginning. */
  at: instantText,
  succeeded: z.int(),
  failed: z.int(),
  /** In milliseconds, within a factor of the square root of two: half of the attempts were faster, and 95 of 100. */
  p50: z.number(),
  p95: z.number(),
});

/** A few more than there are events, so that a mistake in each is reported. */
const MOST_EVENTS = 50;

const wanted = inEnvironment.extend({ url: z.string(), events: z.array(z.string().max(100)).max(MOST_EVENTS) });
const one = inEnvironment.extend({ id: z.uuid() });
const oneDelivery = one.extend({ deliveryId: z.uuid() });
/** The deliveries of one endpoint, or of all (null), whose last attempt failed from `since` to `until`; null: until now. */
const failures = inEnvironment.extend({ id: z.uuid().nullable(), since: instantText, until: instantText.nullable().default(null) });

/** Webhook endpoints and their deliveries. Every member sees them, without secrets; Admins manage endpoints, Editors deliveries. */
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
  /** Discards one delivery that is held. */
  discard: forEnvironment("Support").input(oneDelivery).output(z.void()),
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
  /** How the endpoints fared in the last 48 hours: each hour in which something was sent, in order. */
  health: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(z.object({ now: instantText, endpoints: z.array(z.object({ id: z.string(), hours: z.array(hour) })) })),
  /** The newest first, of all endpoints or of one, about all players or one. `from` and `until` bound when they were written. */
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
        /** Why nobody may send it again by hand; null where people may. */
        resendProblem: z.string().nullable(),
      }),
    ),
  /** The kept beginning of an attempt's answer, as text that does nothing; null where none is kept (any more). */
  answer: forEnvironment("Viewer")
    .input(oneDelivery.extend({ number: z.int().min(1).max(32_767) }))
    .output(
      z.object({
        answer: z
          .object({
            headers: z.array(z.object({ name: z.string(), value: z.string() })),
            text: z.string(),
            bytes: z.int(),
            /** Whether the receiver had more to say. */
            isCut: z.boolean(),
            /** Otherwise bytes show as escapes. */
            isUtf8: z.boolean(),
          })
          .nullable(),
      }),
    ),
  /** Sends a delivery once more, at once, whatever its status; only for events that allow it. */
  retry: forEnvironment("Support").input(oneDelivery).output(z.void()),
  /**
   * How many deliveries `resendFailed` would send: `count` that were given up, `waiting` that wait for their next attempt. `until` is when
   * they failed at the latest: send that along.
   */
  countFailed: forEnvironment("Viewer")
    .input(failures)
    .output(z.object({ count: z.int(), waiting: z.int(), until: instantText })),
  /**
   * Signed copies of a Sandbox's webhooks for a program on a laptop (`engagement listen`), whoever subscribes to them: `start` once, with the
   * events, for the signing secret; then again and again with the ids of what came before, which is thereby done.
   */
  listen: forEnvironment("Support")
    .input(
      inEnvironment.extend({
        /** What the caller listens as: what is not done waits under it for a day. */
        name: z.string().max(200),
        /** Of this run of the program; a later one under the same name takes over. */
        session: z.string().min(1).max(100),
        start: z
          .object({ events: z.array(z.string()).max(MOST_EVENTS) })
          .nullable()
          .default(null),
        /** Tells the secret of that name and does nothing else: who listens goes on. */
        isForSecret: z.boolean().default(false),
        done: z.array(z.string().max(40)).max(100).default([]),
        /** How long to wait where there is nothing, in milliseconds: less than a process takes to end. */
        waitMs: z.int().min(0).max(5_000).default(0),
      }),
    )
    .output(
      z.object({
        secret: z.string(),
        /** The oldest first; to be posted as they are. */
        copies: z.array(z.object({ id: z.string(), event: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })),
      }),
    ),
  /** Sends a test delivery of an event in a Sandbox, to all who receive it; what it tells of has not happened. */
  trigger: forEnvironment("Support")
    .input(
      inEnvironment.extend({
        event: z.string().max(100),
        /** The key of the mission, catalog item, streak or leaderboard that it tells of; it need not be there. */
        about: z.string().min(1).max(200),
        /** The external id of the player that it tells of; nobody need have it. */
        forPlayer: z.string().min(1).max(400),
      }),
    )
    .output(
      z.object({
        endpoints: z.int(),
        /** Those that are switched off: it is held for them. */
        endpointsOff: z.int(),
        listeners: z.int(),
        /** Programs that have stopped: it waits a day for them. */
        listenersGone: z.int(),
      }),
    ),
  /**
   * Sends again what failed in that time, at endpoints that are on; only events that allow it. With `isWaiting` also what waits for its next
   * attempt. While `left` is not 0, call it again.
   */
  resendFailed: forEnvironment("Support")
    .input(failures.extend({ isWaiting: z.boolean().default(false) }))
    .output(z.object({ resent: z.int(), left: z.int() })),
};
