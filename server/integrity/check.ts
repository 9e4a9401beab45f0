import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "../../db/client.ts";
import type { Definitions } from "../definitions/compiled.ts";
import { definitionsOf, editInstants } from "../definitions/service.ts";
import { wholePlayer } from "../engine/apply.ts";
import { nextSeq } from "../engine/store.ts";
import { countWaiting } from "../engine/store/queue.ts";
import { appliedEvents } from "../events/store.ts";
import type { Environment } from "../kernel/environment.ts";
import { appliedMetricEvents, wrongTotals } from "../metrics/store.ts";
import { miscounts } from "../missions/recount.ts";
import { loadAllTopicsOf } from "../missions/store.ts";
import { type PlayerRow, playersAfter } from "../players/store.ts";
import { isGranted } from "../points/store.ts";
import { loadEnvironment } from "../projects/find-environment.ts";
import { EXCLUSIVE_EVENT } from "../webhooks/subscriptions.ts";
import { checkLeaderboards } from "./check-leaderboards.ts";
import { checkShop } from "./check-shop.ts";
import { checkStreaks } from "./check-streaks.ts";

const PAGE = 500;
const SETTLE_MS = 10_000;

/**
 * Checks the invariants of an environment over all its data (operations.md, audit): a line for each that is broken,
 * none when all hold. Reads one snapshot, across all domains' tables, which nothing else does.
 */
export async function checkIntegrity(database: Database, { id }: Pick<Environment, "id">): Promise<string[]> {
  const waiting = await settled(database, id);
  const found = await database.sql.begin("isolation level repeatable read read only", async (tx) => {
    // By the definitions and the clock of the snapshot, whenever the caller has read the environment.
    const environment = await loadEnvironment(tx, id);
    if (environment === null) return [];
    return [
      ...(await ledger(tx, id)),
      ...(await totals(tx, id)),
      ...(await unpaidRewards(tx, id)),
      ...(await strayRewards(tx, id)),
      ...(await undelivered(tx, id)),
      ...(await checkShop(tx, id)),
      ...(await checkLeaderboards(tx, environment)),
      ...(await quarantined(tx, id)),
      ...(await counters(tx, environment)),
    ];
  });
  return waiting > 0 ? [`${waiting} accepted facts are not worked off; is a worker running?`, ...found] : found;
}

/** How many facts are still waiting once the workers have had their time; those that come meanwhile have time yet. */
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

async function ledger(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<
    { externalId: string; balance: number; total: string; granted: number; totalGranted: string; spent: number; totalSpent: string }[]
  >`
    select p.external_id as "externalId", coalesce(b.balance, 0) as balance, coalesce(t.total, 0)::text as total,
      coalesce(b.total_granted, 0) as granted, coalesce(t.granted, 0)::text as "totalGranted",
      coalesce(b.total_spent, 0) as spent, coalesce(t.spent, 0)::text as "totalSpent"
    from players p
    left join balances b on b.part = p.part and b.player_id = p.player_id
    left join (
      select part, player_id, sum(amount) as total, sum(amount) filter (where type = 'Grant') as granted,
        -coalesce(sum(amount) filter (where type in ('Spend', 'Refund')), 0) as spent
      from points_transactions where environment_id = ${environmentId} group by part, player_id
    ) t on t.part = p.part and t.player_id = p.player_id
    where p.environment_id = ${environmentId} and (coalesce(b.balance, 0) <> coalesce(t.total, 0) or coalesce(b.balance, 0) < 0
      or coalesce(b.total_granted, 0) <> coalesce(t.granted, 0) or coalesce(b.total_spent, 0) <> coalesce(t.spent, 0))`;
  return rows.map(
    (row) =>
      `player "${row.externalId}": balance ${row.balance} (granted ${row.granted}, spent ${row.spent}), but the transactions give ${row.total} (${row.totalGranted}, ${row.totalSpent})`,
  );
}

