import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "#db/client.ts";
import { copyEnvironmentsHere } from "#db/scale/local-copy.ts";
import { isDistributed } from "#db/scale/state.ts";
import { nextSeq, untilSeenEverywhere } from "../../engine/store/locks.ts";
import { countWaiting, hasWaiting } from "../../engine/store/queue.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { wrongTotals } from "../../game/metrics/store.ts";
import { isPartial } from "../../insight/analytics/store/counting.ts";
import { plural } from "../../model/kernel/thousands.ts";
import { EXCLUSIVE_EVENT } from "../../model/webhooks/subscriptions.ts";
import { checkAnalytics } from "./check-analytics.ts";
import { checkCounters } from "./check-counters.ts";
import { checkLeaderboards } from "./check-leaderboards.ts";
import { checkLedger, strayRewards, unpaidRewards } from "./check-rewards.ts";
import { checkShop } from "./check-shop.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const PATIENCE_MS = 10_000;
/** Longer than the default of `citus.recover_2pc_interval`. */
const RECOVERY_MS = 90_000;

/**
 * Checks an environment's invariants over all its data: a line for each violation, none if all hold. Reads one snapshot across the tables
 * of all domains, as no other code does.
 */
export const checkIntegrity = (database: Database, environment: Pick<Environment, "id">): Promise<string[]> =>
  checkTogether(database, [environment]);

/** The same for several environments in one snapshot. On a cluster, they are copied to the coordinator once. */
export async function checkTogether(database: Database, environments: readonly Pick<Environment, "id">[]): Promise<string[]> {
  const ids = environments.map(({ id }) => id);
  const found: string[] = [];
  for (const id of ids) {
    const waiting = await countStillWaiting(database, id);
    if (waiting > 0) found.push(`${plural(waiting, "accepted fact is", "accepted facts are")} not applied; is a worker running?`);
  }
  const isSpread = await isDistributed(database.sql);
  // Machines share no snapshot: rows filed between two reads would seem to be missing.
  if (isSpread) for (const id of ids) await untilCounted(database, id);
  if (!(await untilSeenEverywhere(database.sql, RECOVERY_MS)))
    return [...found, "Nothing was compared: a machine still has transactions that a crash left prepared (citus.recover_2pc_interval)."];
  return database.sql.begin(`isolation level repeatable read ${isSpread ? "" : "read only"}`, async (tx) => {
    if (isSpread) await copyEnvironmentsHere(tx, ids);
    // Many thousands of lines are too many arguments for one call.
    const broken: string[][] = [];
    for (const id of ids) broken.push(await checkOne(tx, id));
    return [...found, ...broken.flat()];
  }) as Promise<string[]>;
}

async function checkOne(tx: Transaction, id: number): Promise<string[]> {
  // Read again, since definitions and clock must be those of the snapshot.
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
}

/** The number of facts still waiting although the workers had time for them; later facts are left out. */
async function countStillWaiting({ sql }: Database, environmentId: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  const last = await nextSeq(sql);
  while ((await hasWaiting(sql, environmentId, last)) && performance.now() < deadline) await delay(100);
  return countWaiting(sql, environmentId, { upToSeq: last });
}

/** Waits for a while until all players' history is in the present analytics epoch. */
async function untilCounted({ sql }: Database, environmentId: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await isPartial(sql, environmentId)) && performance.now() < deadline) await delay(100);
}

/** Every owed item has its delivery to the endpoint that subscribed at that time; today's endpoints do not matter. */
async function undelivered(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ id: string; url: string | null }[]>`
    select o.id, shown_url(e.url) as url from owed_items o left join webhook_endpoints e on e.id = o.endpoint_id
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
    select source_id, kind, split_part(error, E'\n', 1) as error from quarantined_facts where environment_id = ${environmentId} order by seq`;
  return rows.map(({ sourceId, kind, error }) => `${kind} ${sourceId} is quarantined: ${error}`);
}

/** The running totals of metrics equal the sums of their events. */
async function totals(tx: Transaction, environmentId: number): Promise<string[]> {
  const wrong = await wrongTotals(tx, environmentId);
  return wrong.map(
    ({ externalId, metric, total, sum }) => `player "${externalId}", metric ${metric}: the total is ${total}, but the events give ${sum}`,
  );
}
