import type { Sql, Transaction } from "../../../db/client.ts";
import type { EventFact, WaitingFact } from "../../kernel/facts.ts";
import { LANES } from "../../kernel/lanes.ts";
import type { PlayerKey } from "../../kernel/player.ts";
import type { LockedPlayerRow } from "../../players/store.ts";

/** A fact of the queue with the player it is about. */
export type QueuedFact = PlayerKey & WaitingFact;

/** The facts of one player, in their order. */
export interface PlayerFacts extends PlayerKey {
  facts: WaitingFact[];
}

/** Facts that no other transaction applies, with their players, locked until this transaction ends. */
export interface Claim {
  facts: QueuedFact[];
  players: LockedPlayerRow[];
}

/** The columns of a queued fact that a fold reads; the rows are called `q`. */
const fact = (sql: Sql) => sql`
  q.part, q.player_id as "playerId", case when q.kind in ('streakPeriod', 'quietEvent') then q.kind else 'event' end as kind, q.seq, q.source_id as id, q.definition_id as "definitionId",
  (extract(epoch from q.occurred_at) * 1000)::bigint as "occurredAt", (extract(epoch from q.received_at) * 1000)::bigint as "receivedAt",
  coalesce(q.payload, '{}') as properties, q.value`;

/** A quiet event is a kind of its own in the queue, so that other facts pay nothing for there being quiet ones. */
type StoredFact = PlayerKey & Omit<EventFact, "kind" | "isQuiet"> & { kind: WaitingFact["kind"] | "quietEvent" };

type ClaimedRow = (StoredFact & { externalId: null }) | LockedPlayerRow;

function factOf(row: StoredFact): QueuedFact {
  if (row.kind === "event") return row as QueuedFact;
  if (row.kind === "quietEvent") return { ...row, kind: "event", isQuiet: true };
  const { part, playerId, kind, seq, receivedAt, definitionId, properties } = row;
  return { part, playerId, kind, seq, receivedAt, streakId: definitionId, start: String(properties.start) };
}

/**
 * Takes the first facts of an environment from a lane, and locks their players in the order of the key. The facts are deleted when the
 * transaction commits, and stay where it does not. This transaction owns the lane, so the slice is a range of the key; a join would look
 * each row up once more. The players are locked before a row is deleted, in one statement: a transaction with a player's lock sees all of
 * that player's unapplied facts, or has applied them, and the slice then passes them over (`claimOfPlayer`). The count of the locked rows
 * keeps the order: it is computed before the first row is read.
 */
export async function claimFacts(tx: Transaction, lane: number, environmentId: number, limit: number): Promise<Claim> {
  const rows = await tx<ClaimedRow[]>`
    with slice as materialized (
      select seq, part, player_id from queued_facts where lane = ${lane} and environment_id = ${environmentId} order by seq limit ${limit}
    ), locked as materialized (
      select p.*
      from (select array_agg(part) as parts, array_agg(player_id) as players from (select distinct part, player_id from slice) d) k
      cross join lock_players(k.parts, k.players) p
    ), gone as (
      delete from queued_facts q
      where q.lane = ${lane} and q.environment_id = ${environmentId} and q.seq <= (select max(seq) from slice)
        and (select count(*) from locked) >= 0
      returning ${fact(tx)}
    )
    select *, null as "externalId", null as "timeZone", null as completed, null as "isHidden", null as "analyticsEpoch", null as "lastActiveOn" from gone
    union all
    select part, player_id, null, null, null, null, null, null, null, null, external_id, time_zone, '', hidden_at is not null, analytics_epoch, last_active_on::text from locked`;
  const facts: QueuedFact[] = [];
  const players: LockedPlayerRow[] = [];
  for (const row of rows) {
    if (row.externalId === null) facts.push(factOf(row));
    else players.push(row);
  }
  return { facts: facts.sort((a, b) => a.seq - b.seq), players };
}

/**
 * The next position in the order of facts, for a decision about a locked player, and the first facts that the queue still holds for them,
 * in order; they are taken from it. Every fact accepted before this statement is among them, or comes after `limit` of them.
 */
export async function claimOfPlayer(
  tx: Transaction,
  { part, playerId }: PlayerKey,
  limit: number,
): Promise<{ seq: number; facts: QueuedFact[] }> {
  const rows = await tx<(StoredFact & { place: number; id: string | null })[]>`
    with mine as materialized (
      select lane, environment_id, seq from queued_facts where part = ${part} and player_id = ${playerId} order by seq limit ${limit}
    ), gone as (
      delete from queued_facts q using mine m where q.lane = m.lane and q.environment_id = m.environment_id and q.seq = m.seq
      returning ${fact(tx)}
    ), next as materialized (select nextval('fact_seq') as place)
    select next.place, gone.* from next left join gone on true order by gone.seq`;
  return { seq: rows[0]?.place ?? 0, facts: rows.filter(({ id }) => id !== null).map(factOf) };
}

/** The position of the first fact that the queue holds for a player; null without one. */
export async function firstWaitingOf(tx: Transaction, { part, playerId }: PlayerKey): Promise<number | null> {
  const [row] = await tx<
    { seq: number }[]
  >`select seq from queued_facts where part = ${part} and player_id = ${playerId} order by seq limit 1`;
  return row?.seq ?? null;
}

/** Moves a queued fact to the quarantine with its error, so that it blocks no other. False where it is not there. */
export async function setAside(tx: Transaction, environmentId: number, lane: number, seq: number, error: unknown): Promise<boolean> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const rows = await tx<{ seq: number }[]>`
    with bad as (
      delete from queued_facts where lane = ${lane} and environment_id = ${environmentId} and seq = ${seq}
      returning environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value
    )
    insert into quarantined_facts (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value, error)
    select *, ${text}::text from bad returning seq`;
  return rows.length > 0;
}

/** A fact in quarantine as a fold reads it; null where it is not there. */
export async function selectAside(sql: Sql, environmentId: number, seq: number): Promise<QueuedFact | null> {
  const [row] = await sql<StoredFact[]>`
    select ${fact(sql)} from quarantined_facts q where q.environment_id = ${environmentId} and q.seq = ${seq}`;
  return row === undefined ? null : factOf(row);
}

/** Counts the accepted facts of an environment that are not applied; with `seq`, those up to that position. */
export async function countWaiting(sql: Sql, environmentId: number, upToSeq: number | null = null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from generate_series(0, ${LANES - 1}::int) lane join queued_facts q on q.lane = lane.lane and q.environment_id = ${environmentId}
      and (${upToSeq}::bigint is null or q.seq <= ${upToSeq}::bigint)`;
  return row?.count ?? 0;
}
