import type { Transaction } from "#db/client.ts";
import { recentEventsOf } from "#server/game/events/service.ts";
import { recentMetricEventsOf } from "#server/game/metrics/service.ts";
import type { EventFact } from "#server/model/kernel/facts.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/** A player's latest events and metric events of some definitions before a position, `limit` at most, in the order of facts. */
export async function recentFacts(
  tx: Transaction,
  key: PlayerKey,
  definitionIds: readonly number[],
  limit: number,
  before?: number,
): Promise<EventFact[]> {
  const events = await recentEventsOf(tx, key, definitionIds, limit, before);
  const metricEvents = await recentMetricEventsOf(tx, key, definitionIds, limit, before);
  return [...events.map((event) => ({ ...event, value: null })), ...metricEvents]
    .map((event): EventFact => ({ kind: "event", ...event }))
    .sort((a, b) => a.seq - b.seq)
    .slice(-limit);
}
