import microdiff from "microdiff";
import { randomUUID } from "node:crypto";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { lockShared } from "../../engine/store/locks.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { type Sampled, sampleData } from "../../model/webhooks/sample.ts";
import { countReceivers, type Receivers } from "../store/listeners.ts";
import { isWebhookEvent, subscriptionProblems } from "../../model/webhooks/subscriptions.ts";
import { LISTENER_GONE_MS, mustBeSandbox } from "./listen.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

/**
 * Sends a test delivery of an event in a Sandbox to every subscribed endpoint and listener: signed, retried and shown like any other, but
 * with made-up content. Returns the number of receivers. Throws OperatorError.
 */
export function triggerWebhook(
  database: Database,
  environment: Environment,
  event: string,
  sampled: Omit<Sampled, "id">,
  actor: Actor,
): Promise<Receivers> {
  mustBeSandbox(environment);
  const problems = subscriptionProblems([event]);
  if (!isWebhookEvent(event)) throw new OperatorError(...problems);
  const { id: environmentId, projectId } = environment;
  return transact(database, async (tx) => {
    await lockShared(tx, environmentId);
    const receivers = await countReceivers(tx, environmentId, event, LISTENER_GONE_MS);
    if (Object.values(receivers).every((count) => count === 0))
      throw new OperatorError(`${event} has no receiver in this Sandbox: no endpoint subscribes to it, and no program listens.`);
    const id = randomUUID();
    const data = sampleData(event, { ...sampled, id });
    await enqueueDeliveries(tx, [{ environmentId, event, sourceId: id, data, occurredAt: sampled.now }]);
    const subject = { subjectKind: "webhook", subjectKey: event, difference: microdiff({}, { data }) };
    await recordChange(tx, { projectId, environmentId, actor, action: "trigger", ...subject });
    return receivers;
  });
}
