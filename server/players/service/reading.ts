import type { Database } from "../../../db/client.ts";
import { readAttributes } from "../../attributes/service.ts";
import type { Definitions } from "../../definitions/compiled.ts";
import { definitionsOf } from "../../definitions/service.ts";
import { recentEventsOf } from "../../events/service.ts";
import type { Numeric } from "../../kernel/decimal.ts";
import type { Environment } from "../../kernel/environment.ts";
import type { Properties, Scalar } from "../../kernel/values.ts";
import { recentMetricEventsOf, totalsOf } from "../../metrics/service.ts";
import type { MissionRow } from "../../missions/rows.ts";
import { goingOn } from "../../missions/service.ts";
import { type Balance, readBalance, readTransactions, type TransactionRow } from "../../points/service.ts";
import type { StreakRow } from "../../streaks/rows.ts";
import { readStreaks } from "../../streaks/service.ts";
import { type PlayerKey, playerKey } from "../identity.ts";
import { selectPlayer } from "../store.ts";
import { type RewardSource, rewardSources } from "./reward-sources.ts";

/** The number of last transactions and last events that are shown. */
const LAST = 20;

/** The last facts received of a player, newest first. */
export interface ReceivedFact {
  id: string;
  kind: "Event" | "MetricEvent";
  key: string;
  occurredAt: number;
  receivedAt: number;
  properties: Properties;
  /** The amount that a metric event added. */
  value: Numeric | null;
}

/** A player for the dashboard. Instants are epoch milliseconds. */
export interface ReadPlayer {
  externalId: string;
  displayName: string | null;
  timeZone: string | null;
  createdAt: number;
  balance: Balance;
  attributes: Record<string, Scalar>;
  metrics: { key: string; total: Numeric }[];
  streaks: StreakRow[];
  missions: MissionRow[];
  /** Of what the service last received about them; null: nothing yet. */
  lastActiveAt: number | null;
  transactions: (TransactionRow & { source: RewardSource | null })[];
  facts: ReceivedFact[];
}

/**
 * A player as they stand; null for one that nobody has seen. Looking at somebody changes nothing: what a read by their own app
 * would enter them into is left out, and nothing is written. Each part is found by the player's key.
 */
export async function readPlayer(
  database: Database,
  environment: Environment,
  now: number,
  externalId: string,
): Promise<ReadPlayer | null> {
  const { sql } = database;
  const key = playerKey(environment.id, externalId);
  const [player, definitions] = await Promise.all([selectPlayer(sql, key), definitionsOf(sql, environment)]);
  if (player === null) return null;
  const [balance, attributes, totals, streaks, missions, transactions, facts] = await Promise.all([
    readBalance(sql, key),
    readAttributes(database, environment, externalId),
    totalsOf(sql, key),
    readStreaks(database, environment, now, { externalId, language: null }),
    goingOn(database, environment, now, externalId),
    readTransactions(sql, key, LAST),
    lastFacts(database, definitions, key),
  ]);
  const sources = await rewardSources(sql, definitions, key, transactions);
  const { displayName, timeZone, createdAt } = player;
  return {
    ...{ externalId, displayName, timeZone, createdAt, balance, attributes, streaks, missions, facts },
    metrics: Array.from(definitions.metricsById.values()).flatMap(({ id, key: metric }) => {
      const total = totals.get(id);
      return total === undefined ? [] : [{ key: metric, total }];
    }),
    lastActiveAt: facts[0]?.receivedAt ?? null,
    transactions: transactions.map((one) => ({ ...one, source: sources.get(one.sourceId ?? "") ?? null })),
  };
}

/** The last events and metric events received, applied or not. */
async function lastFacts({ sql }: Database, { eventsById, metricsById }: Definitions, key: PlayerKey): Promise<ReceivedFact[]> {
  const [events, metricEvents] = await Promise.all([
    recentEventsOf(sql, key, [...eventsById.keys()], LAST),
    recentMetricEventsOf(sql, key, [...metricsById.keys()], LAST),
  ]);
  const ofEvents = events.map((one) => ({ ...one, kind: "Event" as const, key: eventsById.get(one.definitionId)?.key ?? "", value: null }));
  const ofMetrics = metricEvents.map((one) => ({
    ...one,
    kind: "MetricEvent" as const,
    key: metricsById.get(one.definitionId)?.key ?? "",
  }));
  return [...ofEvents, ...ofMetrics].sort((a, b) => b.seq - a.seq).slice(0, LAST);
}
