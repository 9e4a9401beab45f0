import microdiff from "microdiff";
import { entryIn } from "../../model/audit-log/entry.ts";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { lockExclusive } from "../../engine/store/locks.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { nameProblem } from "../../model/kernel/input-text.ts";
import { headersOf, writeEnvelope } from "../../model/webhooks/request.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import * as store from "../store/listeners.ts";
import { subscriptionProblems } from "../../model/webhooks/subscriptions.ts";

/**
 * A run of a program that takes signed copies of a Sandbox's webhooks. Unacknowledged copies wait under its name for the next run;
 * `session` is any text that identifies this run.
 */
interface Run extends store.ListenerKey {
  session: string;
}

/** A copy as it is to be posted, byte for byte. */
export interface Copy {
  id: string;
  event: string;
  headers: Record<string, string>;
  body: string;
}

/** Unacknowledged copies are kept for a day: over lunch, a trip or a night. */
const LISTENER_KEPT_MS = 24 * 60 * 60 * 1000;

/** Listeners poll every five seconds; one that has not polled for three times as long counts as stopped. */
export const LISTENER_GONE_MS = 15_000;

const MAX_NAME_LENGTH = 100;
/** Per environment: each fact is written for every listener. */
const MAX_LISTENERS = 20;
/** Enough for a person's machines and experiments, and leaves slots for others. */
const MAX_LISTENERS_OF_A_PERSON = 5;
const COPIES_AT_ONCE = 50;

/** A listener's signing secret: stable for a person and name as long as AUTH_SECRET is unchanged. */
export const listenerSecret = (cipher: SecretCipher, { environmentId, userId, name }: store.ListenerKey): string =>
  cipher.derive(`listener ${environmentId} ${userId} ${name}`);

/**
 * Starts listening: facts are copied for this listener from the next one on. It replaces an earlier run under the same name. Throws
 * OperatorError.
 */
export async function startListening(
  database: Database,
  environment: Environment,
  { events, ...run }: Run & { events: readonly string[] },
  actor: Actor,
): Promise<void> {
  const { name } = run;
  const problems = subscriptionProblems(events);
  const misnamed = nameProblem("The name of the listener", name, MAX_NAME_LENGTH);
  if (misnamed !== null) problems.push(misnamed);
  if (problems.length > 0) throw new OperatorError(...problems);
  mustBeSandbox(environment);
  await transact(database, async (tx) => {
    const before = await store.lockListener(tx, run);
    if (before === null || events.some((event) => !before.events.includes(event))) {
      // From here on every fact is also written for this listener.
      await lockExclusive(tx, environment.id);
      if (before === null) await requireQuota(tx, run);
    }
    const wanted = [...new Set(events)].toSorted();
    await store.upsertListener(tx, { ...run, events: wanted });
    const difference = microdiff(before === null ? {} : { events: before.events.toSorted() }, { events: wanted });
    if (difference.length === 0) return;
    const action = before === null ? "create" : "update";
    await recordChange(tx, entryIn(environment, actor, { action, subjectKind: "webhookListener", subjectKey: name, difference }));
  });
}

/** Checks the limits on listeners; call it under the exclusive environment lock. Throws OperatorError. */
async function requireQuota(tx: Transaction, { environmentId, userId }: store.ListenerKey): Promise<void> {
  const { all, own } = await store.countListeners(tx, environmentId, userId);
  if (own >= MAX_LISTENERS_OF_A_PERSON)
    throw new OperatorError(
      `You listen to this Sandbox under ${own} names already. Use one of them, or wait: a name is forgotten a day after its program has ended.`,
    );
  if (all >= MAX_LISTENERS)
    throw new OperatorError(`${MAX_LISTENERS} programs listen to this Sandbox already. They are forgotten a day after they have ended.`);
}

/**
 * Drops acknowledged copies and returns the next ones, oldest first, waiting up to `waitMs` if there are none. Unacknowledged copies are
 * returned again, under the same id. Throws OperatorError if another run has taken over, or the listener is unknown.
 */
export async function nextCopies(
  { sql }: Database,
  environment: Environment,
  { waitMs, ...run }: Run & { done: readonly string[]; waitMs: number },
  secret: string,
): Promise<Copy[]> {
  mustBeSandbox(environment);
  const listenerId = await store.acknowledge(sql, run);
  if (listenerId === null)
    throw new OperatorError(
      (await store.isListener(sql, run))
        ? `Another program is now listening as "${run.name}". Give one of them another --name.`
        : `Nothing listens as "${run.name}" any more: a program that has not asked for a day is forgotten. Start it again.`,
    );
  const messages = await waitFor(() => store.selectCopies(sql, listenerId, COPIES_AT_ONCE), waitMs);
  return messages.map((message) => {
    const body = writeEnvelope(message);
    const headers = headersOf({ id: message.id, event: message.event, secret, previousSecret: null }, message.readAt, body);
    return { id: message.id, event: message.event, headers, body };
  });
}

/** The poll interval of a waiting listener. */
const LOOK_MS = 200;
/** Waiting listeners per process. Further ones check once more after a pause, since they poll again as soon as they get a response. */
const MAX_WAITING = 50;
const PAUSE_MS = 1_000;
let waiting = 0;

/** A check takes a connection briefly; waiting takes none. */
async function waitFor<One>(look: () => Promise<One[]>, waitMs: number): Promise<One[]> {
  let found = await look();
  if (found.length > 0) return found;
  if (waiting >= MAX_WAITING) {
    await delay(Math.min(PAUSE_MS, waitMs));
    return look();
  }
  waiting++;
  try {
    for (const end = performance.now() + waitMs; found.length === 0 && performance.now() < end;) {
      await delay(Math.min(LOOK_MS, waitMs));
      found = await look();
    }
    return found;
  } finally {
    waiting--;
  }
}

/** Copies deleted per call: some tens of milliseconds of work. */
const FORGOTTEN_AT_ONCE = 5_000;

/** Deletes expired listeners, and a slice of the expired copies. False while there are more. */
export const forgetListeners = async ({ sql }: Pick<Database, "sql">): Promise<boolean> =>
  (await store.deleteOldListeners(sql, LISTENER_KEPT_MS, FORGOTTEN_AT_ONCE)) < FORGOTTEN_AT_ONCE;

export function mustBeSandbox({ kind }: Environment): void {
  if (kind !== "sandbox") throw new OperatorError("This is for a Sandbox: webhooks of Live go only to its endpoints.");
}
