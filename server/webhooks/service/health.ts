import type { Database } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { type HourRow, selectHours } from "../store/hours.ts";

const HOURS = 48;
const HOUR = 60 * 60 * 1000;

/** How the endpoints of an environment fared in the last 48 hours, this one included. `now` is real time. */
export async function readHealth({ sql }: Database, { id }: Environment, now: number): Promise<{ id: string; hours: HourRow[] }[]> {
  const since = (Math.floor(now / HOUR) - HOURS + 1) * HOUR;
  const rows = Map.groupBy(await selectHours(sql, id, since), ({ endpointId }) => endpointId);
  return Array.from(rows, ([endpointId, hours]) => ({ id: endpointId, hours }));
}
