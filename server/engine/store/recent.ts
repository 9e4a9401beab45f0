import type { Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { type EventFact, isEvent } from "../../model/kernel/facts.ts";
import { fineLaneOf } from "../../model/kernel/lanes.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { QueuedFact } from "./queue.ts";

/** The number of newest facts that each lane keeps, and the number shown in total. */
export const KEPT_FACTS = 5;

/** Notes the newest facts of a slice in the transaction that owns the lane; `facts` are in order. */
export async function noteRecent(tx: Transaction, environmentId: number, lane: number, facts: readonly QueuedFact[]): Promise<void> {
  const received = facts.filter(isReceived);
  const [first] = received;
  if (first === undefined) return;
  await tx`
    insert into recent_facts as r (environment_id, lane, first_received_at, facts)
    values (${environmentId}, ${lane}, ${first.receivedAt}::timestamptz, ${newestOf(received)}::text::jsonb)
    on conflict (environment_id, lane) do update set facts = (
      select jsonb_agg(kept.fact order by kept.place) from (
        select fact, place from jsonb_array_elements(excluded.facts || r.facts) with ordinality as all_of_them (fact, place)
        order by place limit ${KEPT_FACTS}
      ) kept
    )`;
}

/**
 * As `noteRecent`, for a transaction that applies one player's facts in parallel with the worker. If the worker has the row, these facts
 * are left out instead of waiting for it.
 */
export async function noteRecentBeside(tx: Transaction, environmentId: number, facts: readonly QueuedFact[]): Promise<void> {
  const received = facts.filter(isReceived);
  const [first] = received;
  if (first === undefined) return;
  const lane = fineLaneOf(first.part);
  await tx`
    with free as materialized (
      select environment_id, lane from recent_facts where environment_id = ${environmentId} and lane = ${lane} for no key update skip locked
    ), noted as (
      update recent_facts r set facts = (
        select jsonb_agg(kept.fact order by kept.place) from (
          select fact, place from jsonb_array_elements(${newestOf(received)}::text::jsonb || r.facts) with ordinality as all_of_them (fact, place)
          order by place limit ${KEPT_FACTS}
        ) kept
      ) from free f where r.environment_id = f.environment_id and r.lane = f.lane
    )
    insert into recent_facts (environment_id, lane, first_received_at, facts)
    select ${environmentId}, ${lane}, ${first.receivedAt}::timestamptz, ${newestOf(received)}::text::jsonb
    where not exists (select from recent_facts where environment_id = ${environmentId} and lane = ${lane})
    on conflict do nothing`;
}

const newestOf = (facts: readonly (PlayerKey & EventFact)[]): string =>
  writeJson(
    facts
      .slice(-KEPT_FACTS)
      .reverse()
      .map(({ seq, part, playerId, definitionId, receivedAt }) => ({ seq, part, playerId, definitionId, receivedAt })),
  );

/** Facts sent by a client. The beginning of a streak's period is not one: the service creates it. */
const isReceived = (fact: QueuedFact): fact is PlayerKey & EventFact => isEvent(fact);
