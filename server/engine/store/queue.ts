import { firstValue, hasRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { isSpread } from "#db/scale/parts.ts";
import { withinBytes } from "#db/within-bytes.ts";
import type { Numeric } from "../../model/kernel/decimal.ts";
import type { WaitingFact } from "../../model/kernel/facts.ts";
import { parseJson } from "../../model/kernel/json.ts";
import { FINE_LANES, fineLaneOf } from "../../model/kernel/lanes.ts";
import type { PlayerKey } from "../../model/kernel/player.ts";
import { withoutSecrets } from "../../model/kernel/secrets.ts";
import type { Properties } from "../../model/kernel/values.ts";
import { waitUntilSeen } from "./locks.ts";
import { lockPlayers, type LockedPlayerRow } from "./players.ts";

export type QueuedFact = PlayerKey & WaitingFact;

/** The facts of one player, in their order. */
export interface PlayerFacts extends PlayerKey {
  facts: WaitingFact[];
}

/** Facts that no other transaction applies, with their players, locked until this transaction ends. */
export interface Claim {
  facts: QueuedFact[];
  players: LockedPlayerRow[];
  /** Whether it took as many facts as it may, in number or bytes; more may wait. */
  isFull: boolean;
}

/**
 * A claim takes no further fact once its payloads have this many bytes: a property may have megabytes, and a claim, read and parsed, takes
 * some four times its bytes of memory.
 */
const MAX_CLAIM_BYTES = 2 ** 23;

/** A payload's size. It is stored uncompressed, so a large one is not read for it. */
const BYTES = "coalesce(pg_column_size(payload), 0)";

/** Separators of facts, and of the fields of a fact: characters that JSON always escapes. */
const BETWEEN_FACTS = 30;
const BETWEEN_FIELDS = 31;

/**
 * A queued fact as one text; the rows are called `q`. A column for each field costs Node twice as much. `concat_ws` leaves nulls out, so
 * only the last field may be null.
 */
const fact = (sql: Sql) => sql`
  concat_ws(chr(${BETWEEN_FIELDS}::int), q.part, q.player_id, q.kind, q.seq, q.source_id, q.definition_id, (date_part('epoch', q.occurred_at) * 1000)::bigint,
    (date_part('epoch', q.received_at) * 1000)::bigint, coalesce(q.payload, '{}'), q.value)`;

const FACTS_APART = String.fromCharCode(BETWEEN_FACTS);
const FIELDS_APART = String.fromCharCode(BETWEEN_FIELDS);

type StoredFact = [string, string, string, string, string, string, string, string, string, string?];

/**
 * Quiet events, and events whose moves the tail keeps, are kinds of their own in the queue, so that other facts pay nothing for them. Each
 * object literal is written out: spreading a shared part costs as much as the whole parse.
 */
function readFact(text: string): QueuedFact {
  const [part, playerId, kind, seq, id, definitionId, occurredAt, receivedAt, payload, value] = text.split(FIELDS_APART) as StoredFact;
  const properties = parseJson(payload) as Properties;
  if (kind === "streakPeriod") {
    const [streakId, start] = [Number(definitionId), String(properties.start)];
    return { part: Number(part), playerId, kind, seq: Number(seq), receivedAt: Number(receivedAt), streakId, start };
  }
  const event: QueuedFact = {
    part: Number(part),
    playerId,
    kind: "event",
    seq: Number(seq),
    id,
    definitionId: Number(definitionId),
    occurredAt: Number(occurredAt),
    receivedAt: Number(receivedAt),
    properties,
    value: value === undefined ? null : (parseJson(value) as Numeric),
  };
  if (kind === "event" || kind === "metric") return event;
  return kind === "quietEvent" ? { ...event, isQuiet: true } : { ...event, isRecorded: true };
}

type StoredPlayer = [string, string, string, string, string, string];

/** Players as a line each, and their external ids, which may hold line breaks, as JSON. */
function readPlayers(lines: string, externalIds: string): LockedPlayerRow[] {
  const names = JSON.parse(externalIds) as string[];
  return lines.split("\n").map((line, at) => {
    const [part, playerId, isHidden, analyticsEpoch, lastActiveOn, timeZone] = line.split(" ") as StoredPlayer;
    return {
      part: Number(part),
      playerId,
      externalId: names[at]!,
      timeZone: timeZone || null,
      completed: "",
      isHidden: isHidden === "t",
      analyticsEpoch: Number(analyticsEpoch),
      lastActiveOn: lastActiveOn || null,
    };
  });
}

/**
 * The first facts of an environment in fine lanes, as rows of `row` (its ctid), part, player_id and traceparent. One lane is read after the
 * other, the one with the oldest fact first: no more rows than `limit`, and no more bytes than a claim may have. A slice takes the beginning
 * of a lane, so that a player's facts keep their order; a backlog is taken by narrow ranges of players, who then have several facts in a
 * slice and lie close together. All waiting facts are above the queue's floor (db/schema/worker.ts): the condition makes the index begin
 * where they do.
 */
export const firstFacts = (sql: Sql, lanes: readonly number[], environmentId: number, limit: number) =>
  withinBytes(
    sql,
    sql`
  select q.* from (
    select l.lane, q.seq from unnest(${lanes as number[]}::int[]) l(lane) cross join lateral (
      select seq from queued_facts q where lane = l.lane and environment_id = ${environmentId}::int and q.seq > (select floor from queue_floor) order by seq limit 1) q
    order by q.seq
  ) f cross join lateral (
    select row, part, player_id, traceparent, bytes from (
      select ctid as row, part, player_id, traceparent, ${sql.unsafe(BYTES)} as bytes ${unended(sql)} from queued_facts q
      where lane = f.lane and environment_id = ${environmentId}::int and q.seq > (select floor from queue_floor) order by seq limit ${limit}::int
    ) q ${beforeUnended(sql)}
  ) q limit ${limit}::int`,
    MAX_CLAIM_BYTES,
  );

/**
 * Over several machines: whether a fact of the queue `q`, or an earlier one, was queued by a transaction that has not ended. Such a fact is
 * visible here a moment before its player and its log entry are on their machine. Until then the transaction holds the lock of its id.
 */
const unended = (sql: Sql) =>
  isSpread(sql)
    ? sql`, bool_or(q.xmin = any(array(select l.transactionid from pg_locks l
        where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid()))) over (order by q.seq) as is_unended`
    : sql``;

/** Only the facts before the first unended one, since a player's facts are taken in order. */
const beforeUnended = (sql: Sql) => (isSpread(sql) ? sql`where not is_unended` : sql``);

/**
 * Takes the first facts of an environment from fine lanes that this transaction owns, and locks their players in the order of the key. If
 * the transaction rolls back, the facts stay in the queue. A row is found once: it stays where it is as long as this statement can see it.
 * The players are locked before a row is deleted, in one statement: a transaction with a player's lock sees all of that player's unapplied
 * facts, or has applied them, and the slice then passes them over (`claimOfPlayer`). Counting the locked rows enforces this order: it is
 * computed before the first row is read.
 */
export async function claimFacts(tx: Transaction, lanes: readonly number[], environmentId: number, limit: number): Promise<Claim> {
  const [row] = await tx<{ facts: string | null; isFull: boolean | null; players: string | null; externalIds: string | null }[]>`
    with slice as materialized (${firstFacts(tx, lanes, environmentId, limit)}), locked as materialized (
      select p.*
      from (select array_agg(part) as parts, array_agg(player_id) as players from (select distinct part, player_id from slice) d) k
      cross join lock_players(k.parts, k.players) p
    ), gone as (
      delete from queued_facts q
      where q.ctid = any(array(select s.row from slice s)) and (select count(*) from locked) >= 0
      returning ${fact(tx)} as fact
    )
    select (select string_agg(fact, chr(${BETWEEN_FACTS}::int)) from gone) as facts, (select bool_or(is_full) from slice) as is_full, l.players, l.external_ids
    from (
      select json_agg(external_id)::text as external_ids,
        string_agg(concat_ws(' ', part, player_id, hidden_at is not null, analytics_epoch, coalesce(last_active_on::text, ''), coalesce(time_zone, '')), chr(10)) as players
      from locked
    ) l`;
  const facts = row?.facts?.split(FACTS_APART).map(readFact) ?? [];
  const players = row?.players && row.externalIds ? readPlayers(row.players, row.externalIds) : [];
  if (isSpread(tx)) players.push(...(await lockUnseen(tx, facts, players)));
  return { facts: facts.sort((a, b) => a.seq - b.seq), players, isFull: facts.length >= limit || row?.isFull === true };
}

/** Locks players whose rows had not reached their machine when the facts were claimed; after a crash this takes some seconds. */
async function lockUnseen(tx: Transaction, facts: readonly QueuedFact[], players: readonly PlayerKey[]): Promise<LockedPlayerRow[]> {
  const seen = new Set(players.map(({ playerId }) => playerId));
  const unseen = facts.filter(({ playerId }) => !seen.has(playerId));
  if (unseen.length === 0) return [];
  await waitUntilSeen(tx);
  return lockPlayers(tx, unseen);
}

/**
 * The next position in the order of facts, for a decision about a locked player, and the first facts that the queue still holds for them,
 * in order; they are taken from it. Every fact accepted before this statement is among them, or comes after them: then it is full.
 */
export async function claimOfPlayer(
  tx: Transaction,
  { part, playerId }: PlayerKey,
  limit: number,
): Promise<{ seq: number } & Pick<Claim, "facts" | "isFull">> {
  const rows = await tx<{ place: number; isFull: boolean | null; fact: string | null }[]>`
    with mine as materialized (${withinBytes(
      tx,
      tx`
      select lane, environment_id, seq, bytes from (
        select lane, environment_id, seq, ${tx.unsafe(BYTES)} as bytes ${unended(tx)} from queued_facts q
        where part = ${part} and player_id = ${playerId} order by seq limit ${limit}
      ) q ${beforeUnended(tx)}`,
      MAX_CLAIM_BYTES,
    )}), gone as (
      delete from queued_facts q using mine m where q.lane = m.lane and q.environment_id = m.environment_id and q.seq = m.seq
      returning q.seq, ${fact(tx)} as fact
    ), next as materialized (select nextval('fact_seq') as place)
    select next.place, (select bool_or(is_full) from mine) as is_full, gone.fact from next left join gone on true order by gone.seq`;
  const facts = rows.flatMap((row) => (row.fact === null ? [] : [readFact(row.fact)]));
  return { seq: rows[0]?.place ?? 0, facts, isFull: facts.length >= limit || rows[0]?.isFull === true };
}

/** The positions of the facts that the queue holds for a player. */
export async function queuedOf(sql: Sql, { part, playerId }: PlayerKey): Promise<Set<number>> {
  const rows = await sql<{ seq: number }[]>`select seq from queued_facts where part = ${part} and player_id = ${playerId}`;
  return new Set(rows.map(({ seq }) => seq));
}

/** The position of the first fact that the queue holds for a player; null if there is none. */
export const firstWaitingOf = (sql: Sql, { part, playerId }: PlayerKey) =>
  firstValue(sql<{ seq: number }[]>`select seq from queued_facts where part = ${part} and player_id = ${playerId} order by seq limit 1`);

/** Moves a queued fact to the quarantine with its error, so that it blocks no other. False if it is not queued. */
export async function setAside(
  tx: Transaction,
  environmentId: number,
  { part, seq }: Pick<QueuedFact, "part" | "seq">,
  error: unknown,
): Promise<boolean> {
  const text = withoutSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return hasRow(tx<{ seq: number }[]>`
    with bad as (
      delete from queued_facts where lane = ${fineLaneOf(part)} and environment_id = ${environmentId} and seq = ${seq}
      returning environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value
    )
    insert into quarantined_facts (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value, error)
    select *, ${text}::text from bad returning seq`);
}

/** A quarantined fact as a fold reads it; null if there is none. */
export async function selectAside(sql: Sql, environmentId: number, seq: number): Promise<QueuedFact | null> {
  const [row] = await sql<{ fact: string }[]>`
    select ${fact(sql)} as fact from quarantined_facts q where q.environment_id = ${environmentId} and q.seq = ${seq}`;
  return row === undefined ? null : readFact(row.fact);
}

/**
 * At most `most` accepted facts of an environment that are not applied, as rows without columns; those up to a position if given. Each lane
 * is read by itself, from its first waiting fact on: a plain join compared every fact of the queue with every lane.
 */
export const waitingFacts = (sql: Sql, environmentId: number, upToSeq: number | null, most: number | null) => sql`
  select from generate_series(0, ${FINE_LANES - 1}::int) l(lane) cross join lateral (
    select from queued_facts q where q.lane = l.lane and q.environment_id = ${environmentId}::int
      and q.seq > (select floor from queue_floor) and q.seq <= ${upToSeq ?? Number.MAX_SAFE_INTEGER}::bigint limit ${most}::int
  ) q limit ${most}::int`;

/** The number of waiting facts, counted up to `most`. */
export const countWaiting = (
  sql: Sql,
  environmentId: number,
  { upToSeq = null, most = null }: { upToSeq?: number | null; most?: number | null } = {},
) => onlyValue(sql<{ count: number }[]>`select count(*) from (${waitingFacts(sql, environmentId, upToSeq, most)}) counted`);

/** Whether any fact waits. */
export const hasWaiting = async (sql: Sql, environmentId: number, upToSeq: number | null = null): Promise<boolean> =>
  (await countWaiting(sql, environmentId, { upToSeq, most: 1 })) > 0;
