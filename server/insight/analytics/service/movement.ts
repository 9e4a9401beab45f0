import type { Database } from "#db/client.ts";
import { SHOWN_PERIODS } from "../store/boards.ts";
import { compareWithPrevious, periodsToCompare } from "../store/movement.ts";

/** Periods between two looks at whether to stop. */
const PAGE = 20;

/** Counts how the ranks of each settled period moved since the one before; a long history, as far as reports show it. Returns the number. */
export async function countMovements({ sql }: Database, isStopping: () => boolean): Promise<number> {
  let count = 0;
  for (let taken = PAGE; taken === PAGE && !isStopping(); count += taken) {
    const periods = await periodsToCompare(sql, SHOWN_PERIODS, PAGE);
    for (const period of periods) if (!isStopping()) await compareWithPrevious(sql, period);
    taken = periods.length;
  }
  return count;
}
