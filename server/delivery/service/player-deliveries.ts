import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { selectEndpoint } from "../store/endpoints.ts";
import { type DeliveryCursor, type DeliveryFilter, selectDeliveriesOf } from "../store/list.ts";
import { type DeliveryPage, pageOf } from "./deliveries.ts";
import { unknownEndpoint } from "./endpoints.ts";

/** A page of the deliveries about a player; empty for an unknown one. Throws OperatorError. */
export async function listPlayerDeliveries(
  { sql }: Database,
  environment: Environment,
  externalId: string,
  filter: DeliveryFilter,
  below: DeliveryCursor | null,
  limit: number,
): Promise<DeliveryPage> {
  if (filter.endpointId !== null && (await selectEndpoint(sql, environment.id, filter.endpointId)) === null)
    throw unknownEndpoint(filter.endpointId);
  return pageOf(await selectDeliveriesOf(sql, environment.id, externalId, filter, below, limit + 1), limit);
}
