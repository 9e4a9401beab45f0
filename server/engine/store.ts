import { setTimeout as delay } from "node:timers/promises";
import type { Sql, Transaction } from "../../db/client.ts";
import type { Lane } from "../model/kernel/lanes.ts";
import { parseJson, writeJson } from "../model/kernel/json.ts";
import type { AttributeValue } from "../model/kernel/player.ts";
import type { Scalar } from "../model/kernel/values.ts";
import type { StoredPartition } from "./store/missions.ts";
import type { PlayerKey } from "../model/kernel/player.ts";
import type { PlayerRow } from "./store/players.ts";

/** Classes of advisory locks; the second number of a lock is the environment, or the fine lane. */
const ENVIRONMENT_LOCK = 1;
const LANE_LOCK = 2;
/** Taken shared by the functions `hold_players` and `hold_known_players` (db/functions.sql). */
export const PLAYERS_LOCK = 3;

/**
 * Folds look rows up by key. A prepared statement planned while its table was small keeps its sequential scan until the next ANALYZE. In
 * these transactions the planner is restricted to index lookups from the start.
 */
const byKeys = (tx: Transaction) =>
  tx`set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`;

/**
 * Takes the environment's lock shared. Every transaction that folds facts holds it: definitions, clock and players do not change under it.
 * Statements after it in the same transaction see what was committed last. Fails as unavailable where a reset takes long.
 */
export async function lockShared(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select hold_players(${environmentId}::int), pg_advisory_xact_lock_shared(${ENVIRONMENT_LOCK}::int, ${environmentId}::int), ${byKeys(tx)}`;
}

/**
 * Takes the environment's lock exclusively, to change definitions or the clock: it waits for running folds and keeps new ones waiting. Be
 * brief.
 */
export async function lockExclusive(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${ENVIRONMENT_LOCK}::int, ${environmentId}::int)`;
}

/**
 * Taken by a reset, which deletes the players of an environment: it waits for every writer of their rows. Meanwhile no facts are queued,
 * folds and adjustments wait for a while, and workers pass the environment over.
 */
export async function lockPlayersExclusive(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PLAYERS_LOCK}::int, ${environmentId}::int), ${byKeys(tx)}`;
}

const PATIENCE_MS = 2_000;
const LOOK_MS = 2;

/**
 * Waits, under the exclusive lock, until every transaction that is writing for players of the environment has committed, so that all facts
 * with an earlier position are visible. Transactions that wait for the environment's lock have written nothing yet. Returns false where
 * that takes too long.
 */
export async function untilOthersWrote(tx: Transaction, environmentId: number): Promise<boolean> {
  const held = (lockClass: number) =>
    tx`l.locktype = 'advisory' and l.classid = ${lockClass} and l.objid = ${environmentId} and l.objsubid = 2 and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())`;
  const writing = async () => {
    const rows = await tx<{ name: string }[]>`
      select l.virtualtransaction as name from pg_locks l
      where l.granted and l.mode = 'ShareLock' and ${held(PLAYERS_LOCK)}
        and not exists (select from pg_locks w where w.pid = l.pid and not w.granted and w.locktype = 'advisory' and w.classid = ${ENVIRONMENT_LOCK})`;
    return new Set(rows.map(({ name }) => name));
  };
  const deadline = performance.now() + PATIENCE_MS;
  for (let before = await writing(); before.size > 0; before = before.intersection(await writing())) {
    if (performance.now() > deadline) return false;
    await delay(LOOK_MS);
  }
  return true;
}

/**
 * Tries to lock the fine lanes of a lane for this transaction, and returns those it got. Other workers have the rest: two workers may
 * disagree on the number of lanes for a while, and each works what it got.
 */
export async function tryLane(tx: Transaction, { first, last }: Lane): Promise<number[]> {
  const [row] = await tx<{ taken: number[] }[]>`
    select to_json(array(
      select lane from generate_series(${first}::int, ${last}::int) lane where pg_try_advisory_xact_lock(${LANE_LOCK}::int, lane)
    )) as taken, ${byKeys(tx)}`;
  return row?.taken ?? [];
}

/** Tries to hold the environment's players, shared. False while a reset deletes them. */
export async function tryPlayers(tx: Transaction, environmentId: number): Promise<boolean> {
  const [row] = await tx<{ isHeld: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${PLAYERS_LOCK}::int, ${environmentId}::int) as "isHeld", ${byKeys(tx)}`;
  return row?.isHeld === true;
}

