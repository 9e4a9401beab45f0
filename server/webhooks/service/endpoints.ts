import { randomBytes } from "node:crypto";
import microdiff from "microdiff";
import { type Database, transact, type Transaction } from "../../../db/client.ts";
import { isDuplicate } from "../../../db/errors.ts";
import type { Environment } from "../../kernel/environment.ts";
import { Refused } from "../../kernel/refused.ts";
import { type Actor, COMMAND_LINE } from "../../kernel/roles.ts";
import { recordChange } from "../../projects/service.ts";
import { isPublicAddress, literalAddress } from "../addresses.ts";
import { type ClientOptions, resolveName } from "../client.ts";
import { privateAddressProblem, readDestination } from "../destination.ts";
import { type EndpointProblem, RefusedEndpoint } from "../refusal.ts";
import { ROTATION_OVERLAP_MS, SECRET_BYTES, writeSecret } from "../signature.ts";
import * as store from "../store/endpoints.ts";
import { EXCLUSIVE_EVENT, subscriptionProblems } from "../subscriptions.ts";

/** What people say of an endpoint. */
export interface WantedEndpoint {
  url: string;
  events: readonly string[];
}

type Addressing = Pick<ClientOptions, "allowPrivateAddresses" | "resolve">;

export interface CreatedEndpoint {
  id: string;
  /** Shown once. */
  secret: string;
  /** False when nobody knows the host name (yet): deliveries will fail until somebody does. */
  isResolved: boolean;
}

/**
 * Registers an endpoint (api.md 6.1). The host name is looked up now, and refused if any of its addresses is private;
 * whatever it points to later is judged again when it is dialled. Throws RefusedEndpoint.
 */
export async function createEndpoint(
  database: Database,
  environment: Environment,
  wanted: WantedEndpoint,
  addressing: Addressing,
  actor: Actor = COMMAND_LINE,
): Promise<CreatedEndpoint> {
  const { isResolved, ...endpoint } = await judge(wanted, addressing);
  const secret = writeSecret(randomBytes(SECRET_BYTES));
  const id = await transact(database, async (tx) => {
    const created = await store.insertEndpoint(tx, { environmentId: environment.id, ...endpoint, secret });
    if (created === null) throw new RefusedEndpoint(TAKEN);
    await record(tx, environment, actor, "create", endpoint.url, microdiff({}, endpoint));
    return created;
  });
  return { id, secret, isResolved };
}

const TAKEN: EndpointProblem = {
  pointer: "#/events",
  message: `Another endpoint of this environment already receives ${EXCLUSIVE_EVENT}, and only one can; delete that one first, or take the event off it.`,
};

/** The endpoint as it will be stored, and whether its host name is known. Throws RefusedEndpoint with everything that is wrong. */
async function judge({ url, events }: WantedEndpoint, { allowPrivateAddresses, resolve = resolveName }: Addressing) {
  const destination = readDestination(url, allowPrivateAddresses);
  const problems = subscriptionProblems(events).map((message) => ({ pointer: "#/events", message }));
  if ("problem" in destination) throw new RefusedEndpoint({ pointer: "#/url", message: destination.problem }, ...problems);
  if (problems.length > 0) throw new RefusedEndpoint(...problems);

  const { href, hostname } = destination.url;
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await resolve(hostname).catch(() => []) : [literal];
  if (!allowPrivateAddresses && !addresses.every(isPublicAddress)) {
    throw new RefusedEndpoint({ pointer: "#/url", message: privateAddressProblem(hostname) });
  }
  return { url: href, events: [...new Set(events)], isResolved: addresses.length > 0 };
}

/** Changes where an endpoint is and what it receives, from the next fact on; the address is judged as a new one's. Throws Refused. */
export async function editEndpoint(
  database: Database,
  environment: Environment,
  id: string,
  wanted: WantedEndpoint,
  addressing: Addressing,
  actor: Actor,
): Promise<{ isResolved: boolean }> {
  const { isResolved, ...endpoint } = await judge(wanted, addressing);
  try {
    await change(database, environment, id, async (tx, { url, events }) => {
      const difference = microdiff({ url, events }, endpoint);
      if (difference.length === 0) return;
      await store.updateEndpoint(tx, id, endpoint);
      await record(tx, environment, actor, "update", endpoint.url, difference);
    });
  } catch (error) {
    throw isDuplicate(error) ? new RefusedEndpoint(TAKEN) : error;
  }
  return { isResolved };
}

/** An endpoint without its secrets. */
export type Endpoint = store.EndpointRow;

/** The endpoints of an environment, oldest first. */
export const listEndpoints = ({ sql }: Database, environment: Pick<Environment, "id">): Promise<Endpoint[]> =>
  store.selectEndpoints(sql, environment.id);

/**
 * Switches an endpoint off, and nothing is written for it any more and what waits for it fails; or on again, for what happens
 * from then on. Throws Refused.
 */
export const switchEndpoint = (database: Database, environment: Environment, id: string, isOn: boolean, actor: Actor): Promise<void> =>
  change(database, environment, id, async (tx, { url, disabledAt }) => {
    if ((disabledAt === null) === isOn) return;
    await store.switchEndpointRow(tx, id, isOn ? null : `Switched off by ${actor.name}.`);
    await record(tx, environment, actor, isOn ? "switch_on" : "switch_off", url, microdiff({ active: !isOn }, { active: isOn }));
  });

/** Deletes an endpoint; what it was still to receive fails. Throws Refused when there is none of this id. */
export const deleteEndpoint = (database: Database, environment: Environment, id: string, actor: Actor = COMMAND_LINE): Promise<void> =>
  change(database, environment, id, async (tx, { url, events }) => {
    await store.deleteEndpointRow(tx, id);
    await record(tx, environment, actor, "delete", url, microdiff({ url, events }, {}));
  });

/** Gives an endpoint a new secret, shown once; for 24 hours the old one signs along (decisions.md 6). Throws Refused. */
export async function rotateSecret(database: Database, environment: Environment, id: string, actor: Actor = COMMAND_LINE): Promise<string> {
  const secret = writeSecret(randomBytes(SECRET_BYTES));
  await change(database, environment, id, async (tx, { url }) => {
    await store.replaceSecret(tx, id, secret, ROTATION_OVERLAP_MS);
    await record(tx, environment, actor, "rotate", url, null);
  });
  return secret;
}

/** Changes an endpoint in a transaction that holds it. Throws Refused when the environment has none of this id. */
const change = (
  database: Database,
  environment: Environment,
  id: string,
  run: (tx: Transaction, endpoint: Endpoint) => Promise<void>,
): Promise<void> =>
  transact(database, async (tx) => {
    const endpoint = UUID.test(id) ? await store.lockEndpoint(tx, environment.id, id) : null;
    if (endpoint === null) throw unknownEndpoint(id);
    await run(tx, endpoint);
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const unknownEndpoint = (id: string): Refused =>
  new Refused(`There is no webhook endpoint ${id} in this environment; list them to see which there are.`);

const record = (tx: Transaction, { id, projectId }: Environment, actor: Actor, action: string, url: string, difference: unknown) =>
  recordChange(tx, { projectId, environmentId: id, actor, action, subjectKind: "webhookEndpoint", subjectKey: url, difference });
