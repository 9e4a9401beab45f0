import type { Database } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { owedToPlayer } from "../../marketplace/service/history.ts";
import { occurrencesOf } from "../../missions/service/completed.ts";
import { milestonesOf } from "../../streaks/service.ts";
import { selectEndpoint } from "../store/endpoints.ts";
import { type DeliveryCursor, type DeliveryFilter, selectDeliveriesOf, type Told } from "../store/list.ts";
import { EXCLUSIVE_EVENT } from "../subscriptions.ts";
import { type DeliveryPage, pageOf } from "./deliveries.ts";
import { unknownEndpoint } from "./endpoints.ts";

/** The newest completions, owed items and milestones of a player that are looked through, each. */
const LOOKED_THROUGH = 1_000;

/**
 * A page of the deliveries about a player; none for a stranger. Rows of deliveries do not name the player, which would cost every fold an
 * index: what a player was told of is found by what they have completed, are owed and have reached. Throws OperatorError.
 */
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
  const [occurrences, owed, milestones] = await Promise.all([
    occurrencesOf(sql, environment, externalId, LOOKED_THROUGH),
    owedToPlayer(sql, environment, externalId, LOOKED_THROUGH),
    milestonesOf(sql, environment, externalId, LOOKED_THROUGH),
  ]);
  const told: Told[] = [
    ...occurrences.map((sourceId) => ({ event: "mission.completed", sourceId, createdAt: null })),
    ...owed.map(({ id, createdAt }) => ({ event: EXCLUSIVE_EVENT, sourceId: id, createdAt })),
    ...milestones.map((sourceId) => ({ event: "streak.milestone_reached", sourceId, createdAt: null })),
  ];
  if (told.length === 0) return { deliveries: [], next: null };
  return pageOf(await selectDeliveriesOf(sql, environment.id, told, filter, below, limit + 1), limit);
}
