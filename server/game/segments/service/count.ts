import { createHash } from "node:crypto";
import { type Database, transact, type Transaction, isTimeout } from "#db/client.ts";
import { tryPlayers } from "#server/engine/store/locks.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { externalIdUpTo, playersAfter } from "../../players/service/players.ts";
import {
  addPage,
  beginCount,
  completeCount,
  type DueCount,
  endLeftovers,
  environmentsToCompare,
  keepCounts,
  postponeCount,
  takeCount,
} from "../store/counts.ts";
import { addMembers, deleteLeftovers } from "../store/members.ts";
import { judge } from "./judge.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import type { Segment } from "#server/model/definitions/compiled.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";

/**
 * Players per transaction. A page that takes too long is retried with fewer players. A single player has no limit: reading their missions
 * would take as long.
 */
const PAGES = [
  { players: 500, statementMs: 4_000 },
  { players: 25, statementMs: 4_000 },
  { players: 1, statementMs: 0 },
];

/** Members deleted in one transaction. */
const SWEEP = 5_000;

/** Compares the counts of changed environments with their segments, and makes outdated counts due. */
export async function compareCounts(database: Database): Promise<void> {
  for (const environmentId of await environmentsToCompare(database.sql)) {
    const environment = await loadEnvironment(database.sql, environmentId);
    if (environment === null) continue;
    // These definitions may be outdated; then the next poll compares the counts again.
    const { segments } = await definitionsOf(database.sql, environment);
    const counted = segments.filter(({ active }) => active).map((segment) => ({ segmentId: segment.id, rule: ruleHash(segment) }));
    await transact(database, (tx) => keepCounts(tx, environmentId, environment, counted));
  }
}

/** Rules with the same hash have the same members. The hash covers ids, so a rebuilt rollup changes it. */
const ruleHash = ({ rule }: Segment): string => createHash("sha256").update(writeJson(rule)).digest("base64url");

/**
 * Takes one step of a count: counts a page of players, or deletes a slice of replaced members. It locks only the count's row, for which no
 * fold waits. False: nothing is due.
 */
export async function countStep(database: Database): Promise<boolean> {
  let taken: DueCount | null = null;
  for (const [attempt, page] of PAGES.entries()) {
    try {
      return await transact(database, async (tx) => {
        taken = await takeCount(tx);
        if (taken === null) return false;
        await tx`select set_config('statement_timeout', ${String(page.statementMs)}, true)`;
        if (taken.hasLeftovers && !isUnderWay(taken)) await sweep(tx, taken);
        else await countPage(tx, taken, page.players);
        return true;
      });
    } catch (error) {
      if (isTimeout(error) && attempt < PAGES.length - 1) continue;
      const failed = taken as DueCount | null;
      if (failed !== null) await postponeCount(database.sql, failed.segmentId);
      throw error;
    }
  }
  return false;
}

const isUnderWay = ({ startedAsOf }: DueCount): boolean => startedAsOf !== null;

async function sweep(tx: Transaction, count: DueCount): Promise<void> {
  const deleted = await deleteLeftovers(tx, count.segmentId, count.rule === "" ? [] : [count.generation], SWEEP);
  if (deleted < SWEEP) await endLeftovers(tx, count);
}

async function countPage(tx: Transaction, count: DueCount, size: number): Promise<void> {
  const { segmentId, environmentId } = count;
  const environment = await loadEnvironment(tx, environmentId);
  const definitions = environment && (await definitionsOf(tx, environment));
  const segment = definitions?.segments.find(({ id }) => id === segmentId);
  // The rule has changed: the next comparison restarts the count.
  if (environment === null || definitions === null || segment === undefined || ruleHash(segment) !== count.rule) {
    return postponeCount(tx, segmentId);
  }
  const asOf = count.startedAsOf ?? (await environmentNow(tx, environment));
  const building = isUnderWay(count) ? count.building : await beginCount(tx, count, asOf);
  const after = isUnderWay(count) ? count.lastExternalId : "";
  const players = await playersAfter(tx, environmentId, after, size);
  const found = await judge(tx, environmentId, definitions, asOf, players, segment.rule);
  const members = players.filter(({ playerId }) => found.has(playerId));
  // Locked only now, so that an erasure or a reset waits for the write alone. If one is running, this does not wait but counts the page
  // again.
  if (!(await tryPlayers(tx, environmentId))) return postponeCount(tx, segmentId);
  await addMembers(tx, segmentId, building, members);
  const last = players.at(-1);
  if (last !== undefined) {
    // The last player may have been erased since the page was read.
    const lastExternalId = await externalIdUpTo(tx, environmentId, last.externalId);
    await addPage(tx, segmentId, { lastExternalId, players: players.length, members: members.length });
  }
  if (players.length < size) await completeCount(tx, segmentId);
}
