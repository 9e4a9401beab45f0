import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { webhooksContract } from "./contract.ts";
import { webhooksDashboard } from "./contract.dashboard.ts";
import { RefusedEndpoint } from "./refusal.ts";
import { type DeliveryCursor, listDeliveries, readDelivery, retryDelivery, type SeenDelivery } from "./service/deliveries.ts";
import {
  createEndpoint,
  deleteEndpoint,
  discardHeld,
  editEndpoint,
  type Endpoint,
  listEndpoints,
  rotateSecret,
  switchEndpoint,
} from "./service/endpoints.ts";
import { pingEndpoint } from "./service/ping.ts";
import { countPending } from "./store/endpoints.ts";
import type { SecretCipher } from "./secret-cipher.ts";
import { EXCLUSIVE_EVENT } from "./subscriptions.ts";
import { explainExchange, UNREADABLE_SECRET } from "./words.ts";

const dashboard = implement(webhooksDashboard).$context<DashboardContext>().use(guard);

const EVENTS = Object.entries(webhooksContract).map(([event, { summary }]) => ({
  event,
  summary,
  isExclusive: event === EXCLUSIVE_EVENT,
}));

export const webhooksDashboardProcedures = {
  list: dashboard.list.handler(async ({ context: { database, environment, cipher } }) => {
    const endpoints = await listEndpoints(database, environment);
    const pending = await countPending(
      database.sql,
      endpoints.map(({ id }) => id),
    );
    return { endpoints: endpoints.map((endpoint) => shown(endpoint, pending.get(endpoint.id) ?? 0, cipher)), events: EVENTS };
  }),
  create: dashboard.create.handler(({ input: { url, events }, context: { database, environment, actor, allowPrivateAddresses, cipher } }) =>
    withProblems(() => createEndpoint(database, environment, { url, events }, { allowPrivateAddresses, cipher }, actor)),
  ),
  edit: dashboard.edit.handler(({ input: { id, url, events }, context: { database, environment, actor, allowPrivateAddresses } }) =>
    withProblems(() => editEndpoint(database, environment, id, { url, events }, { allowPrivateAddresses }, actor)),
  ),
  switch: dashboard.switch.handler(async ({ input: { id, isOn }, context: { database, environment, actor, wake } }) => {
    await switchEndpoint(database, environment, id, isOn, actor);
    if (isOn) wake();
  }),
  discardHeld: dashboard.discardHeld.handler(async ({ input: { id }, context: { database, environment, actor } }) => ({
    discarded: await discardHeld(database, environment, id, actor),
  })),
  rotateSecret: dashboard.rotateSecret.handler(async ({ input: { id }, context: { database, environment, actor, cipher } }) => ({
    secret: await rotateSecret(database, environment, id, cipher, actor),
  })),
  delete: dashboard.delete.handler(({ input: { id }, context: { database, environment, actor } }) =>
    deleteEndpoint(database, environment, id, actor),
  ),
  ping: dashboard.ping.handler(({ input: { id }, context: { database, environment, now, allowPrivateAddresses, cipher } }) =>
    pingEndpoint(database, environment, id, now, { allowPrivateAddresses, cipher }),
  ),
  deliveries: dashboard.deliveries.handler(async ({ input: { id, status, cursor, take }, context: { database, environment } }) => {
    const { deliveries, next } = await listDeliveries(database, environment, id, status, cursorOf(cursor), take);
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
      })),
    };
  }),
  retry: dashboard.retry.handler(async ({ input: { id, deliveryId }, context: { database, environment, actor, wake } }) => {
    await retryDelivery(database, environment, id, deliveryId, actor);
    wake();
  }),
};

const instantOf = (at: number | null) => (at === null ? null : formatInstant(at));

const shown = (
  {
    id,
    url,
    events,
    createdAt,
    failingSince,
    disabledAt,
    disabledReason,
    previousSecretUntil,
    secretPrefix,
    previousSecretPrefix,
  }: Endpoint,
  pending: number,
  cipher: SecretCipher,
) => ({
  id,
  url,
  events,
  createdAt: formatInstant(createdAt),
  isOn: disabledAt === null,
  offReason: disabledReason,
  failingSince: instantOf(failingSince),
  previousSecretUntil: cipher.knows(previousSecretPrefix) ? instantOf(previousSecretUntil) : null,
  secretProblem: cipher.knows(secretPrefix) ? null : UNREADABLE_SECRET,
  waiting: disabledAt === null ? pending : 0,
  held: disabledAt === null ? 0 : pending,
});

const inList = ({ id, event, status, attempts, createdAt, dueAt, isUnderWay, lastStatus, lastError, givenUp }: SeenDelivery) => ({
  id,
  event,
  status,
  attempts,
  createdAt: formatInstant(createdAt),
  nextAttemptAt: status === "Pending" ? formatInstant(dueAt) : null,
  isUnderWay,
  lastStatus,
  lastError,
  givenUp,
});

/** Problems with an endpoint are an answer, so that the form shows them on its fields. */
async function withProblems<T>(run: () => Promise<T>) {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RefusedEndpoint) return { problems: [...error.placed] };
    throw error;
  }
}

function cursorOf(cursor: string | null): DeliveryCursor | null {
  if (cursor === null) return null;
  const [at = "", id = ""] = cursor.split(" ");
  const createdAt = parseInstant(at);
  if (createdAt === null || !/^[0-9a-f-]{36}$/.test(id)) throw new ORPCError("BAD_REQUEST", { message: "That is no place in this list." });
  return { createdAt, id };
}
