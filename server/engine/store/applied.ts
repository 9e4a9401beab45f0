import { firstValue, type Sql, type Transaction } from "#db/client.ts";
import { inParts } from "#db/scale/parts.ts";
import type { Bounded } from "#db/within-bytes.ts";
import { keysText } from "./players.ts";
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

const COLUMNS = "e.part, e.player_id, e.id, e.definition_id, e.seq, e.occurred_at, e.received_at";
/** The columns of a logged event, of a table or row that is called e. */
export const EVENT_COLUMNS = `${COLUMNS}, coalesce(e.properties, '{}') as properties`;
/** The columns of a logged metric event, likewise. */
export const METRIC_EVENT_COLUMNS = `${EVENT_COLUMNS}, e.normalized_value::text::json as value`;

/** Larger properties are read one by one. */
const MAX_BYTES_TOGETHER = 2 ** 16;

/** The instant before which an environment's events may have been deleted by its retention setting, on its clock; null if none were. */
export const purgedBefore = (sql: Sql, environmentId: number): Promise<number | null> =>
  firstValue(sql<{ purgedBefore: number | null }[]>`
    select purged_before from retention where environment_id = ${environmentId}::int`);

const ROWS_AT_ONCE = 200;

/** An applied event or metric event, and whose it is. */
export type AppliedFact = EventFact & PlayerKey;

type FactRow = Omit<LoggedEvent, "properties"> & { properties: Properties | null; value: Numeric | null };

let cursors = 0;

/**
 * The applied events and metric events of some players, a player at a time, in the order of facts, and in parts, as one player may have
 * millions. Large properties are a part of their own. All definitions if none are named. Read by a declared cursor: meanwhile the
 * transaction may ask other things, and a statement timeout does not count what is done with the parts.
 */
export async function* appliedFacts(
  tx: Transaction,
  players: readonly PlayerKey[],
  definitionIds: readonly number[] | null,
  limit: number | null = null,
): AsyncGenerator<AppliedFact[]> {
  const cursor = `applied_${++cursors}`;
  const keys = `json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid)`;
  const unapplied = (table: string) => `select q.seq from ${keys} join ${table} q on q.part = k.part and q.player_id = k."playerId"`;
  const facts = (table: string, value: string) => `
    select ${COLUMNS}, ${value} as value,
      case when e.properties is null then '{}'
        when octet_length(e.properties::text) <= ${MAX_BYTES_TOGETHER} then e.properties end as properties
    from ${keys} join ${table} e on e.part = k.part and e.player_id = k."playerId" ${inParts(tx, "e", players)}
    where ($2::int[] is null or e.definition_id = any($2::int[]))
      and e.seq not in (${unapplied("queued_facts")} union all ${unapplied("quarantined_facts")})`;
  const declare = `declare ${cursor} no scroll cursor for
    ${facts("events", "null::json")} union all ${facts("metric_events", "e.normalized_value::text::json")}
    order by player_id, seq limit $3::int`;
  const next = () => tx.unsafe<FactRow[]>(`fetch ${ROWS_AT_ONCE} from ${cursor}`);
  const [, first] = await Promise.all([tx.unsafe(declare, [keysText(players), definitionIds as number[] | null, limit]), next()]);
  for (let rows: readonly FactRow[] = first; rows.length > 0; rows = rows.length < ROWS_AT_ONCE ? [] : await next()) {
    let part: AppliedFact[] = [];
    for (const { properties, ...fact } of rows) {
      if (properties !== null) {
        part.push({ kind: "event", ...fact, properties });
        continue;
      }
      if (part.length > 0) yield part;
      part = [];
      const loaded = await loadProperties(tx, fact);
      // The retention setting may have deleted it since the cursor was opened.
      if (loaded !== null) yield [{ kind: "event", ...fact, properties: loaded }];
    }
    if (part.length > 0) yield part;
  }
  await tx.unsafe(`close ${cursor}`);
}

const loadProperties = (tx: Transaction, { part, playerId, id, value }: Omit<FactRow, "properties">): Promise<Properties | null> =>
  firstValue(tx<{ properties: Properties }[]>`
    select coalesce(properties, '{}') as properties from ${tx(value === null ? "events" : "metric_events")}
    where part = ${part} and player_id = ${playerId} and id = ${id}`);

/** The same, one whole player at a time, including players without facts. The integrity check compares the players' states with them. */
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
