import { pageOf } from "#server/model/kernel/page.ts";
import type { Database, Sql } from "#db/client.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { makeDue, selectCounts } from "../store/counts.ts";
import { type SegmentMemberRow, selectSegmentMembers } from "../store/members.ts";

export { deleteCounts as forgetCounts } from "../store/members.ts";

/** The number of players in a segment, as of the last complete count. */
export interface SegmentCount {
  key: string;
  /** Whether a count is due or running. */
  isCounting: boolean;
  playersSoFar: number;
  /** Null before the first count. */
  counted: { members: number; players: number; at: number } | null;
}

/** The counts of some segments, in the order of the keys. Unknown segments and those that are off are left out. */
export async function readCounts(database: Database, environment: Environment, keys: readonly string[]): Promise<SegmentCount[]> {
  const active = await activeSegments(database, environment, keys);
  const rows = new Map((await selectCounts(database.sql, [...active.values()], environment)).map((row) => [row.segmentId, row]));
  return [...active].map(([key, id]) => {
    const row = rows.get(id);
    // A segment without a row is new: the worker's next poll counts it.
    if (row === undefined) return { key, isCounting: true, playersSoFar: 0, counted: null };
    const { isCounting, playersSoFar, members, players, countedAt } = row;
    const counted = members === null || players === null || countedAt === null ? null : { members, players, at: countedAt };
    return { key, isCounting, playersSoFar, counted };
  });
}

/**
 * A page of the members found by the last complete count; `next` is the cursor of the next page. Null for a segment that is not counted.
 */
export async function readMembers(
  database: Database,
  environment: Environment,
  key: string,
  after: PlayerKey | null,
  limit: number,
): Promise<{ members: SegmentMemberRow[]; next: PlayerKey | null } | null> {
  const id = (await activeSegments(database, environment, [key])).get(key);
  if (id === undefined) return null;
  const [count] = await selectCounts(database.sql, [id], environment);
  if (count === undefined) return { members: [], next: null };
  const { page, next } = pageOf(await selectSegmentMembers(database.sql, count, after, limit + 1), limit);
  return { members: page, next };
}

/** Makes a count of a segment due; a new segment is counted anyway. False if the segment is unknown or off. */
export async function countAgain(database: Database, environment: Environment, key: string): Promise<boolean> {
  const id = (await activeSegments(database, environment, [key])).get(key);
  if (id === undefined) return false;
  await makeDue(database.sql, id);
  return true;
}

/** Like `countAgain`, for all segments. */
export async function countEverySegmentAgain({ sql }: Database, environment: Environment): Promise<void> {
  const { segments } = await definitionsOf(sql, environment);
  for (const { id, active } of segments) if (active) await makeDue(sql, id);
}

async function activeSegments(database: Database, environment: Environment, keys: readonly string[]): Promise<Map<string, number>> {
  const { segments } = await definitionsOf(database.sql, environment);
  const ids = new Map(segments.filter(({ active }) => active).map(({ key, id }) => [key, id]));
  return new Map(keys.flatMap((key) => (ids.has(key) ? [[key, ids.get(key)!] as const] : [])));
}

/** The members of a segment: the rows of this generation in `segment_members`. */
export interface SegmentGeneration {
  id: number;
  generation: number;
  /** When the last complete count ended, in real time; null before the first, when there are no members. */
  counted: { members: number; at: number } | null;
}

/**
 * The current generation of a segment's members, valid for this transaction only: a later count replaces and deletes them. Null if the
 * segment is unknown or off.
 */
export async function generationOf(sql: Sql, environment: Environment, key: string): Promise<SegmentGeneration | null> {
  const { segments } = await definitionsOf(sql, environment);
  const segment = segments.find((one) => one.active && one.key === key);
  if (segment === undefined) return null;
  const [count] = await selectCounts(sql, [segment.id], environment);
  const { generation = 0, members = null, countedAt = null } = count ?? {};
  const counted = members === null || countedAt === null ? null : { members, at: countedAt };
  return { id: segment.id, generation, counted };
}
