import { type Database, firstValue } from "#db/client.ts";
import { DEFAULT_LANES, LANE_COUNTS } from "../../model/kernel/lanes.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";

export const readLanes = async ({ sql }: Database) =>
  (await firstValue(sql<{ lanes: number }[]>`select lanes from installation`)) ?? DEFAULT_LANES;

/** Sets the number of lanes. Running workers read it at their next poll. Throws OperatorError for an invalid number. */
export async function setLanes({ sql }: Database, count: number): Promise<void> {
  const counts: readonly number[] = LANE_COUNTS;
  if (!counts.includes(count)) throw new OperatorError(`The number of lanes is one of ${counts.join(", ")}.`);
  await sql`insert into installation (lanes) values (${count}) on conflict (is_only) do update set lanes = excluded.lanes`;
}
