import type { Sql, Transaction } from "#db/client.ts";
import { inParts, ofParts } from "#db/scale/parts.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { CounterValue, RollupState } from "../../model/kernel/player.ts";
import { decodeCounter, encodeCounter, type StoredCounter } from "../../model/kernel/stored.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { BucketRange } from "../../model/segments/rollups.ts";

export interface BucketKey extends PlayerKey {
  rollupId: number;
  bucket: string;
}

export interface BucketRow extends BucketKey {
  reading: CounterValue;
}

/** The result of a range; null if the rollup is not kept for the player yet. */
export type Found = { count: number; readings: CounterValue[] } | null;

/** Loads ranges of a player's buckets; the results are in the order of the ranges. */
export async function loadRanges(
  sql: Sql,
  { part, playerId }: PlayerKey,
  asked: readonly (BucketRange & { rollupId: number; mark: string })[],
): Promise<Found[]> {
  if (asked.length === 0) return [];
  const ranges = writeJson(asked.map((one, at) => ({ ...one, at })));
  return inOrder(asked, await sql<FoundRow[]>`select * from rollup_ranges(${part}::smallint, ${playerId}::uuid, ${ranges}::text::json)`);
}

/** As `loadRanges`, for several players. It joins the ranges, since a distributed database cannot look them up row by row. */
export async function loadRangesAll(
  sql: Sql,
  asked: readonly (PlayerKey & BucketRange & { rollupId: number; mark: string })[],
): Promise<Found[]> {
  if (asked.length === 0) return [];
  const rows = await sql.unsafe<FoundRow[]>(
    `with a as materialized (
       select * from json_to_recordset($1::text::json)
         as a("at" int, "part" smallint, "playerId" uuid, "rollupId" int, "mark" text, "from" text, "to" text, "isCounted" boolean)
     )
     select at, bool_or(is_mark) as is_kept, count(distinct value) as count, json_agg(reading) filter (where reading is not null) as readings
     from (
       select a.at, true as is_mark, null::text as value, null::text as reading
       from a join rollups m on m.part = a.part and m.player_id = a."playerId" and m.rollup_id = a."rollupId" and m.bucket = a.mark ${inParts(sql, "m", asked)}
       union all
       select a.at, false, right(r.bucket, 36), case when a."isCounted" then null else r.reading end
       from a join rollups r on r.part = a.part and r.player_id = a."playerId" and r.rollup_id = a."rollupId"
         and r.bucket between a."from" and a."to" ${inParts(sql, "r", asked)}
     ) found
     group by at`,
    [writeJson(asked.map((one, at) => ({ ...one, at })))],
  );
  return inOrder(asked, rows);
}

/** The result of a requested range; `at` is the index of the range. */
type FoundRow = { at: number; isKept: boolean; count: number; readings: string[] | null };

function inOrder(asked: readonly unknown[], rows: readonly FoundRow[]): Found[] {
  const found: Found[] = asked.map(() => null);
  for (const { at, isKept, count, readings } of rows) if (isKept) found[at] = { count, readings: (readings ?? []).map(read) };
  return found;
}

/** The buckets among these that exist. */
export async function loadBuckets(tx: Transaction, wanted: readonly BucketKey[]): Promise<BucketRow[]> {
  if (wanted.length === 0) return [];
  const rows = await tx<(BucketKey & { reading: string })[]>`
    select r.part, r.player_id, r.rollup_id, r.bucket, r.reading
    from json_to_recordset(${writeJson(wanted)}::text::json) as w("part" smallint, "playerId" uuid, "rollupId" int, "bucket" text)
    join rollups r on r.part = w.part and r.player_id = w."playerId" and r.rollup_id = w."rollupId" and r.bucket = w.bucket ${ofParts(tx, "r", wanted)}`;
  return rows.map((row) => ({ ...row, reading: read(row.reading) }));
}

/** A new rollup of distinct values may have millions of buckets. */
const ROWS_AT_ONCE = 5_000;

export async function saveBuckets(tx: Transaction, rows: readonly BucketRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const stored = rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ ...row, reading: JSON.stringify(encodeCounter(row.reading)) }));
    await tx`
      insert into rollups (part, player_id, rollup_id, bucket, reading)
      select part, "playerId", "rollupId", bucket, reading
      from json_to_recordset(${writeJson(stored)}::text::json)
        as r("part" smallint, "playerId" uuid, "rollupId" int, "bucket" text, "reading" text)
      on conflict (part, player_id, rollup_id, bucket) do update set reading = excluded.reading`;
  }
}

export function changedBuckets(
  key: PlayerKey,
  before: ReadonlyMap<number, RollupState>,
  after: ReadonlyMap<number, RollupState>,
): BucketRow[] {
  const changed: BucketRow[] = [];
  for (const [rollupId, state] of after) {
    const earlier = before.get(rollupId);
    if (earlier === state) continue;
    for (const [bucket, reading] of state) if (earlier?.get(bucket) !== reading) changed.push({ ...key, rollupId, bucket, reading });
  }
  return changed;
}

const read = (reading: string): CounterValue => decodeCounter(JSON.parse(reading) as StoredCounter);
