import { implement } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { webhooksContract } from "../../model/webhooks/contract.ts";
import { webhooksDashboard } from "../../delivery/contract.dashboard.ts";
import { deliveriesDashboardProcedures } from "./deliveries.ts";
import { RefusedEndpoint } from "../../model/webhooks/refusal.ts";
import {
  createEndpoint,
  deleteEndpoint,
  discardHeld,
  editEndpoint,
  type Endpoint,
  listEndpoints,
  rotateSecret,
  switchEndpoint,
} from "../../delivery/service/endpoints.ts";
import { pingEndpoint } from "../../delivery/service/ping.ts";
import { countPending } from "../../delivery/store/endpoints.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { EXCLUSIVE_EVENT } from "../../model/webhooks/subscriptions.ts";
import { UNREADABLE_SECRET } from "../../model/webhooks/words.ts";

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
  ...deliveriesDashboardProcedures,
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

/** An endpoint's problems are returned, not thrown, so that the form shows them on its fields. */
async function withProblems<T>(run: () => Promise<T>) {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RefusedEndpoint) return { problems: [...error.placed] };
    throw error;
  }
}