/** The next position in the one order of facts. Taken after the player is locked, it is after every fact folded before. */
export async function nextSeq(sql: Sql): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`select nextval('fact_seq') as seq`;
  return row?.seq ?? 0;
}

/** A player's row with their current state and what conditions read. */
export interface PlayerParts {
  row: PlayerRow;
  partitions: readonly StoredPartition[];
  attributes: ReadonlyMap<number, AttributeValue>;
  balance: number;
}

/** The inputs that conditions and teams read, of players in a set. */
export type AudienceInputs = PlayerKey & Pick<PlayerRow, "completed"> & Pick<PlayerParts, "attributes" | "balance">;

/** Loads the audience inputs of some players before their facts are scored. */
export async function loadAudienceInputs(sql: Sql, players: readonly PlayerKey[]): Promise<AudienceInputs[]> {
  if (players.length === 0) return [];
  const rows = await sql<(PlayerKey & { completed: string; attributes: string | null; balance: number | null })[]>`
    select p.part, p.player_id as "playerId", p.completed_missions::text as completed, b.balance,
      (select json_agg(json_build_array(a.attribute_id, a.value, (extract(epoch from a.occurred_at) * 1000)::bigint))
        from attribute_values a where a.part = p.part and a.player_id = p.player_id)::text as attributes
    from json_to_recordset(${writeJson(players.map(({ part, playerId }) => ({ part, playerId })))}::text::json) as k("part" smallint, "playerId" uuid)
    join players p on p.part = k.part and p.player_id = k."playerId"
    left join balances b on b.part = p.part and b.player_id = p.player_id`;
  return rows.map((row) => ({ ...row, attributes: readAttributes(row.attributes), balance: row.balance ?? 0 }));
}

function readAttributes(text: string | null): PlayerParts["attributes"] {
  const attributes = parseJson(text ?? "[]") as [number, Scalar, number][];
  return new Map(attributes.map(([attributeId, value, occurredAt]) => [attributeId, { value, occurredAt }]));
}

/** A snapshot of a player, in the one statement that a feed read costs; null if unknown. */
export async function readPlayerParts(sql: Sql, { part, playerId }: PlayerKey): Promise<PlayerParts | null> {
  const [row] = await sql<(PlayerRow & { partitions: string | null; attributes: string | null; balance: number | null })[]>`
    select part, player_id as "playerId", external_id as "externalId", time_zone as "timeZone", completed_missions::text as completed,
      hidden_at is not null as "isHidden",
      (select json_agg(json_build_array(s.topic_id, s.state)) from mission_states s where s.part = ${part} and s.player_id = ${playerId})::text as partitions,
      (select json_agg(json_build_array(a.attribute_id, a.value, (extract(epoch from a.occurred_at) * 1000)::bigint))
        from attribute_values a where a.part = ${part} and a.player_id = ${playerId})::text as attributes,
      (select b.balance from balances b where b.part = ${part} and b.player_id = ${playerId}) as balance
    from players where part = ${part} and player_id = ${playerId}`;
  if (row === undefined) return null;
  const partitions = JSON.parse(row.partitions ?? "[]") as [number, string][];
  return {
    row,
    partitions: partitions.map(([partitionId, state]) => ({ partitionId, state })),
    attributes: readAttributes(row.attributes),
    balance: row.balance ?? 0,
  };
}
