import { type Database, isConflict, isUnavailable, type Sql, transact } from "#db/client.ts";
import { applyDecision, openLocked } from "#server/engine/apply.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { tryPlayers } from "#server/engine/store/locks.ts";
import { lockPlayers } from "#server/engine/store/players.ts";
import { environmentsWithBegun, queueBegun, queuePeriods } from "#server/engine/store/streak-beginnings.ts";
import { loadAllPeriods, loadRuns, noStreakChanges, type StreakPeriodRow, saveStreaks } from "#server/engine/store/streaks.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { reasonFrom } from "#server/model/kernel/input-text.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { Problem } from "#server/model/kernel/problem.ts";
import { periodAt } from "#server/model/kernel/time.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import { RESTORED } from "#server/model/streaks/advance.ts";
import type { Streak } from "#server/model/streaks/definition.ts";
import { MAX_MISSED, missedPeriods } from "#server/model/streaks/runs.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { playerEntry, zoneOf } from "../../players/service/players.ts";

export interface Restoration {
  externalId: string;
  streakKey: string;
  reason: string;
}

/** The periods that a restoration would fill now, by their local starts. Read-only. */
export async function missedOf(
  { sql }: Database,
  environment: Environment,
  now: number,
  externalId: string,
  streakKey: string,
): Promise<string[]> {
  const definitions = await definitionsOf(sql, environment);
  const streak = definitions.streaks.find(({ key }) => key === streakKey);
  const key = playerKey(environment.id, externalId);
  const zone = (await zoneOf(sql, key)) ?? definitions.timeZone;
  return streak === undefined ? [] : (await findMissed(sql, key, streak, now, zone)).missed;
}

async function findMissed(sql: Sql, { part, playerId }: PlayerKey, streak: Streak, now: number, zone: string) {
  const keys = [{ part, playerId, streakId: streak.id }];
  const [runs, periods] = await Promise.all([loadRuns(sql, keys), loadAllPeriods(sql, keys)]);
  const qualified = new Set(periods.filter(({ period }) => period.isQualified).map(({ start }) => start));
  const missed = missedPeriods(runs, qualified, periodAt(now, zone, streak.cadence).start, streak);
  return { missed, periods: new Map(periods.map((row) => [row.start, row.period])) };
}

/**
 * Restores the streak that a player last lost: the missed periods count as qualified, and the run continues over them. Like beginning
 * periods they pass through the queue, and milestones that the run reaches are paid once. Returns the number of restored periods. Throws
 * OperatorError.
 */
export async function restoreStreak(
  database: Database,
  environment: Environment,
  { externalId, streakKey, reason }: Restoration,
  actor: Actor,
): Promise<number> {
  const why = reasonFrom(reason);
  const key = playerKey(environment.id, externalId);
  const absent = () => new OperatorError("There is no such player in this environment.");
  const count = await transact(database, async (tx) => {
    const { definitions, now } = await openLocked(tx, environment.id);
    const streak = definitions.streaks.find((one) => one.key === streakKey);
    if (streak === undefined) throw new OperatorError("This environment has no such streak.");
    const [player] = await lockPlayers(tx, [key]);
    if (player === undefined) throw absent();
    const { missed, periods } = await findMissed(tx, key, streak, now, player.timeZone ?? definitions.timeZone);
    if (missed.length === 0) throw new OperatorError("There is nothing to restore: no period was missed since the last streak.");
    if (missed.length > MAX_MISSED)
      throw new OperatorError(`More than ${MAX_MISSED} periods were missed; a streak that old is not restored.`);
    const restored = { counter: RESTORED, measure: null, isQualified: true, seen: [] };
    const rows = missed.map((start): StreakPeriodRow => {
      return { ...key, streakId: streak.id, start, period: { ...restored, paid: periods.get(start)?.paid ?? [] } };
    });
    const changes = noStreakChanges();
    for (const row of rows) (periods.has(row.start) ? changes.periods : changes.freshPeriods).push(row);
    await saveStreaks(tx, changes);
    await queuePeriods(tx, environment.id, key, streak.id, missed, now);
    const facts = { streak: streak.key, periods: missed.join(", "), reason: why };
    await recordChange(tx, playerEntry(environment, actor, "restore_streak", externalId, facts));
    return missed.length;
  });
  // The player's queued facts are applied now, so that the dashboard shows the result immediately; if that cannot be done, or after a crash
  // here, the worker does it.
  await applyDecision(database, environment.id, { ...key, externalId }, () => ({ absent, decide: () => [] })).catch((error: unknown) => {
    if (!isUnavailable(error) && !isConflict(error) && !(error instanceof Problem)) throw error;
  });
  return count;
}

/** Periods queued by one transaction. */
const PAGE = 1_000;

/**
 * Queues a fact for each streak period that has begun and already has a counter, of all environments or of one. An environment that is
 * being reset is skipped.
 */
export async function queueBegunPeriods(database: Database, environmentId: number | null = null): Promise<void> {
  const found = await environmentsWithBegun(database.sql);
  for (const id of found.filter((one) => environmentId === null || one === environmentId)) {
    const page = () => transact(database, async (tx) => ((await tryPlayers(tx, id)) ? queueBegun(tx, id, PAGE) : 0));
    while ((await page()) === PAGE);
  }
}
