import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "../../db/client.ts";
import { copyEnvironmentHere } from "../../db/scale/local-copy.ts";
import { isDistributed } from "../../db/scale/state.ts";
import { nextSeq } from "../engine/store.ts";
import { countWaiting } from "../engine/store/queue.ts";
import type { Environment } from "../kernel/environment.ts";
import { wrongTotals } from "../metrics/store.ts";
import { loadEnvironment } from "../projects/find-environment.ts";
import { EXCLUSIVE_EVENT } from "../webhooks/subscriptions.ts";
import { checkAnalytics } from "./check-analytics.ts";
import { checkCounters } from "./check-counters.ts";
import { checkLeaderboards } from "./check-leaderboards.ts";
import { checkLedger, strayRewards, unpaidRewards } from "./check-rewards.ts";
import { checkShop } from "./check-shop.ts";

const SETTLE_MS = 10_000;

/**
 * Checks the invariants of an environment over all its data: a line for each that is broken,
 * none when all hold. Reads one snapshot, across all domains' tables, which nothing else does.
 */
export async function checkIntegrity(database: Database, { id }: Pick<Environment, "id">): Promise<string[]> {
  const waiting = await settled(database, id);
  const isSpread = await isDistributed(database.sql);
  const found = await database.sql.begin(`isolation level repeatable read ${isSpread ? "" : "read only"}`, async (tx) => {
    if (isSpread) await copyEnvironmentHere(tx, id);
    // By the definitions and the clock of the snapshot, whenever the caller has read the environment.
    const environment = await loadEnvironment(tx, id);
    if (environment === null) return [];
    return [
      ...(await checkLedger(tx, id)),
      ...(await totals(tx, id)),
      ...(await unpaidRewards(tx, id)),
      ...(await strayRewards(tx, id)),
      ...(await undelivered(tx, id)),
      ...(await checkShop(tx, id)),
      ...(await checkLeaderboards(tx, environment)),
      ...(await quarantined(tx, id)),
      ...(await checkCounters(tx, environment)),
      ...(await checkAnalytics(tx, environment)),
    ];
  });
  return waiting > 0 ? [`${waiting} accepted facts are not worked off; is a worker running?`, ...found] : found;
}

/** The number of facts that still wait although the workers had time for them; later facts are left out. */
async function settled({ sql }: Database, environmentId: number): Promise<number> {
  const deadline = performance.now() + SETTLE_MS;
  const last = await nextSeq(sql);
  let waiting = await countWaiting(sql, environmentId, last);
  while (waiting > 0 && performance.now() < deadline) {
    await delay(100);
    waiting = await countWaiting(sql, environmentId, last);
  }
  return waiting;
}

/** Every owed item has its delivery to the endpoint that subscribed at that time, whatever endpoints exist today. */
async function undelivered(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ id: string; url: string | null }[]>`
    select o.id, e.url from owed_items o left join webhook_endpoints e on e.id = o.endpoint_id
    where o.environment_id = ${environmentId} and o.endpoint_id is not null and not exists (
      select from webhook_deliveries d
      where d.environment_id = ${environmentId} and d.endpoint_id = o.endpoint_id and d.source_id = o.id and d.event = ${EXCLUSIVE_EVENT}
    )`;
  return rows.map(
    ({ id, url }) => `owed item ${id}: no delivery of ${EXCLUSIVE_EVENT} to ${url ?? "its endpoint, which was deleted since"}`,
  );
}

async function quarantined(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ sourceId: string; kind: string; error: string }[]>`
    select source_id as "sourceId", kind, split_part(error, E'\n', 1) as error from quarantined_facts where environment_id = ${environmentId} order by seq`;
  return rows.map(({ sourceId, kind, error }) => `${kind} ${sourceId} is quarantined: ${error}`);
}

/** The running totals of metrics are the sums of their events. */
async function totals(tx: Transaction, environmentId: number): Promise<string[]> {
  const wrong = await wrongTotals(tx, environmentId);
  return wrong.map(
    ({ externalId, metric, total, sum }) => `player "${externalId}", metric ${metric}: the total is ${total}, but the events give ${sum}`,
  );
}
