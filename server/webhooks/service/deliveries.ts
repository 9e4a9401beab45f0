import { type Database, type Sql, transact } from "../../../db/client.ts";
import { recordChange } from "../../audit-log/record.ts";
import type { Environment } from "../../kernel/environment.ts";
import { OperatorError } from "../../kernel/operator-error.ts";
import type { Actor } from "../../kernel/roles.ts";
import { writeEnvelope } from "../envelope.ts";
import { keptStatus, resendProblem, shownStatus, type ShownStatus } from "../held.ts";
import * as store from "../store/deliveries.ts";
import { lockEndpoint, selectEndpoint } from "../store/endpoints.ts";
import { unknownEndpoint } from "./endpoints.ts";

export type { DeliveryCursor } from "../store/deliveries.ts";

/** A delivery as people see it. */
export type SeenDelivery = Omit<store.DeliveryRow, "status"> & { status: ShownStatus };

/** A page of what was and is to be sent to an endpoint, the newest first; `next` leads to the one after it. Throws OperatorError. */
export async function listDeliveries(
  { sql }: Database,
  environment: Environment,
  endpointId: string,
  status: ShownStatus | null,
  below: store.DeliveryCursor | null,
  limit: number,
): Promise<{ deliveries: SeenDelivery[]; next: store.DeliveryCursor | null }> {
  const isOn = await isSwitchedOn(sql, environment, endpointId);
  const kept = status === null ? null : keptStatus(status, isOn);
  if (status !== null && kept === null) return { deliveries: [], next: null };
  const rows = await store.selectDeliveries(sql, endpointId, kept, below, limit + 1);
  const deliveries = rows.slice(0, limit).map((row) => ({ ...row, status: shownStatus(row.status, isOn) }));
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)! : null };
}

/** A delivery with its attempts and the body that is sent each time. Throws OperatorError. */
export async function readDelivery({ sql }: Database, environment: Environment, endpointId: string, id: string) {
  const isOn = await isSwitchedOn(sql, environment, endpointId);
  const delivery = await store.selectDelivery(sql, endpointId, id);
  if (delivery === null) throw unknownDelivery(id);
  return {
    ...delivery,
    status: shownStatus(delivery.status, isOn),
    body: writeEnvelope(delivery),
    attemptsMade: await store.selectAttempts(sql, id),
    resendProblem: resendProblem(delivery.event),
  };
}

/** Throws OperatorError where the environment has no such endpoint. */
async function isSwitchedOn(sql: Sql, environment: Environment, endpointId: string): Promise<boolean> {
  const endpoint = await selectEndpoint(sql, environment.id, endpointId);
  if (endpoint === null) throw unknownEndpoint(endpointId);
  return endpoint.disabledAt === null;
}

/** The status of a notification at one endpoint. */
export type DeliveryState = Pick<store.DeliveryStateRow, "endpointId" | "attempts"> & { status: ShownStatus };

/** The status of notifications, by source. `createdAt` is the real time at which the source came to be. */
export async function findDeliveryStates(
  sql: Sql,
  environmentId: number,
  event: string,
  facts: readonly { sourceId: string; createdAt: number }[],
): Promise<Map<string, DeliveryState>> {
  const rows = await store.selectDeliveryStates(sql, environmentId, event, facts);
  return new Map(
    rows.map(({ sourceId, endpointId, isOn, status, attempts }) => [sourceId, { endpointId, attempts, status: shownStatus(status, isOn) }]),
  );
}

/**
 * Sends a delivery once more, at once and under its id, whatever its status, where its event allows it. A failure is retried by the
 * schedule while attempts are left. Throws OperatorError.
 */
export const retryDelivery = (database: Database, environment: Environment, endpointId: string, id: string, actor: Actor): Promise<void> =>
  transact(database, async (tx) => {
    const endpoint = await lockEndpoint(tx, environment.id, endpointId);
    if (endpoint === null) throw unknownEndpoint(endpointId);
    const delivery = await store.selectDelivery(tx, endpointId, id);
    if (delivery === null) throw unknownDelivery(id);
    const problem = resendProblem(delivery.event);
    if (problem !== null) throw new OperatorError(problem);
    if (endpoint.disabledAt !== null) throw new OperatorError("The endpoint is switched off. Switch it on first; then send this again.");
    if (!(await store.makeDue(tx, id))) throw new OperatorError("This delivery is being sent at this moment; look again in a few seconds.");
    const { id: environmentId, projectId } = environment;
    const change = { action: "retry", subjectKind: "webhookDelivery", subjectKey: id, difference: null };
    await recordChange(tx, { projectId, environmentId, actor, ...change });
  });

const unknownDelivery = (id: string) => new OperatorError(`This endpoint has no delivery ${id}; a reset of the Sandbox takes them away.`);
