import { firstValue, type Sql, type Transaction } from "#db/client.ts";
import { inParts, ofParts } from "#db/scale/parts.ts";
import type { Bounded } from "#db/within-bytes.ts";
import { keysText, playersIn } from "./players.ts";
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

/** The applied events of one player and some definitions, in the order of facts. */
export function appliedEventsOf(sql: Sql, { part, playerId }: PlayerKey, definitionIds: readonly number[]): Promise<LoggedEvent[]> {
  return sql<LoggedEvent[]>`
    select ${sql.unsafe(EVENT_COLUMNS)}
    from events e
    where e.part = ${part} and e.player_id = ${playerId} and e.definition_id = any(${definitionIds as number[]}::int[])
      and e.seq not in (
        select q.seq from queued_facts q where q.part = ${part} and q.player_id = ${playerId}
        union all
        select q.seq from quarantined_facts q where q.part = ${part} and q.player_id = ${playerId})
    order by e.seq`.execute();
}

/** The positions of these players' facts that are queued or in quarantine. */
const unapplied = (sql: Sql, players: readonly PlayerKey[]) => {
  const keys = playersIn(sql, players);
  return sql`select q.seq from ${keys} join queued_facts q on q.part = k.part and q.player_id = k."playerId"
    union all select q.seq from ${keys} join quarantined_facts q on q.part = k.part and q.player_id = k."playerId"`;
};

/** As `appliedEventsOf`, for several players. */
export function appliedEventsOfPlayers(
  sql: Sql,
  players: readonly PlayerKey[],
  definitionIds: readonly number[],
  limit: number | null = null,
): Promise<LoggedEvent[]> {
  return sql<LoggedEvent[]>`
    select ${sql.unsafe(EVENT_COLUMNS)}
    from ${playersIn(sql, players)}
    join events e on e.part = k.part and e.player_id = k."playerId" and e.definition_id = any(${definitionIds as number[]}::int[]) ${ofParts(sql, "e", players)}
    where e.seq not in (${unapplied(sql, players)})
    order by e.seq limit ${limit}::int`.execute();
}

const ROWS_AT_ONCE = 1_000;

/**
 * The applied events and metric events of some players, a player at a time, in the order of facts; of all definitions if none are named.
 * The integrity check compares the players' states with them. Until the last player is taken, the transaction can ask nothing else.
 */
export async function* appliedByPlayer<Player extends PlayerKey>(
  tx: Transaction,
  players: readonly Player[],
  definitionIds: readonly number[] | null,
): AsyncGenerator<[Player, EventFact[]]> {
  const left = new Map(players.map((player) => [player.playerId, player]));
  const joined = (table: string) =>
    tx`${tx(table)} e on e.part = k.part and e.player_id = k."playerId" ${ofParts(tx, "e", players)}
      and (${definitionIds as number[] | null}::int[] is null or e.definition_id = any(${definitionIds as number[] | null}::int[]))
      and e.seq not in (${unapplied(tx, players)})`;
  const batches = tx<(LoggedEvent & { value: Numeric | null })[]>`
    select ${tx.unsafe(EVENT_COLUMNS)}, null::json as value from ${playersIn(tx, players)} join ${joined("events")}
    union all
    select ${tx.unsafe(METRIC_EVENT_COLUMNS)} from ${playersIn(tx, players)} join ${joined("metric_events")}
    order by player_id, seq`.cursor(ROWS_AT_ONCE);
  let facts: EventFact[] = [];
  let owner: Player | undefined;
  for await (const batch of batches) {
    for (const { playerId, ...event } of batch) {
      if (playerId !== owner?.playerId) {
        if (owner !== undefined) yield [owner, facts];
        [owner, facts] = [left.get(playerId)!, []];
        left.delete(playerId);
      }
      facts.push({ kind: "event", ...event });
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

/** The applied metric events of some players and metrics, in the order of facts. */
export function appliedMetricEvents(
  sql: Sql,
  players: readonly PlayerKey[],
  definitionIds: readonly number[],
  limit: number | null = null,
): Promise<LoggedMetricEvent[]> {
  return sql.unsafe<LoggedMetricEvent[]>(
    `select ${METRIC_EVENT_COLUMNS}
     from json_to_recordset($1::text::json) as p("part" smallint, "playerId" uuid)
     join metric_events e on e.part = p.part and e.player_id = p."playerId" ${inParts(sql, "e", players)}
     where e.definition_id = any($2::int[])
       and e.seq not in (
         select q.seq from json_to_recordset($1::text::json) as p("part" smallint, "playerId" uuid)
         join queued_facts q on q.part = p.part and q.player_id = p."playerId"
         union all
         select q.seq from json_to_recordset($1::text::json) as p("part" smallint, "playerId" uuid)
         join quarantined_facts q on q.part = p.part and q.player_id = p."playerId")
     order by e.seq limit $3::int`,
    [keysText(players), definitionIds as number[], limit],
  );
}
