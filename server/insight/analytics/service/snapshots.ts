import { type Database, transact } from "#db/client.ts";
import { CALENDAR } from "#server/model/kernel/calendar.ts";
import { localDate, periodAt } from "#server/model/kernel/time.ts";
import type { Bucket } from "#server/model/kernel/durations.ts";
import {
  type Counted,
  type SnapshotKind,
  balanceBucket,
  compareWithPrevious,
  countBalances,
  countRuns,
  environmentsToSnapshot,
  periodsToCompare,
  saveSnapshots,
} from "../store/snapshots.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";
import { SHOWN_PERIODS } from "../store/boards.ts";

/**
 * Takes today's distributions (balances, lengths of runs) for every environment that lacks them. They read committed rows, one table at a
 * time, and take no lock. Returns the number of environments. A failing environment does not stop the others; its error is thrown at the
 * end.
 */
export async function takeSnapshots(database: Database, isStopping: () => boolean): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  for (const id of await environmentsToSnapshot(database.sql)) {
    if (isStopping()) break;
    try {
      await takeSnapshot(database, id);
      count++;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

async function takeSnapshot(database: Database, environmentId: number): Promise<void> {
  const { sql } = database;
  const environment = await loadEnvironment(sql, environmentId);
  if (environment === null) return;
  const now = await environmentNow(sql, environment);
  const { streaks } = await definitionsOf(sql, environment);
  const balances = await countBalances(sql, environmentId);
  const rows: { kind: SnapshotKind; subject: number; buckets: Bucket[] }[] = [
    { kind: "Balances", subject: 0, buckets: balances.map(balanceBucket) },
  ];
  const asked = streaks.map(({ id, cadence }) => ({
    id,
    duration: CALENDAR[cadence].duration,
    current: periodAt(now, environment.timeZone, cadence).start,
  }));
  const counted = Map.groupBy(await countRuns(sql, environmentId, asked), ({ subject }) => subject);
  // Includes streaks without runs: otherwise a report would keep showing the runs of an earlier day.
  for (const { id: subject } of streaks) {
    const runs = counted.get(subject) ?? [];
    const live = runs.filter((run) => run.live > 0).map((run) => ({ ...lengthOf(run), count: run.live }));
    rows.push({ kind: "LiveRuns", subject, buckets: live }, { kind: "Survival", subject, buckets: survivors(runs) });
  }
  await transact(database, (tx) => saveSnapshots(tx, environmentId, localDate(now, environment.timeZone), now, rows));
}

const lengthOf = ({ value, count }: Counted): Bucket => ({ from: value, to: value + 1, count });

/** How many runs reached each length at which any run has ended. */
function survivors(counted: readonly Counted[]): Bucket[] {
  let left = counted.reduce((sum, { count }) => sum + count, 0);
  return counted.map((one) => {
    const bucket = { ...lengthOf(one), count: left };
    left -= one.count;
    return bucket;
  });
}

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
