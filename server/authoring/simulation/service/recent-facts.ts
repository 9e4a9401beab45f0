import type { Transaction } from "#db/client.ts";
import { readFrom } from "#server/engine/store/applied.ts";
import { recentEventsOf, unappliedOf } from "#server/game/events/service.ts";
import { recentMetricEventsOf } from "#server/game/metrics/service.ts";
import type { EventFact } from "#server/model/kernel/facts.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/**
 * A player's latest events and metric events of some definitions before a position, in the order of facts: those among the last `limit`,
 * or fewer if they are large, that are not in quarantine. `isCut`: there may be earlier ones.
 */
export async function recentFacts(
  tx: Transaction,
  key: PlayerKey,
  definitionIds: readonly number[],
  limit: number,
  before?: number,
): Promise<{ facts: EventFact[]; isCut: boolean }> {
  const events = await recentEventsOf(tx, key, definitionIds, limit, before);
  const metricEvents = await recentMetricEventsOf(tx, key, definitionIds, limit, before);
  const { quarantined } = await unappliedOf(tx, key);
  const from = readFrom(events, metricEvents);
  const latest = [...events.map((event) => ({ ...event, value: null })), ...metricEvents]
    .filter(({ seq }) => seq >= from)
    .map((event): EventFact => ({ kind: "event", ...event }))
    .sort((a, b) => a.seq - b.seq)
    .slice(-limit);
  return { facts: latest.filter(({ seq }) => !quarantined.has(seq)), isCut: from > 0 || latest.length === limit };
}