/** Every completion has its rewards: points in the ledger, catalog items among the owed. */
async function unpaidRewards(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ occurrenceId: string; ordinal: number; kind: string }[]>`
    select c.occurrence_id as "occurrenceId", r.ordinal - 1 as ordinal, r.reward ->> 'kind' as kind
    from mission_completions c cross join lateral json_array_elements(c.rewards) with ordinality as r(reward, ordinal)
    left join points_transactions t on t.part = c.part and t.player_id = c.player_id and t.source_id = c.occurrence_id
      and t.source_type = 'Mission' and t.type = 'Grant' and t.ordinal = r.ordinal - 1
      and ${isGranted(tx, "t", "(r.reward ->> 'points')::bigint")}
    left join owed_items o on o.part = c.part and o.player_id = c.player_id and o.source_id = c.occurrence_id
      and o.source_type = 'Mission' and o.ordinal = r.ordinal - 1 and o.catalog_item_key = r.reward ->> 'catalogItemKey'
    where c.environment_id = ${environmentId}
      and case r.reward ->> 'kind' when 'Points' then t.id is null else o.id is null end`;
  return rows.map(({ occurrenceId, ordinal, kind }) => `completion ${occurrenceId}: reward ${ordinal} (${kind}) was not granted`);
}

/** No reward of a mission without its completion, and none twice. */
async function strayRewards(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ sourceId: string; ordinal: number; count: number; isStray: boolean }[]>`
    select g.source_id as "sourceId", g.ordinal, count(*) as count, bool_or(c.occurrence_id is null) as "isStray"
    from (
      select part, player_id, source_id, ordinal from points_transactions where environment_id = ${environmentId} and type = 'Grant' and source_type = 'Mission'
      union all
      select part, player_id, source_id, ordinal from owed_items where environment_id = ${environmentId} and source_type = 'Mission'
    ) g
    left join mission_completions c on c.part = g.part and c.player_id = g.player_id and c.occurrence_id = g.source_id
    group by g.part, g.player_id, g.source_id, g.ordinal
    having count(*) > 1 or bool_or(c.occurrence_id is null)`;
  return rows.map(({ sourceId, ordinal, count, isStray }) =>
    isStray
      ? `reward ${ordinal} of ${sourceId} was granted, but there is no such completion`
      : `reward ${ordinal} of ${sourceId} was granted ${count} times`,
  );
}

/** Every owed item has its delivery to the endpoint that subscribed when it came to be owed; whatever endpoints there are today. */
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

/** The counters of live occurrences equal what the events of the log give, and runs of streaks what their periods give. */
async function counters(tx: Transaction, environment: Environment): Promise<string[]> {
  const definitions = await definitionsOf(tx, environment);
  const edited = await editInstants(tx, environment.id, "missions");
  const editedStreaks = await editInstants(tx, environment.id, "streaks");
  const found: string[] = [];
  for (let page = await playersAfter(tx, environment.id, null, PAGE); page.length > 0; page = await nextPage(tx, environment, page)) {
    found.push(...(await miscountsOf(tx, environment, definitions, edited, page)));
    found.push(...(await checkStreaks(tx, definitions, editedStreaks, page)));
  }
  return found;
}

const nextPage = (tx: Transaction, environment: Environment, page: readonly PlayerRow[]): Promise<PlayerRow[]> =>
  playersAfter(tx, environment.id, page.at(-1)?.externalId ?? null, PAGE);

async function miscountsOf(
  tx: Transaction,
  environment: Environment,
  definitions: Definitions,
  edited: ReadonlyMap<number, number>,
  page: readonly PlayerRow[],
) {
  const topics = Map.groupBy(await loadAllTopicsOf(tx, page), ({ playerId }) => playerId);
  const entered = page.filter(({ playerId }) => topics.has(playerId));
  const [events, metricEvents] = await Promise.all([
    appliedEvents(tx, environment.id, entered),
    appliedMetricEvents(tx, environment.id, entered, null),
  ]);
  const logged = [...events.map((event) => ({ ...event, value: null })), ...metricEvents].sort((a, b) => a.seq - b.seq);
  const facts = Map.groupBy(logged, ({ playerId }) => playerId);
  return entered.flatMap((row) => {
    const player = wholePlayer(environment.id, { row, topics: topics.get(row.playerId) ?? [], attributes: new Map(), balance: 0 });
    const own = (facts.get(row.playerId) ?? []).map((fact) => ({ kind: "event" as const, ...fact }));
    return miscounts(player, definitions, ({ id }) => edited.get(id) ?? 0, own).map(
      ({ missionKey, occurrenceNumber, stored, recounted }) =>
        `player "${row.externalId}", mission ${missionKey}, occurrence ${occurrenceNumber}: counters ${stored}, but the events give ${recounted}`,
    );
  });
}
