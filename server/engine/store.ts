import type { Sql, Transaction } from "../../db/client.ts";

/** Classes of advisory locks; the second number of a lock is the environment, or the lane. */
const GROUND_LOCK = 1;
const LANE_LOCK = 2;

/**
 * Held by every transaction that folds facts of an environment: what folds stand on (definitions, the clock) does not
 * move under it. Everything read after it in the same transaction is what was committed last.
 */
export async function holdGroundShared(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${GROUND_LOCK}::int, ${environmentId}::int)`;
}

/** Held by whoever changes what folds stand on: waits for the folds under way and keeps new ones waiting. Be brief. */
export async function holdGroundAlone(tx: Transaction, environmentId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${GROUND_LOCK}::int, ${environmentId}::int)`;
}

/** Whether this transaction now works the lane; another worker's lane is left to it. */
export async function tryLane(tx: Transaction, lane: number): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${LANE_LOCK}::int, ${lane}::int) as taken`;
  return row?.taken === true;
}

/** The next place in the one order of facts. Taken after the player is locked, it is after every fact folded before. */
export async function nextSeq(sql: Sql): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`select nextval('fact_seq') as seq`;
  return row?.seq ?? 0;
}
