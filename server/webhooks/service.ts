import { type Database, transact } from "../../db/client.ts";
import { SERVICE } from "../kernel/roles.ts";
import { recordChange } from "../projects/service.ts";
import { type ClientOptions, openClient, TIMEOUT_MS, type WebhookClient } from "./client.ts";
import { writeEnvelope } from "./envelope.ts";
import { headersOf } from "./headers.ts";
import { outcomeOf } from "./outcome.ts";
import {
  type AttemptRow,
  claimDeliveries,
  type ClaimedRow,
  giveUpDeliveries,
  insertAttempts,
  releaseDeliveries,
  selectBacklogs,
} from "./store.ts";
import { type SwitchedOff, switchOffFailing } from "./store/endpoints.ts";
import type { Room } from "./turns.ts";

export { createEndpoint, deleteEndpoint, type Endpoint, listEndpoints, rotateSecret } from "./service/endpoints.ts";
export { selectTold as findTold, type Told } from "./store/deliveries.ts";

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

/**
 * Records a set of attempts. Returns the endpoints that are switched off for it: they have only failed for five days. Each is
 * switched off in a transaction of its own, with its entry in the audit log; whoever dies before it leaves that to the next attempt.
 */
export async function recordAttempts(database: Database, attempts: readonly Attempt[]): Promise<SwitchedOff[]> {
  const failing = await insertAttempts(database.sql, attempts, PATIENCE_MS);
  const switchedOff: SwitchedOff[] = [];
  for (const id of failing) {
    const one = await transact(database, async (tx) => {
      const off = await switchOffFailing(tx, id, PATIENCE_MS);
      if (off !== null) await recordChange(tx, entryOf(off));
      return off;
    });
    if (one !== null) switchedOff.push(one);
  }
  return switchedOff;
}

const entryOf = ({ environmentId, projectId, url, reason }: SwitchedOff) => ({
  projectId,
  environmentId,
  actor: SERVICE,
  action: "switch_off",
  subjectKind: "webhookEndpoint",
  subjectKey: url,
  difference: [
    { type: "CHANGE", path: ["active"], oldValue: true, value: false },
    { type: "CREATE", path: ["reason"], value: reason },
  ],
});

export { openClient, TIMEOUT_MS, type ClaimedRow, type ClientOptions };
