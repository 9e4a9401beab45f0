import { setTimeout as delay } from "node:timers/promises";
import { execute, onlyRow, onlyValue, type Sql, type Transaction, Postponed } from "#db/client.ts";
import { noteSpread } from "#db/scale/parts.ts";
import type { Environment, RememberedKey } from "../../model/kernel/environment.ts";
import { fineLanesIn, type Lane } from "../../model/kernel/lanes.ts";
import { arrayText } from "../../model/kernel/stored.ts";

/** Classes of advisory locks; the second number of a lock is the environment, or the fine lane. */
const ENVIRONMENT_LOCK = 1;
const LANE_LOCK = 2;
/** Taken shared by the functions `hold_players` and `hold_known_players` (db/functions/locks.sql). */
export const PLAYERS_LOCK = 3;

/** The locks of a process that freezes or vanishes in a transaction would hold up all others: the server ends its session. */
export const endedIfFrozen = (tx: Transaction) => tx`set_config('idle_in_transaction_session_timeout', '30s', true)`;

/** How long a slice waits for a row: ordinary transactions hold it for some milliseconds. The other environments of its lane wait as well. */
const PATIENCE_OF_SLICE = "5s";

/**
 * The settings of a transaction that folds. Folds look rows up by key. A prepared statement planned while its table was small keeps its
 * sequential scan until the next ANALYZE. In these transactions the planner is restricted to index lookups from the start.
 */
const ofFold = (tx: Transaction) =>
  tx`set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true),
    ${endedIfFrozen(tx)}`;

/** Limits this transaction's waits for locks, and returns the limit before. */
export const limitWaits = async (tx: Transaction, patience: string): Promise<string> =>
  (
    await onlyRow(tx<{ before: string; now: string }[]>`
      select current_setting('lock_timeout') as before, set_config('lock_timeout', ${patience}, true) as now`)
  ).before;

/** Lifts the restriction of the planner, for the other statements of a transaction that has folded facts. */
export const planFreely = (tx: Transaction) =>
  execute(
    tx`select set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true), set_config('enable_seqscan', 'on', true)`,
  );

/**
 * Takes the environment's lock shared. Every transaction that folds facts holds it: definitions, clock and players do not change under it.
 * Statements after it in the same transaction see the last commits. Fails as unavailable where a reset takes two seconds, or another session
 * holds a lock for ten (`hold_players`).
 */
export async function lockShared(tx: Transaction, environmentId: number): Promise<void> {
  const [row] = await tx<{ isSpread: boolean }[]>`
    select hold_players(${environmentId}::int), pg_advisory_xact_lock_shared(${ENVIRONMENT_LOCK}::int, ${environmentId}::int), ${ofFold(tx)},
      is_spread() as is_spread`;
  if (row!.isSpread) noteSpread(tx);
}

export type AppendedTo = Pick<Environment, "id" | "resets" | "definitionsVersion" | "clockOffsetMs" | "organizationId">;

/** How an append is received. */
export interface Receipt {
  /** The key that the statement confirms first; null if the database has already been asked for it. */
  remembered: RememberedKey | null;
  /** The instant at which the caller read the environment, on its clock. */
  readAt: number;
  /** The instant of receipt that the service itself gives, on the environment's clock; null for the statement's own. */
  receivedAt: number | null;
}

/**
 * The row that permits an append, with its instant of receipt; no row while players are being deleted, or if the database does not
 * confirm a remembered key. The instant is taken under the lock, so it is later than everything decided before, however long the request has
 * waited.
 */
export function rowToAppend(
  sql: Sql,
  { id, resets, definitionsVersion, clockOffsetMs, organizationId }: AppendedTo,
  { remembered, readAt, receivedAt }: Receipt,
) {
  const ahead = sql`${clockOffsetMs}::bigint * interval '1 ms'`;
  if (remembered === null) {
    const instant = receivedAt === null ? sql`date_trunc('milliseconds', clock_timestamp()) + ${ahead}` : sql`${receivedAt}::timestamptz`;
    return sql`
      select ${instant} as received_at, null::timestamptz as real_now, false as is_use_due
      where hold_known_players(${id}::int, ${resets}::int)`;
  }
  const { hash, keepsBodies } = remembered;
  return sql`
      select real_now + ${ahead} as received_at, real_now, is_use_due
      from hold_remembered_caller(${id}::int, ${resets}::int, ${hash}::bytea, ${definitionsVersion}::bigint, ${clockOffsetMs}::bigint,
        ${organizationId}::uuid, ${keepsBodies}::bool, ${readAt - clockOffsetMs}::timestamptz)`;
}

/**
 * Waits two seconds for a running reset or erasure in the environment, and keeps the next one waiting. Call it before `lockExclusive` if
 * rows of players are changed: otherwise their row locks would be awaited with the environment locked, for as long as the reset takes.
 * The transaction waits at most ten seconds for any later lock.
 */
