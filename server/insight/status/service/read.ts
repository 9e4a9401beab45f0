import type { Database } from "#db/client.ts";
import { isOwnerOfFirst } from "#server/people/identity/find-access.ts";
import { selectProjectsOf } from "#server/people/projects/store/projects.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { EVENT_DAYS } from "#server/model/kernel/kept-days.ts";
import { readLanes } from "#server/engine/store/installation.ts";
import { selectDatabase, selectInstances, selectSamples, selectStatements, selectTables, selectWork } from "../store.ts";
import { DAY } from "#server/model/kernel/instant.ts";

const TABLES = 20;
const STATEMENTS = 10;
const PROCESSES = 100;

/** What an Owner of the project may see; `now` in epoch milliseconds, real time. */
export async function readStatus(database: Database, person: { userId: string }, projectId: string, now: number) {
  const { sql } = database;
  const seesAll = await isOwnerOfFirst(sql, person.userId);
  const [rows, own, installation] = await Promise.all([
    selectWork(sql, seesAll ? null : projectId),
    selectProjectsOf(sql, person.userId),
    seesAll ? readInstallation(database, now) : null,
  ]);
  const environments = rows.map(({ purgedBefore, ...row }) => ({
    ...row,
    /** Whether they are a member: the pages of other organizations' projects are not found. */
    isOpen: own.some(({ slug }) => slug === row.project),
    purgedBefore: purgedBefore === null ? null : formatInstant(purgedBefore),
  }));
  return { environments, installation };
}

async function readInstallation(opened: Database, now: number) {
  const { sql } = opened;
  const [lanes, instances, database, tables, statements, samples] = await Promise.all([
    readLanes(opened),
    selectInstances(sql, PROCESSES),
    selectDatabase(sql),
    selectTables(sql, TABLES),
    selectStatements(sql, STATEMENTS),
    selectSamples(sql),
  ]);
  const processes = instances.map(({ startedAt, beatAt, state, ...process }) => ({
    ...process,
    startedAt: formatInstant(startedAt),
    beatAt: formatInstant(beatAt),
    memoryBytes: state.memoryBytes,
    pools: state.pools ?? [],
    errors: state.errors ?? null,
  }));
  const olderThan = (days: number) =>
    samples
      .map(({ rows, bytes, ...sample }) => ({ rows, bytes, share: shareBefore(sample, now - days * DAY) }))
      .reduce((sum, { rows, bytes, share }) => ({ ...sum, rows: sum.rows + rows * share, bytes: sum.bytes + bytes * share }), {
        days,
        rows: 0,
        bytes: 0,
      });
  return { processes, lanes, database, tables, statements, older: samples.length === 0 ? null : EVENT_DAYS.map(olderThan) };
}

/**
 * PostgreSQL's sample of a column of instants: frequent values with their share of the rows, and bounds that cut the rest into equal parts.
 */
export interface Sample {
  /** Epoch milliseconds. */
  frequent: readonly number[];
  shares: readonly number[];
  bounds: readonly number[];
}

/** The share of rows with an instant before this one, 0 to 1. */
export function shareBefore({ frequent, shares, bounds }: Sample, instant: number): number {
  const ofFrequent = shares.reduce((total, share) => total + share, 0);
  const before = shares.reduce((total, share, index) => total + (frequent[index]! < instant ? share : 0), 0);
  return Math.min(1, before + (1 - ofFrequent) * shareOfBounds(bounds, instant));
}

function shareOfBounds(bounds: readonly number[], instant: number): number {
  const after = bounds.findIndex((bound) => bound >= instant);
  if (after <= 0) return after === 0 || bounds.length === 0 ? 0 : 1;
  const [low, high] = [bounds[after - 1]!, bounds[after]!];
  return (after - 1 + (instant - low) / (high - low)) / (bounds.length - 1);
}
