import { randomBytes } from "node:crypto";
import type { Database } from "../../db/client.ts";
import type { Environment } from "../kernel/environment.ts";
import { Refused } from "../kernel/refused.ts";
import { isPublicAddress, literalAddress } from "./addresses.ts";
import { type ClientOptions, openClient, resolveName, TIMEOUT_MS, type WebhookClient } from "./client.ts";
import { privateAddressProblem, readDestination } from "./destination.ts";
import { writeEnvelope } from "./envelope.ts";
import { outcomeOf } from "./outcome.ts";
import { ROTATION_OVERLAP_MS, SECRET_BYTES, signatureOf, writeSecret } from "./signature.ts";
import {
  type AttemptRow,
  claimDeliveries,
  type ClaimedRow,
  deleteEndpointRow,
  type EndpointRow,
  giveUpDeliveries,
  insertAttempts,
  insertEndpoint,
  releaseDeliveries,
  replaceSecret,
  selectBacklogs,
  selectEndpoints,
  type SwitchedOff,
} from "./store.ts";
import { EXCLUSIVE_EVENT, subscriptionProblems } from "./subscriptions.ts";
import type { Room } from "./turns.ts";

export interface CreatedEndpoint {
  id: string;
  /** Shown once. */
  secret: string;
  /** False when nobody knows the host name (yet): deliveries will fail until somebody does. */
  isResolved: boolean;
}

/**
 * Registers an endpoint (api.md 6.1). The host name is looked up now, and refused if any of its addresses is private;
 * whatever it points to later is judged again when it is dialled. Throws Refused.
 */
export async function createEndpoint(
  { orm }: Database,
  environment: Environment,
  { url, events }: { url: string; events: readonly string[] },
  { allowPrivateAddresses, resolve = resolveName }: Pick<ClientOptions, "allowPrivateAddresses" | "resolve">,
): Promise<CreatedEndpoint> {
  const destination = readDestination(url, allowPrivateAddresses);
  const problems = "problem" in destination ? [destination.problem] : [];
  problems.push(...subscriptionProblems(events));
  if ("problem" in destination || problems.length > 0) throw new Refused(...problems);

  const { href, hostname } = destination.url;
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await resolve(hostname).catch(() => []) : [literal];
  if (!allowPrivateAddresses && !addresses.every(isPublicAddress)) throw new Refused(privateAddressProblem(hostname));
  const secret = writeSecret(randomBytes(SECRET_BYTES));
  const id = await insertEndpoint(orm, { environmentId: environment.id, url: href, events: [...new Set(events)], secret });
  if (id === null) {
    throw new Refused(`Another endpoint of this environment already receives ${EXCLUSIVE_EVENT}, and only one can; delete that one first.`);
  }
  return { id, secret, isResolved: addresses.length > 0 };
}

/** An endpoint without its secrets. */
export type Endpoint = Omit<EndpointRow, "secret" | "previousSecret" | "previousSecretExpiresAt">;

/** The endpoints of an environment, oldest first. */
export async function listEndpoints({ orm }: Database, environment: Environment): Promise<Endpoint[]> {
  const rows = await selectEndpoints(orm, environment.id);
  return rows.map(({ secret: _secret, previousSecret: _previous, previousSecretExpiresAt: _expires, ...endpoint }) => endpoint);
}

/** Deletes an endpoint; what it was still to receive fails. Throws Refused when there is none of this id. */
export async function deleteEndpoint({ orm }: Database, environment: Environment, id: string): Promise<void> {
  if (!UUID.test(id) || !(await deleteEndpointRow(orm, environment.id, id))) throw unknownEndpoint(id);
}

/** Gives an endpoint a new secret, shown once; for 24 hours the old one signs along (decisions.md 6). Throws Refused. */
export async function rotateSecret({ sql }: Database, environment: Environment, id: string): Promise<string> {
  const secret = writeSecret(randomBytes(SECRET_BYTES));
  if (!UUID.test(id) || !(await replaceSecret(sql, environment.id, id, secret, ROTATION_OVERLAP_MS))) throw unknownEndpoint(id);
  return secret;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const unknownEndpoint = (id: string) =>
  new Refused(`There is no webhook endpoint ${id} in this environment; list them to see which there are.`);

/** An endpoint that has only failed for this long is switched off (decisions.md 6). */
const PATIENCE_MS = 5 * 24 * 60 * 60 * 1000;

/** The endpoints with something due. What is pending for one that is switched off or gone is given up on the way. */
export async function dueEndpoints({ sql }: Database): Promise<string[]> {
  const backlogs = await selectBacklogs(sql);
  const gone = backlogs.filter(({ isActive }) => !isActive).map(({ endpointId }) => endpointId);
  if (gone.length > 0) await giveUpDeliveries(sql, gone);
  return backlogs.filter(({ isActive, isDue }) => isActive && isDue).map(({ endpointId }) => endpointId);
}

/** Claims due deliveries for `leaseMs`: until then they are this process's to attempt, after that anybody's again. */
export const claimDue = ({ sql }: Database, rooms: readonly Room[], leaseMs: number): Promise<ClaimedRow[]> =>
  claimDeliveries(sql, rooms, leaseMs);

/** Gives claimed deliveries back, due at once. */
export const releaseDue = ({ sql }: Database, ids: readonly string[]): Promise<void> => releaseDeliveries(sql, ids);

/** An attempt as it is recorded, and whether the receiver kept it waiting until the time-out. */
export interface Attempt extends AttemptRow {
  timedOut: boolean;
}

/** Posts a delivery once, signed, and judges the answer. Never rejects. Touches no database: record the result. */
export async function attemptDelivery(client: WebhookClient, delivery: ClaimedRow): Promise<Attempt> {
  const startedAt = Date.now();
  const body = writeEnvelope(delivery);
  const { status, retryAfter, error, timedOut } = await client.post(delivery.url, headersOf(delivery, startedAt, body), body);
  const number = delivery.attempts + 1;
  const outcome = outcomeOf(number, { status, retryAfter }, Math.random());
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    number,
    startedAt,
    durationMs: Date.now() - startedAt,
    responseStatus: status,
    error,
    status: outcome.status,
    waitMs: outcome.status === "Pending" ? outcome.waitMs : 0,
    timedOut,
  };
}

function headersOf({ id, event, secret, previousSecret }: ClaimedRow, now: number, body: string): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    "content-type": "application/json",
    "user-agent": "Engagement-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf(secrets, id, timestamp, body),
    "x-service-event": event,
    "x-service-delivery": id,
  };
}

/** Records a set of attempts. Returns the endpoints that are switched off for it: they have only failed for five days. */
export const recordAttempts = ({ sql }: Database, attempts: readonly Attempt[]): Promise<SwitchedOff[]> =>
  insertAttempts(sql, attempts, PATIENCE_MS);

export { openClient, TIMEOUT_MS, type ClaimedRow, type ClientOptions };
