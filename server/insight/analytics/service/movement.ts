import type { Database } from "#db/client.ts";
import { SHOWN_PERIODS } from "../store/boards.ts";
import { compareWithPrevious, periodsToCompare } from "../store/movement.ts";

/** Periods between two checks for a stop. */
const PAGE = 20;

/** Counts how ranks moved in each settled period since the one before, as far back as reports show. Returns the number of periods. */
export async function countMovements({ sql }: Database, isStopping: () => boolean): Promise<number> {
  let count = 0;
  for (let taken = PAGE; taken === PAGE && !isStopping(); count += taken) {
    const periods = await periodsToCompare(sql, SHOWN_PERIODS, PAGE);
    for (const period of periods) if (!isStopping()) await compareWithPrevious(sql, period);
    taken = periods.length;
  }
  return count;
}
