import type { Database } from "#db/client.ts";
import { latencyBuckets, quantile } from "../../model/kernel/durations.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type HourRow, selectHours } from "../store/hours.ts";

const HOURS = 48;
const HOUR = 60 * 60 * 1000;

/** An hour with attempts; latencies in milliseconds. */
export type Hour = Pick<HourRow, "hour" | "succeeded" | "failed"> & { p50: number; p95: number };

/** The health of an environment's endpoints in the last 48 hours, including the current one. `now` is real time. */
export async function readHealth({ sql }: Database, { id }: Environment, now: number): Promise<{ id: string; hours: Hour[] }[]> {
  const since = (Math.floor(now / HOUR) - HOURS + 1) * HOUR;
  const rows = Map.groupBy(await selectHours(sql, id, since), ({ endpointId }) => endpointId);
  return Array.from(rows, ([endpointId, hours]) => ({ id: endpointId, hours: hours.map(hourOf) }));
}

function hourOf({ hour, succeeded, failed, latencies }: HourRow): Hour {
  const buckets = latencyBuckets(latencies);
  return { hour, succeeded, failed, p50: quantile(buckets, 0.5) ?? 0, p95: quantile(buckets, 0.95) ?? 0 };
}
