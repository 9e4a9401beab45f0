import { firstValue, type Sql, type Transaction } from "#db/client.ts";
import { ofParts } from "#db/scale/parts.ts";
import type { Bounded } from "#db/within-bytes.ts";
import { playersIn } from "./players.ts";
import type { Properties } from "../../model/kernel/values.ts";
import type { EventFact } from "../../model/kernel/facts.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import type { Numeric } from "../../model/kernel/decimal.ts";

/** An event to append; all of a batch are received at one instant. */
export interface NewEvent extends PlayerKey {
  id: string;
  definitionId: number;
  occurredAt: number;
  properties: Properties;
}

/** One event of the log, with its position in the order of facts. */
export interface LoggedEvent extends NewEvent {
  seq: number;
  receivedAt: number;
}

/** The columns of a logged event, of a table or row that is called e. */
export const EVENT_COLUMNS =
  "e.part, e.player_id, e.id, e.definition_id, e.seq, e.occurred_at, e.received_at, coalesce(e.properties, '{}') as properties";
/** The columns of a logged metric event, likewise. */
export const METRIC_EVENT_COLUMNS = `${EVENT_COLUMNS}, e.normalized_value::text::json as value`;

/** The instant before which an environment's events may have been deleted by its retention setting, on its clock; null if none were. */
export const purgedBefore = (sql: Sql, environmentId: number): Promise<number | null> =>
  firstValue(sql<{ purgedBefore: number | null }[]>`
    select purged_before from retention where environment_id = ${environmentId}::int`);

/** The positions of these players' facts that are queued or in quarantine. */
const unapplied = (sql: Sql, players: readonly PlayerKey[]) => {
  const keys = playersIn(sql, players);
  return sql`select q.seq from ${keys} join queued_facts q on q.part = k.part and q.player_id = k."playerId"
    union all select q.seq from ${keys} join quarantined_facts q on q.part = k.part and q.player_id = k."playerId"`;
};

/** Rows may have megabytes each. */
const ROWS_AT_ONCE = 200;

/** An applied event or metric event, and whose it is. */
export type AppliedFact = EventFact & PlayerKey;

/**
 * The applied events and metric events of some players, a player at a time, in the order of facts, in parts: one player may have millions. Of
 * all definitions if none are named. Until the last part is taken, the transaction can ask nothing else.
 */
export async function* appliedFacts(
  tx: Transaction,
  players: readonly PlayerKey[],
  definitionIds: readonly number[] | null,
  limit: number | null = null,
): AsyncGenerator<AppliedFact[]> {
  const joined = (table: string) =>
    tx`${tx(table)} e on e.part = k.part and e.player_id = k."playerId" ${ofParts(tx, "e", players)}
      and (${definitionIds as number[] | null}::int[] is null or e.definition_id = any(${definitionIds as number[] | null}::int[]))
      and e.seq not in (${unapplied(tx, players)})`;
  const parts = tx<(LoggedEvent & { value: Numeric | null })[]>`
    select ${tx.unsafe(EVENT_COLUMNS)}, null::json as value from ${playersIn(tx, players)} join ${joined("events")}
    union all
    select ${tx.unsafe(METRIC_EVENT_COLUMNS)} from ${playersIn(tx, players)} join ${joined("metric_events")}
    order by player_id, seq limit ${limit}::int`.cursor(ROWS_AT_ONCE);
  for await (const part of parts) yield part.map((event): AppliedFact => ({ kind: "event", ...event }));
}

/** The same of each player at once, also of those without. The integrity check compares the players' states with them. */
export async function* appliedByPlayer<Player extends PlayerKey>(
  tx: Transaction,
  players: readonly Player[],
  definitionIds: readonly number[] | null,
): AsyncGenerator<[Player, EventFact[]]> {
  const left = new Map(players.map((player) => [player.playerId, player]));
  let facts: EventFact[] = [];
  let owner: Player | undefined;
  for await (const part of appliedFacts(tx, players, definitionIds)) {
    for (const { playerId, ...fact } of part) {
      if (playerId !== owner?.playerId) {
        if (owner !== undefined) yield [owner, facts];
        [owner, facts] = [left.get(playerId)!, []];
        left.delete(playerId);
      }
      facts.push(fact);
    }
  }
  if (owner !== undefined) yield [owner, facts];
  for (const player of left.values()) yield [player, []];
}

/** The position from which all of these logs were read, each in the order of facts: what a bound in bytes cut off lies before it. */
export const readFrom = (...logs: readonly (readonly (Bounded & { seq: number })[])[]): number =>
  Math.max(0, ...logs.flatMap(([first]) => (first?.isFull === true ? [first.seq] : [])));

/** One metric event of the log, with its position in the order of facts; `value` is the amount it adds. */
export interface LoggedMetricEvent extends PlayerKey {
  id: string;
  definitionId: number;
  seq: number;
  occurredAt: number;
  receivedAt: number;
  properties: Properties;
  value: Numeric;
}
