import type { Sql } from "../../../db/client.ts";
import { formatInstant } from "../../kernel/time.ts";
import type { Bucket } from "../durations.ts";

export type SnapshotKind = "Balances" | "LiveRuns" | "Survival";

/** The newest distribution of a kind, of a definition (0: of none); null before there is one. */
export async function selectSnapshot(
  sql: Sql,
  environmentId: number,
  kind: SnapshotKind,
  subject: number,
): Promise<{ takenAt: string; buckets: Bucket[] } | null> {
  const [row] = await sql<{ takenAt: number; buckets: Bucket[] }[]>`
    select (extract(epoch from taken_at) * 1000)::bigint as "takenAt", buckets from analytics_snapshots
    where environment_id = ${environmentId} and kind = ${kind} and subject = ${subject} order by day desc limit 1`;
  return row === undefined ? null : { takenAt: formatInstant(row.takenAt), buckets: row.buckets };
}
