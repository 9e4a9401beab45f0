import { type Database, transact } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { Refused } from "../../kernel/refused.ts";
import type { Actor } from "../../kernel/roles.ts";
import { recordChange } from "../../projects/service.ts";
import { writeEnvelope } from "../envelope.ts";
import * as store from "../store/deliveries.ts";
import { lockEndpoint, selectEndpoint } from "../store/endpoints.ts";
import { unknownEndpoint } from "./endpoints.ts";

export type { DeliveryPlace, DeliveryRow, DeliveryStatus } from "../store/deliveries.ts";

/** A page of what was and is to be sent to an endpoint, the newest first; `next` leads to the one after it. Throws Refused. */
export async function listDeliveries(
  { sql }: Database,
  environment: Environment,
  endpointId: string,
  status: store.DeliveryStatus | null,
  below: store.DeliveryPlace | null,
  limit: number,
): Promise<{ deliveries: store.DeliveryRow[]; next: store.DeliveryPlace | null }> {
  if ((await selectEndpoint(sql, environment.id, endpointId)) === null) throw unknownEndpoint(endpointId);
  const rows = await store.selectDeliveries(sql, endpointId, status, below, limit + 1);
  const deliveries = rows.slice(0, limit);
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)! : null };
}

/** A delivery with its attempts and the body that is sent each time. Throws Refused. */
export async function readDelivery({ sql }: Database, environment: Environment, endpointId: string, id: string) {
  if ((await selectEndpoint(sql, environment.id, endpointId)) === null) throw unknownEndpoint(endpointId);
  const delivery = await store.selectDelivery(sql, endpointId, id);
  if (delivery === null) throw unknownDelivery(id);
  return { ...delivery, body: writeEnvelope(delivery), attemptsMade: await store.selectAttempts(sql, id) };
}

/**
 * Sends a delivery once more, at once and under its id, whatever became of it. Where that fails too it is tried again as the
 * schedule says, if there are attempts left. Throws Refused.
 */
export const retryDelivery = (database: Database, environment: Environment, endpointId: string, id: string, actor: Actor): Promise<void> =>
  transact(database, async (tx) => {
    const endpoint = await lockEndpoint(tx, environment.id, endpointId);
    if (endpoint === null) throw unknownEndpoint(endpointId);
    if (endpoint.disabledAt !== null) throw new Refused("The endpoint is switched off. Switch it on first; then send this again.");
    const delivery = await store.selectDelivery(tx, endpointId, id);
    if (delivery === null) throw unknownDelivery(id);
    if (!(await store.makeDue(tx, id))) throw new Refused("This delivery is being sent at this moment; look again in a few seconds.");
    const { id: environmentId, projectId } = environment;
    const change = { action: "retry", subjectKind: "webhookDelivery", subjectKey: id, difference: null };
    await recordChange(tx, { projectId, environmentId, actor, ...change });
  });

const unknownDelivery = (id: string) => new Refused(`This endpoint has no delivery ${id}; a reset of the Sandbox takes them away.`);
