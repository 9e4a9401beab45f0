import { pageOf } from "#server/model/kernel/page.ts";
import { type Database, type Sql, type Transaction, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { PURCHASE } from "../../model/marketplace/sale.ts";
import { playerKey } from "../../model/players/identity.ts";
import { type Message, writeEnvelope } from "../../model/webhooks/request.ts";
import { EXCLUSIVE_EVENT } from "../../model/webhooks/subscriptions.ts";
import type { AnswerHead } from "../../model/webhooks/answer.ts";
import { type ShownStatus, resendProblem, shownStatus } from "../../model/webhooks/outcome.ts";
import { selectAnswer } from "../store/sending.ts";
import { lockEndpoint } from "../store/endpoints.ts";
import * as store from "../store/deliveries.ts";
import { requireEndpoint, unknownEndpoint } from "./endpoints.ts";

export type { DeliveryCursor } from "../store/deliveries.ts";

export type SeenDelivery = Omit<store.DeliveryRow, "status"> & { status: ShownStatus };

/** A page of deliveries, newest first; `next` is the cursor of the next page. */
export interface DeliveryPage {
  deliveries: SeenDelivery[];
  next: store.DeliveryCursor | null;
}

/** A page of an environment's deliveries; with `player`, an external id, of those about that player. Throws OperatorError. */
export async function listDeliveries(
  { sql }: Database,
  { id }: Environment,
  { player, ...filter }: store.DeliveryFilter & { player: string | null },
  below: store.DeliveryCursor | null,
  limit: number,
): Promise<DeliveryPage> {
  if (filter.endpointId !== null) await requireEndpoint(sql, id, filter.endpointId);
  const rows =
    player === null
      ? await store.selectDeliveries(sql, id, filter, below, limit + 1)
      : await store.selectDeliveriesOf(sql, id, player, filter, below, limit + 1);
  const { page, next } = pageOf(rows, limit);
  return { deliveries: page.map((row) => ({ ...row, status: shownStatus(row.status, row.isOn) })), next };
}

/** A delivery with its attempts and its body, the same on every attempt. Throws OperatorError. */
export async function readDelivery({ sql }: Database, environment: Environment, endpointId: string, id: string) {
  const delivery = await deliveryOf(sql, environment, endpointId, id);
  return {
    ...delivery,
    status: shownStatus(delivery.status, delivery.isOn),
    body: writeEnvelope(delivery),
    attemptsMade: await store.selectAttempts(sql, id),
    resendProblem: resendProblem(delivery.event),
    isPurchaseReversed: await isPurchaseReversed(sql, environment, delivery),
  };
}

/** Whether a delivery asks for an item of a purchase that was reversed since. */
async function isPurchaseReversed(sql: Sql, { id }: Environment, { event, player, data }: store.DeliveryRow & Message): Promise<boolean> {
  if (event !== EXCLUSIVE_EVENT || player === null) return false;
  const { sourceType, sourceId } = JSON.parse(data) as { sourceType: string; sourceId: string };
  return sourceType === PURCHASE && store.isReversed(sql, playerKey(id, player), sourceId);
}

/** The stored beginning of an attempt's response; null if none is stored (any more). Throws OperatorError. */
export async function readAnswer(
  { sql }: Database,
  environment: Environment,
  endpointId: string,
  id: string,
  number: number,
): Promise<AnswerHead | null> {
  await deliveryOf(sql, environment, endpointId, id);
  return selectAnswer(sql, id, number);
}

async function deliveryOf(sql: Sql, environment: Environment, endpointId: string, id: string) {
  await requireEndpoint(sql, environment.id, endpointId);
  const delivery = await store.selectDelivery(sql, endpointId, id);
  if (delivery === null) throw unknownDelivery(id);
  return delivery;
}

/** The status of an item's delivery. */
export type DeliveryState = Pick<store.DeliveryStateRow, "endpointId" | "attempts"> & { deliveryId: string; status: ShownStatus };

/** The status of the deliveries of owed items, by item. `createdAt` is the real time at which the item was created. */
export async function findDeliveryStates(
  sql: Sql,
  environmentId: number,
  items: readonly { sourceId: string; createdAt: number }[],
): Promise<Map<string, DeliveryState>> {
  const rows = await store.selectDeliveryStates(sql, environmentId, EXCLUSIVE_EVENT, items);
  return new Map(
    rows.map(({ id: deliveryId, sourceId, endpointId, isOn, status, attempts }) => [
      sourceId,
      { endpointId, deliveryId, attempts, status: shownStatus(status, isOn) },
    ]),
  );
}

/**
 * Resends a delivery of any status immediately, under its id, if its event allows it. A failure is retried by the schedule while attempts
 * are left. Throws OperatorError.
 */
export const retryDelivery = (database: Database, environment: Environment, endpointId: string, id: string, actor: Actor): Promise<void> =>
  change(database, environment, endpointId, id, async (tx, { isOn, event }) => {
    const problem = resendProblem(event);
    if (problem !== null) throw new OperatorError(problem);
    if (!isOn) throw new OperatorError("The endpoint is switched off. Switch it on first, then resend this.");
    if (!(await store.makeDue(tx, id))) throw new OperatorError("This delivery is being sent at this moment. Try again in a few seconds.");
    await recordOne(tx, environment, actor, "retry", id);
  });

/** Discards a held delivery. The row stays, and can be resent if its event allows it. Throws OperatorError. */
export const discardDelivery = (database: Database, environment: Environment, endpointId: string, id: string, actor: Actor) =>
  change(database, environment, endpointId, id, async (tx, { isOn }) => {
    if (isOn || !(await store.discardOne(tx, id)))
      throw new OperatorError("Only a delivery that is held can be discarded; this one is not.");
    await recordOne(tx, environment, actor, "discard", id);
  });

/** Runs a change of a delivery in a transaction that locks its endpoint. */
const change = (
  database: Database,
  environment: Environment,
  endpointId: string,
  id: string,
  run: (tx: Transaction, delivery: { isOn: boolean; event: string }) => Promise<void>,
): Promise<void> =>
  transact(database, async (tx) => {
    const endpoint = await lockEndpoint(tx, environment.id, endpointId);
    if (endpoint === null) throw unknownEndpoint(endpointId);
    const delivery = await store.selectDelivery(tx, endpointId, id);
    if (delivery === null) throw unknownDelivery(id);
    await run(tx, { isOn: endpoint.disabledAt === null, event: delivery.event });
  });

const recordOne = (tx: Transaction, { id: environmentId, projectId }: Environment, actor: Actor, action: string, id: string) =>
  recordChange(tx, { projectId, environmentId, actor, action, subjectKind: "webhookDelivery", subjectKey: id, difference: null });

const unknownDelivery = (id: string) => new OperatorError(`This endpoint has no delivery ${id}; a reset of the Sandbox deletes them.`);
