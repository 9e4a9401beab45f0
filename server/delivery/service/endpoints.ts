import microdiff from "microdiff";
import * as store from "../store/endpoints.ts";
import { randomUUID } from "node:crypto";
import { type Database, type Sql, type Transaction, transact, isDuplicate } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { type Environment, type Actor, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { changedSince, type Edited } from "../../model/kernel/revisions.ts";
import { isUuid } from "../../model/kernel/stored.ts";
import { lockExclusive } from "../../engine/store/locks.ts";
import {
  RefusedEndpoint,
  isPublicAddress,
  literalAddress,
  privateAddressProblem,
  readDestination,
} from "../../model/webhooks/destination.ts";
import { type ClientOptions, resolveName } from "../client.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { ROTATION_OVERLAP_MS } from "../../model/webhooks/request.ts";
import { discardPending, makeHeldDue } from "../store/deliveries.ts";
import { EXCLUSIVE_EVENT, subscriptionProblems } from "../../model/webhooks/subscriptions.ts";
import { makeSecret } from "./secrets.ts";
import { latencyBuckets, quantile } from "../../model/kernel/durations.ts";
import { HOUR } from "../../model/kernel/instant.ts";

/** The settings of an endpoint. */
export interface WantedEndpoint {
  url: string;
  events: readonly string[];
}

export type Addressing = Pick<ClientOptions, "allowPrivateAddresses" | "resolve">;

export interface CreatedEndpoint {
  id: string;
  /** Shown once. */
  secret: string;
  /** False if the host name does not resolve (yet): until it does, deliveries fail. */
  isResolved: boolean;
}

/**
 * Registers an endpoint. The host name is resolved now, and refused if any of its addresses is private; each connection checks it again.
 * Throws RefusedEndpoint.
 */
export async function createEndpoint(
  database: Database,
  environment: Environment,
  wanted: WantedEndpoint,
  { cipher, ...addressing }: Addressing & { cipher: SecretCipher },
  actor: Actor = COMMAND_LINE,
): Promise<CreatedEndpoint> {
  const { isResolved, ...endpoint } = await validate(wanted, addressing);
  const id = randomUUID();
  const { secret, encrypted } = makeSecret(cipher, id);
  await transact(database, async (tx) => {
    await holdSubscriptions(tx, environment);
    if ((await store.countEndpoints(tx, environment.id)) >= MAX_ENDPOINTS) throw new RefusedEndpoint(TOO_MANY);
    const shownUrl = await store.insertEndpoint(tx, { id, environmentId: environment.id, ...endpoint, secret: encrypted });
    if (shownUrl === null) throw new RefusedEndpoint(TAKEN);
    await record(tx, environment, actor, "create", shownUrl, microdiff({}, { ...endpoint, url: shownUrl }));
  });
  return { id, secret, isResolved };
}

/** Bounded, since each fact is written for every endpoint that receives it. */
const MAX_ENDPOINTS = 100;

const TOO_MANY: FieldProblem = {
  pointer: "#/url",
  message: `This environment has ${MAX_ENDPOINTS} endpoints, and there can be no more. Delete one that nothing needs.`,
};

const TAKEN: FieldProblem = {
  pointer: "#/events",
  message: `Another endpoint of this environment already receives ${EXCLUSIVE_EVENT}, and only one can; delete that one first, or take the event off it.`,
};

/** The endpoint as it will be stored, and whether its host name is known. Throws RefusedEndpoint with everything that is wrong. */
async function validate({ url, events }: WantedEndpoint, addressing: Addressing) {
  const problems = subscriptionProblems(events).map((message) => ({ pointer: "#/events", message }));
  const { href, isResolved } = await checkUrl(url, addressing, problems);
  return { url: href, events: [...new Set(events)], isResolved };
}

/**
 * The URL as it will be stored. The host name is resolved, and refused if any of its addresses is private. Throws RefusedEndpoint with its
 * problem and the `others`.
 */
export async function checkUrl(
  url: string,
  { allowPrivateAddresses, resolve = resolveName }: Addressing,
  others: readonly FieldProblem[] = [],
): Promise<{ href: string; isResolved: boolean }> {
  const destination = readDestination(url, allowPrivateAddresses);
  if ("problem" in destination) throw new RefusedEndpoint({ pointer: "#/url", message: destination.problem }, ...others);
  if (others.length > 0) throw new RefusedEndpoint(...others);
  const { href, hostname } = destination.url;
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await resolve(hostname).catch(() => []) : [literal];
  if (!allowPrivateAddresses && !addresses.every(isPublicAddress)) {
    throw new RefusedEndpoint({ pointer: "#/url", message: privateAddressProblem(hostname) });
  }
  return { href, isResolved: addresses.length > 0 };
}

/** Changes the URL and events of an endpoint, from the next fact on; the URL is checked like a new one. Throws OperatorError. */
export async function editEndpoint(
  database: Database,
  environment: Environment,
  edited: Edited & { id: string },
  wanted: WantedEndpoint,
  addressing: Addressing,
  actor: Actor,
): Promise<{ isResolved: boolean }> {
  const { isResolved, ...endpoint } = await validate(wanted, addressing);
  try {
    await changeSubscriptions(database, environment, edited.id, async (tx, before) => {
      const { id, url, shownUrl, events } = before;
      const difference = microdiff({ url, events }, endpoint);
      // A repeated save changes nothing, and is no conflict with itself.
      if (difference.length === 0) return;
      const conflict = changedSince("endpoint", edited, before);
      if (conflict.length > 0) throw new RefusedEndpoint(...conflict);
      const saved = await store.updateEndpoint(tx, id, endpoint);
      const shown = difference.map((one) => (one.path[0] === "url" ? { ...one, oldValue: shownUrl, value: saved } : one));
      await record(tx, environment, actor, "update", saved, shown);
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
 * Switches an endpoint off, which holds its deliveries, or on again, which makes them all due now, oldest first. Throws OperatorError.
 */
export const switchEndpoint = (database: Database, environment: Environment, id: string, isOn: boolean, actor: Actor): Promise<void> =>
  change(database, environment, id, async (tx, { shownUrl, disabledAt }) => {
    if ((disabledAt === null) === isOn) return;
    await store.switchEndpointRow(tx, id, isOn ? null : `Switched off by ${actor.name}.`);
    if (isOn) await makeHeldDue(tx, id);
    await record(tx, environment, actor, isOn ? "switch_on" : "switch_off", shownUrl, microdiff({ active: !isOn }, { active: isOn }));
  });

/**
 * Discards the held deliveries of an endpoint that is off, and returns their count. Later ones are held again. The rows stay, and those
 * that can be sent again still can. Throws OperatorError.
 */
export const discardHeld = (database: Database, environment: Environment, id: string, actor: Actor): Promise<number> =>
  change(database, environment, id, async (tx, { shownUrl, disabledAt }) => {
    if (disabledAt === null) throw new OperatorError("The endpoint is switched on: nothing is held for it. Switch it off first.");
    const discarded = await discardPending(tx, id);
    if (discarded > 0) await record(tx, environment, actor, "discard", shownUrl, microdiff({}, { discarded }));
    return discarded;
  });

/** Deletes an endpoint; its pending and held deliveries fail. Throws OperatorError if the id is unknown. */
export const deleteEndpoint = (database: Database, environment: Environment, id: string, actor: Actor = COMMAND_LINE): Promise<void> =>
  changeSubscriptions(database, environment, id, async (tx, { shownUrl, events }) => {
    await store.deleteEndpointRow(tx, id);
    await record(tx, environment, actor, "delete", shownUrl, microdiff({ url: shownUrl, events }, {}));
  });

/**
 * Gives an endpoint a new secret, shown once; for 24 hours the previous secret also signs, where it can be read. Throws OperatorError.
 */
export const rotateSecret = (database: Database, environment: Environment, id: string, cipher: SecretCipher, actor: Actor = COMMAND_LINE) =>
  change(database, environment, id, async (tx, endpoint) => {
    const { secret, encrypted } = makeSecret(cipher, endpoint.id);
    await store.replaceSecret(tx, endpoint.id, encrypted, ROTATION_OVERLAP_MS);
    await record(tx, environment, actor, "rotate", endpoint.shownUrl, null);
    return secret;
  });

/** A change of an endpoint, in the transaction that locks it. */
type Change<T> = (tx: Transaction, endpoint: Endpoint) => Promise<T>;

/** Changes an endpoint in a transaction that locks it. Throws OperatorError if the environment has none of this id. */
const change = <T>(database: Database, environment: Environment, id: string, run: Change<T>): Promise<T> =>
  transact(database, (tx) => held(tx, environment, id, run));

/** Like `change`, for changes of subscriptions. */
const changeSubscriptions = <T>(database: Database, environment: Environment, id: string, run: Change<T>): Promise<T> =>
  transact(database, async (tx) => {
    await holdSubscriptions(tx, environment);
    return held(tx, environment, id, run);
  });

async function held<T>(tx: Transaction, environment: Environment, id: string, run: Change<T>): Promise<T> {
  const endpoint = isUuid(id) ? await store.lockEndpoint(tx, environment.id, id) : null;
  if (endpoint === null) throw unknownEndpoint(id);
  return run(tx, endpoint);
}

/**
 * Waits for transactions that are writing deliveries, so that an owed item's row and deliveries agree on the subscriptions. Switching an
 * endpoint changes no subscription and need not wait.
 */
const holdSubscriptions = (tx: Transaction, { id }: Environment): Promise<void> => lockExclusive(tx, id);

/** Throws OperatorError if the environment has no endpoint of this id. */
export async function requireEndpoint(sql: Sql, environmentId: number, id: string): Promise<void> {
  if ((await store.selectEndpoint(sql, environmentId, id)) === null) throw unknownEndpoint(id);
}

export const unknownEndpoint = (id: string): OperatorError =>
  new OperatorError(`There is no webhook endpoint ${id} in this environment; list them to see which there are.`);

const record = (tx: Transaction, { id, projectId }: Environment, actor: Actor, action: string, shownUrl: string, difference: unknown) =>
  recordChange(tx, { projectId, environmentId: id, actor, action, subjectKind: "webhookEndpoint", subjectKey: shownUrl, difference });

const HOURS = 48;

/** An hour with attempts; latencies in milliseconds. */
export type Hour = Pick<store.HourRow, "hour" | "succeeded" | "failed"> & { p50: number; p95: number };

/** The health of an environment's endpoints in the last 48 hours, including the current one. `now` is real time. */
export async function readHealth({ sql }: Database, { id }: Environment, now: number): Promise<{ id: string; hours: Hour[] }[]> {
  const since = (Math.floor(now / HOUR) - HOURS + 1) * HOUR;
  const rows = Map.groupBy(await store.selectHours(sql, id, since), ({ endpointId }) => endpointId);
  return Array.from(rows, ([endpointId, hours]) => ({ id: endpointId, hours: hours.map(hourOf) }));
}

function hourOf({ hour, succeeded, failed, latencies }: store.HourRow): Hour {
  const buckets = latencyBuckets(latencies);
  return { hour, succeeded, failed, p50: quantile(buckets, 0.5) ?? 0, p95: quantile(buckets, 0.95) ?? 0 };
}
