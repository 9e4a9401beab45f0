import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { readableText } from "../../model/webhooks/answer.ts";
import { webhooksDashboard } from "../../delivery/contract.dashboard.ts";
import { shownHeaders } from "../../model/webhooks/headers.ts";
import {
  type DeliveryCursor,
  discardDelivery,
  listDeliveries,
  readAnswer,
  readDelivery,
  retryDelivery,
  type SeenDelivery,
} from "../../delivery/service/deliveries.ts";
import { readHealth } from "../../delivery/service/health.ts";
import { listenerSecret, nextCopies, startListening } from "../../delivery/service/listen.ts";
import { listPlayerDeliveries } from "../../delivery/service/player-deliveries.ts";
import { countFailures, type Failures, resendFailed } from "../../delivery/service/resend.ts";
import { triggerWebhook } from "../../delivery/service/trigger.ts";
import { WEBHOOK_EVENTS } from "../../model/webhooks/subscriptions.ts";
import { explainExchange } from "../../model/webhooks/words.ts";

const dashboard = implement(webhooksDashboard).$context<DashboardContext>().use(guard);

/** How the dashboard shows deliveries, and acts on them. */
export const deliveriesDashboardProcedures = {
  health: dashboard.health.handler(async ({ context: { database, environment } }) => {
    const now = Date.now();
    const endpoints = await readHealth(database, environment, now);
    return {
      now: formatInstant(now),
      endpoints: endpoints.map(({ id, hours }) => ({
        id,
        hours: hours.map(({ hour, ...figures }) => ({ at: formatInstant(hour), ...figures })),
      })),
    };
  }),
  listen: dashboard.listen.handler(async ({ input, context: { database, environment, person, actor, cipher } }) => {
    const { name, session, start, isForSecret, done, waitMs } = input;
    const key = { environmentId: environment.id, userId: person.userId, name };
    const secret = listenerSecret(cipher, key);
    if (isForSecret) return { secret, copies: [] };
    if (start === null) return { secret, copies: await nextCopies(database, environment, { ...key, session, done, waitMs }, secret) };
    await startListening(database, environment, { ...key, session, ...start }, actor);
    return { secret, copies: [] };
  }),
  trigger: dashboard.trigger.handler(async ({ input, context: { database, environment, actor, now, wake } }) => {
    const sampled = { key: input.about, player: input.forPlayer, now };
    const receivers = await triggerWebhook(database, environment, input.event, sampled, actor);
    wake();
    return receivers;
  }),
  deliveries: dashboard.deliveries.handler(async ({ input, context: { database, environment } }) => {
    const { id, status, event, player, from, until, cursor, take } = input;
    const events = event === null ? WEBHOOK_EVENTS : [event];
    const filter = { endpointId: id, status, events, from: instantOf(from), until: instantOf(until) };
    const { deliveries, next } =
      player === null
        ? await listDeliveries(database, environment, filter, cursorOf(cursor), take)
        : await listPlayerDeliveries(database, environment, player, filter, cursorOf(cursor), take);
    return { deliveries: deliveries.map(inList), next: next === null ? null : `${formatInstant(next.createdAt)} ${next.id}` };
  }),
  delivery: dashboard.delivery.handler(async ({ input: { id, deliveryId }, context: { database, environment } }) => {
    const { body, attemptsMade, resendProblem, ...delivery } = await readDelivery(database, environment, id, deliveryId);
    return {
      ...inList(delivery),
      body,
      resendProblem,
      attemptsMade: attemptsMade.map(({ startedAt, responseStatus, error, ...attempt }) => ({
        ...attempt,
        startedAt: formatInstant(startedAt),
        responseStatus,
        error,
        words: explainExchange({ status: responseStatus, error }),
        requestHeaders: shownHeaders(delivery, startedAt),
      })),
    };
  }),
  answer: dashboard.answer.handler(async ({ input: { id, deliveryId, number }, context: { database, environment } }) => {
    const answer = await readAnswer(database, environment, id, deliveryId, number);
    if (answer === null) return { answer };
    const { headers, body, isCut } = answer;
    const named = Object.entries(headers).map(([name, value]) => ({ name, value }));
    return { answer: { headers: named, bytes: body.length, isCut, ...readableText(body, isCut) } };
  }),
  discard: dashboard.discard.handler(({ input: { id, deliveryId }, context: { database, environment, actor } }) =>
    discardDelivery(database, environment, id, deliveryId, actor),
  ),
  retry: dashboard.retry.handler(async ({ input: { id, deliveryId }, context: { database, environment, actor, wake } }) => {
    await retryDelivery(database, environment, id, deliveryId, actor);
    wake();
  }),
  countFailed: dashboard.countFailed.handler(async ({ input, context: { database, environment } }) => {
    const failures = failuresOf(input);
    const { failed, waiting } = await countFailures(database, environment, failures);
    return { count: failed, waiting, until: formatInstant(failures.until) };
  }),
  resendFailed: dashboard.resendFailed.handler(async ({ input, context: { database, environment, actor, wake } }) => {
    const done = await resendFailed(database, environment, { ...failuresOf(input), isWaiting: input.isWaiting }, actor);
    if (done.resent > 0) wake();
    return done;
  }),
};

const inList = ({ createdAt, dueAt, isOn, ...delivery }: SeenDelivery) => ({
  ...delivery,
  isEndpointOn: isOn,
  createdAt: formatInstant(createdAt),
  nextAttemptAt: delivery.status === "Pending" ? formatInstant(dueAt) : null,
});

const failuresOf = ({ id, since, until }: { id: string | null; since: string; until: string | null }): Failures => ({
  endpointId: id,
  since: instantOf(since),
  until: until === null ? Date.now() : instantOf(until),
});

function instantOf(text: string): number;
function instantOf(text: string | null): number | null;
function instantOf(text: string | null): number | null {
  const instant = text === null ? null : parseInstant(text);
  if (text !== null && instant === null)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid time. Write it as 2026-01-31T09:00:00Z." });
  return instant;
}

function cursorOf(cursor: string | null): DeliveryCursor | null {
  if (cursor === null) return null;
  const [at = "", id = ""] = cursor.split(" ");
  const createdAt = parseInstant(at);
  if (createdAt === null || !/^[0-9a-f-]{36}$/.test(id))
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return { createdAt, id };
}
