import { dated, instantOrNull } from "./inputs.ts";
import { webhooksContract } from "../../model/webhooks/contract.ts";
import { deliveriesDashboardProcedures, MAX_EVENTS } from "./deliveries.ts";
import { RefusedEndpoint } from "../../model/webhooks/destination.ts";
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
import { z } from "zod";
import { inEnvironment, problems, revision } from "../../model/contract/rpc.ts";
import { isAtLeast } from "../../model/kernel/environment.ts";
import { forEnvironment } from "../access.ts";

const wanted = inEnvironment.extend({ url: z.string(), events: z.array(z.string().max(100)).max(MAX_EVENTS) });
const one = inEnvironment.extend({ id: z.uuid() });

const EVENTS = Object.entries(webhooksContract).map(([event, { summary }]) => ({
  event,
  summary,
  isExclusive: event === EXCLUSIVE_EVENT,
}));

/** The role that manages endpoints, and so sees their whole URLs. */
const MANAGER = "Admin";

/**
 * Webhook endpoints and their deliveries. Every member sees them, without secrets and without the queries of their URLs; Admins manage
 * endpoints and see those too, Support manages deliveries.
 */
export const webhooksDashboardProcedures = {
  /** Oldest first; with the available events, of which the exclusive one can have one endpoint only. */
  list: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment, cipher, role }) => {
    const endpoints = await listEndpoints(database, environment);
    const pending = await countPending(
      database.sql,
      endpoints.map(({ id }) => id),
    );
    return {
      endpoints: endpoints.map((endpoint) => shown(endpoint, pending.get(endpoint.id) ?? 0, cipher, isAtLeast(role, MANAGER))),
      events: EVENTS,
    };
  }),
  /** The secret is shown once. `isResolved` is false if the host name is unknown so far. */
  create: forEnvironment(MANAGER, "cheap")(
    wanted,
    ({ url, events }, { database, environment, actor, allowPrivateAddresses, cipher }) =>
      withProblems(() => createEndpoint(database, environment, { url, events }, { allowPrivateAddresses, cipher }, actor)),
    z.union([z.object({ id: z.string(), secret: z.string(), isResolved: z.boolean() }), z.object({ problems })]),
  ),
  edit: forEnvironment(MANAGER, "cheap")(
    wanted.extend({ id: z.uuid(), revision }),
    (input, { database, environment, actor, allowPrivateAddresses }) =>
      withProblems(() => editEndpoint(database, environment, input, input, { allowPrivateAddresses }, actor)),
  ),
  /** Off: deliveries are held. On again: they are sent, oldest first. */
  switch: forEnvironment(MANAGER, "cheap")(
    one.extend({ isOn: z.boolean() }),
    async ({ id, isOn }, { database, environment, actor, wake }) => {
      await switchEndpoint(database, environment, id, isOn, actor);
      if (isOn) wake();
    },
  ),
  /** Discards the held deliveries of an endpoint that is switched off. */
  discardHeld: forEnvironment("Support", "cheap")(one, async ({ id }, { database, environment, actor }) => ({
    discarded: await discardHeld(database, environment, id, actor),
  })),
  /** The secret is shown once; for 24 hours the previous secret also signs. */
  rotateSecret: forEnvironment(MANAGER, "cheap")(one, async ({ id }, { database, environment, actor, cipher }) => ({
    secret: await rotateSecret(database, environment, id, cipher, actor),
  })),
  delete: forEnvironment(MANAGER, "cheap")(one, ({ id }, { database, environment, actor }) =>
    deleteEndpoint(database, environment, id, actor),
  ),
  /** Posts a signed `ping` now and returns the endpoint's response. */
  ping: forEnvironment(MANAGER, "cheap")(one, ({ id }, { database, environment, now, allowPrivateAddresses, cipher }) =>
    pingEndpoint(database, environment, id, now, { allowPrivateAddresses, cipher }),
  ),
  ...deliveriesDashboardProcedures,
};

function shown({ id, events, createdAt, failingSince, ...row }: Endpoint, pending: number, cipher: SecretCipher, isManager: boolean) {
  const url = isManager ? row.url : row.shownUrl;
  const isOn = row.disabledAt === null;
  return {
    ...dated({ id, url, events, createdAt, failingSince }, "createdAt", "failingSince"),
    revision: row.revision,
    isOn,
    offSince: instantOrNull(row.disabledAt),
    offReason: row.disabledReason,
    previousSecretUntil: cipher.knows(row.previousSecretPrefix) ? instantOrNull(row.previousSecretUntil) : null,
    secretProblem: cipher.knows(row.secretPrefix) ? null : UNREADABLE_SECRET,
    waiting: isOn ? pending : 0,
    held: isOn ? 0 : pending,
  };
}

/** The problems of an endpoint or a channel are returned, not thrown, so that the form shows them on its fields. */
export async function withProblems<T>(run: () => Promise<T>) {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RefusedEndpoint) return { problems: [...error.placed] };
    throw error;
  }
}