export const holdPlayers = (tx: Transaction, environmentId: number) => execute(tx`select hold_players(${environmentId}::int)`);

/**
 * Takes the environment's lock exclusively, to change definitions or the clock: it waits for running folds and keeps new ones waiting. Be
 * brief.
 */
export const lockExclusive = (tx: Transaction, environmentId: number) =>
  execute(tx`select pg_advisory_xact_lock(${ENVIRONMENT_LOCK}::int, ${environmentId}::int), ${endedIfFrozen(tx)}`);

/**
 * Taken by a reset, which deletes the players of an environment: it waits for every writer of their rows, and for what a crash has left of
 * one. Meanwhile no facts are queued, folds and adjustments wait for a while, and workers pass the environment over. Throws Postponed.
 */
export async function lockPlayersExclusive(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PLAYERS_LOCK}::int, ${environmentId}::int), ${ofFold(tx)}`;
  await waitUntilSeen(tx);
}

const PATIENCE_MS = 2_000;
const LOOK_MS = 2;

/**
 * Waits, under the exclusive lock, until every transaction that is writing for players of the environment has committed, so that all facts
 * with an earlier position are visible. Transactions that wait for the environment's lock have written nothing yet. Returns false where
 * that takes too long.
 */
export async function untilOthersWrote(tx: Transaction, environmentId: number): Promise<boolean> {
  const writing = async () => {
    const rows = await tx<{ name: string }[]>`
      select l.virtualtransaction as name from pg_locks l
      where l.granted and l.mode = 'ShareLock' and l.locktype = 'advisory' and l.classid = ${PLAYERS_LOCK} and l.objid = ${environmentId}
        and l.objsubid = 2 and l.pid <> pg_backend_pid() and l.database = (select oid from pg_database where datname = current_database())
        and not exists (select from pg_locks w where w.pid = l.pid and not w.granted and w.locktype = 'advisory' and w.classid = ${ENVIRONMENT_LOCK})`;
    return new Set(rows.map(({ name }) => name));
  };
  return untilGone(writing);
}

/**
 * Waits until everything that was committed before this call is seen on all machines. A transaction over several machines commits on the
 * coordinator first: for a moment, and after a crash for seconds, its facts are gone from the queue, but their effects are not visible yet.
 * Returns false where that takes too long.
 */
export const untilSeenEverywhere = (sql: Sql, patienceMs?: number): Promise<boolean> =>
  untilGone(async () => {
    const rows = await sql<{ name: string }[]>`select name from prepared_elsewhere() as p(name)`;
    return new Set(rows.map(({ name }) => name));
  }, patienceMs);

const waits = new WeakMap<Transaction, Promise<void>>();

/** The same for a transaction that has locked its players and cannot go on before; it waits once. Throws Postponed. */
export function waitUntilSeen(tx: Transaction): Promise<void> {
  const wait = waits.get(tx) ?? untilSeenEverywhere(tx).then(throwUnlessSeen);
  waits.set(tx, wait);
  return wait;
}

function throwUnlessSeen(isSeen: boolean): void {
  if (!isSeen) throw new Postponed("A machine still has transactions that a crash left prepared.");
}

/** Waits until everything that `look` finds now is gone. False where that takes too long. */
async function untilGone(look: () => Promise<Set<string>>, patienceMs = PATIENCE_MS): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  for (let left = await look(); left.size > 0; left = left.intersection(await look())) {
    if (performance.now() > deadline) return false;
    await delay(LOOK_MS);
  }
  return true;
}

/**
 * Tries to lock the fine lanes of a lane for this transaction, and returns those it got. Other workers have the rest: two workers may
 * disagree on the number of lanes for a while, and each works the lanes that it got. The transaction then waits some seconds for a lock, and
 * fails as unavailable.
 */
export async function tryLane(tx: Transaction, wanted: Lane): Promise<number[]> {
  const lanes = fineLanesIn(wanted);
  const [row] = await tx<{ taken: number[]; isSpread: boolean }[]>`
    select to_json(array(
      select lane from unnest(${arrayText(lanes)}::text::int[]) lane where pg_try_advisory_xact_lock(${LANE_LOCK}::int, lane)
    )) as taken, ${ofFold(tx)}, set_config('lock_timeout', ${PATIENCE_OF_SLICE}, true), is_spread() as is_spread`;
  if (row!.isSpread) noteSpread(tx);
  return row!.taken;
}

/** Tries to hold the environment's players, shared. False while a reset deletes them. */
export const tryPlayers = (tx: Transaction, environmentId: number) =>
  onlyValue(tx<{ isHeld: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${PLAYERS_LOCK}::int, ${environmentId}::int) as is_held, ${ofFold(tx)}`);

/** The next position in the one order of facts. Taken after the player is locked, it is after every fact folded before. */
export const nextSeq = (sql: Sql) => onlyValue(sql<{ seq: number }[]>`select nextval('fact_seq') as seq`);
