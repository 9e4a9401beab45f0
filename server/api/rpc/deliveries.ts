import { dated, instantOf, partsOf } from "./inputs.ts";
import { UUID } from "../../model/kernel/stored.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { readableText } from "../../model/webhooks/answer.ts";
import { shownHeaders } from "../../model/webhooks/request.ts";
import {
  type DeliveryCursor,
  type SeenDelivery,
  discardDelivery,
  listDeliveries,
  readAnswer,
  readDelivery,
  retryDelivery,
} from "../../delivery/service/deliveries.ts";
import { readHealth } from "../../delivery/service/endpoints.ts";
import { listenerSecret, nextCopies, startListening } from "../../delivery/service/listen.ts";
import { type Failures, countFailures, resendFailed } from "../../delivery/service/resend.ts";
import { triggerWebhook } from "../../delivery/service/trigger.ts";
import { WEBHOOK_EVENTS } from "../../model/webhooks/subscriptions.ts";
import { exchangeInBrief, explainExchange } from "../../model/webhooks/words.ts";
import { z } from "zod";
import { cursor, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";

/** `Held`: the endpoint is switched off; the delivery is sent when it is on again. */
const deliveryStatus = z.enum(["Pending", "Held", "Delivered", "Failed"]);

/** Slightly more than there are events, so that a mistake in each can be reported. */
export const MAX_EVENTS = 50;
const one = inEnvironment.extend({ id: z.uuid() });
const oneDelivery = one.extend({ deliveryId: z.uuid() });

/** The deliveries of one endpoint, or of all (null), whose last attempt failed from `since` to `until` (null: now). */
const failures = inEnvironment.extend({ id: z.uuid().nullable(), since: instantText, until: instantText.nullable().default(null) });

/** How the dashboard shows deliveries, and acts on them. */
export const deliveriesDashboardProcedures = {
  /** The endpoints' health in the last 48 hours: the hours with attempts, in order. */
  health: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment, now }) => {
    const realNow = now - environment.clockOffsetMs;
    const endpoints = await readHealth(database, environment, realNow);
    return {
      now: formatInstant(realNow),
      endpoints: endpoints.map(({ id, hours }) => ({
        id,
        hours: hours.map(({ hour, ...figures }) => ({ at: formatInstant(hour), ...figures })),
      })),
    };
  }),
  /**
   * Signed copies of a Sandbox's webhooks for a program on a laptop (`engagement listen`), independent of endpoints. Call once with `start`
   * and the events (all if left out), which returns the signing secret; then poll, acknowledging the ids received before.
   */
  listen: forEnvironment("Support", "cheap")(
    inEnvironment.extend({
      /** The listener's name: unacknowledged copies wait under it for a day. */
      name: z.string().max(200),
      /** This run of the program; a later run under the same name takes over. */
      session: z.string().min(1).max(100),
      start: z
        .object({
          events: z
            .array(z.string())
            .max(MAX_EVENTS)
            .default([...WEBHOOK_EVENTS]),
        })
        .nullable()
        .default(null),
      /** Only returns the secret of that name; a running listener is not affected. */
      isForSecret: z.boolean().default(false),
      done: z.array(z.string().max(40)).max(100).default([]),
      /** How long to wait for copies, in milliseconds: less than a shutdown takes. */
      waitMs: z.int().min(0).max(5_000).default(0),
    }),
    async (input, { database, environment, person, actor, cipher }) => {
      const { name, session, start, isForSecret, done, waitMs } = input;
      const key = { environmentId: environment.id, userId: person.userId, name };
      const secret = listenerSecret(cipher, key);
      if (isForSecret) return { secret, copies: [] };
      if (start === null) return { secret, copies: await nextCopies(database, environment, { ...key, session, done, waitMs }, secret) };
      await startListening(database, environment, { ...key, session, ...start }, actor);
      return { secret, copies: [] };
    },
  ),
  /** Sends a test delivery of an event in a Sandbox to all its receivers; its content is made up. */
  trigger: forEnvironment("Support", "cheap")(
    inEnvironment.extend({
      event: z.string().max(100),
      /** The key of the mission, catalog item, streak or leaderboard in it, which need not exist. */
      about: z.string().min(1).max(200),
      /** The external id of the player in it, which need not exist. */
      forPlayer: z.string().min(1).max(400),
    }),
    async (input, { database, environment, actor, now, wake }) => {
      const sampled = { key: input.about, player: input.forPlayer, now };
      const receivers = await triggerWebhook(database, environment, input.event, sampled, actor);
      wake();
      return receivers;
    },
  ),
  /** Newest first, of all endpoints or one, about all players or one. `from` and `until` bound the time of creation. */
  deliveries: forEnvironment("Viewer", "cheap")(
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
    async (input, { database, environment }) => {
      const { id, status, event, player, from, until, cursor, take } = input;
      const events = event === null ? WEBHOOK_EVENTS : [event];
      const filter = { endpointId: id, player, status, events, from: instantOf(from), until: instantOf(until) };
      const { deliveries, next } = await listDeliveries(database, environment, filter, cursorOf(cursor), take);
      return { deliveries: deliveries.map(inList), next: next === null ? null : `${formatInstant(next.createdAt)} ${next.id}` };
    },
  ),
  delivery: forEnvironment("Viewer", "cheap")(oneDelivery, async ({ id, deliveryId }, { database, environment }) => {
    const {
      body,
      attemptsMade,
      resendProblem,
      isPurchaseReversed,
      data: _,
      ...delivery
    } = await readDelivery(database, environment, id, deliveryId);
    return {
      ...inList(delivery),
      body,
      resendProblem,
      isPurchaseReversed,
      attemptsMade: attemptsMade.map((attempt) => ({
        ...dated(attempt, "startedAt"),
        words: explainExchange({ status: attempt.responseStatus, error: attempt.error }),
        requestHeaders: shownHeaders(delivery, attempt.startedAt),
      })),
    };
  }),
  /** The stored beginning of an attempt's response, as inert text; null if none is stored (any more). */
  answer: forEnvironment("Viewer", "cheap")(
    oneDelivery.extend({ number: z.int().min(1).max(32_767) }),
    async ({ id, deliveryId, number }, { database, environment }) => {
      const answer = await readAnswer(database, environment, id, deliveryId, number);
      if (answer === null) return { answer };
      const { headers, body, isCut } = answer;
      const named = Object.entries(headers).map(([name, value]) => ({ name, value }));
      return { answer: { headers: named, bytes: body.length, isCut, ...readableText(body, isCut) } };
    },
  ),
  discard: forEnvironment("Support", "cheap")(oneDelivery, ({ id, deliveryId }, { database, environment, actor }) =>
    discardDelivery(database, environment, id, deliveryId, actor),
  ),
  /** Resends a delivery of any status immediately; only for events that allow it. */
  retry: forEnvironment("Support", "cheap")(oneDelivery, async ({ id, deliveryId }, { database, environment, actor, wake }) => {
    await retryDelivery(database, environment, id, deliveryId, actor);
    wake();
  }),
  /**
   * The number of deliveries that `resendFailed` would send: `count` given up, `waiting` for their next attempt; 10,000 means "or
   * more". Pass the returned `until`, the latest time of failure, to `resendFailed`.
   */
  countFailed: forEnvironment("Viewer", "costly")(failures, async (input, { database, environment, now }) => {
    const failures = failuresOf(input, now - environment.clockOffsetMs);
    const { failed, waiting } = await countFailures(database, environment, failures);
    return { count: failed, waiting, until: formatInstant(failures.until) };
  }),
  /**
   * Resends deliveries that failed in that time, of endpoints that are on and events that allow it. With `isWaiting` also those waiting for
   * their next attempt. Call it again while `left` is not 0.
   */
  resendFailed: forEnvironment("Support", "costly")(
    failures.extend({ isWaiting: z.boolean().default(false) }),
    async ({ isWaiting, ...input }, { database, environment, now, actor, wake }) => {
      const failures = failuresOf(input, now - environment.clockOffsetMs);
      const done = await resendFailed(database, environment, { ...failures, isWaiting }, actor);
      if (done.resent > 0) wake();
      return done;
    },
  ),
};

const inList = ({ createdAt, dueAt, isOn, lastError, ...delivery }: SeenDelivery) => ({
  ...delivery,
  lastError: lastError && exchangeInBrief({ status: null, error: lastError }),
  isEndpointOn: isOn,
  createdAt: formatInstant(createdAt),
  nextAttemptAt: delivery.status === "Pending" ? formatInstant(dueAt) : null,
});

/** `now` is real time by the database's clock, which dates the attempts. */
const failuresOf = ({ id, since, until }: { id: string | null; since: string; until: string | null }, now: number): Failures => ({
  endpointId: id,
  since: instantOf(since),
  until: until === null ? now : instantOf(until),
});

const CURSOR = new RegExp(`^(\\S+) (${UUID})$`);

function cursorOf(cursor: string | null): DeliveryCursor | null {
  const [at = "", id = ""] = partsOf(cursor, CURSOR) ?? [];
  return cursor === null ? null : { createdAt: instantOf(at), id };
}
