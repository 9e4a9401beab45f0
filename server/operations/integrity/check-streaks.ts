import type { Transaction } from "#db/client.ts";
import type { Definitions, Streak } from "../../model/definitions/compiled.ts";
import { rewardId } from "../../engine/effects.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { Run } from "../../model/kernel/player.ts";
import { runIdOf } from "../../model/streaks/advance.ts";
import { runsOf } from "../../model/streaks/runs.ts";
import { loadAllPeriods, loadRuns, type StreakPeriodRow } from "../../engine/store/streaks.ts";
import { grantedRewards } from "../../engine/store/rewards.ts";
import { uncounted } from "../../engine/store/streak-beginnings.ts";
import { rewardEffect } from "../../model/rules/reward.ts";
import { type PlayerRow, playersIn } from "../../engine/store/players.ts";

/**
 * The streaks' part of the integrity check, for a page of players: runs follow from the qualified periods, every milestone that a run
 * reached is paid (the database prevents paying twice), and every reward belongs to a run. Left out is what periods alone cannot tell: the
 * runs and milestones of streaks edited since their creation. Periods that have not begun do not count yet.
 */
export async function checkStreaks(
  tx: Transaction,
  { streaks }: Definitions,
  edited: ReadonlyMap<number, number>,
  page: readonly PlayerRow[],
): Promise<string[]> {
  const keys = page.flatMap(({ part, playerId }) => streaks.map(({ id }) => ({ part, playerId, streakId: id })));
  const [periods, runs, rewards, waiting] = await Promise.all([
    loadAllPeriods(tx, keys),
    loadRuns(tx, keys),
    milestoneRewards(tx, page),
    uncounted(tx, page),
  ]);
  const ahead = new Set(waiting.map((one) => `${nameOf(one)}/${one.start}`));
  const periodsOf = Map.groupBy(periods, nameOf);
  const runsOfStreak = Map.groupBy(runs, nameOf);
  const rewardsOf = Map.groupBy(rewards, ({ playerId }) => playerId);
  return page.flatMap(({ playerId, externalId }) => {
    const granted = rewardsOf.get(playerId) ?? [];
    const known = new Set<string>();
    const faults = streaks.flatMap((streak) => {
      const own = periodsOf.get(nameOf({ playerId, streakId: streak.id })) ?? [];
      const runIds = new Set(own.map(({ start }) => runIdOf({ playerId }, streak, { origin: start })));
      for (const id of runIds) known.add(id);
      if ((edited.get(streak.id) ?? 0) > streak.createdAt) return [];
      const stored = runsOfStreak.get(nameOf({ playerId, streakId: streak.id })) ?? [];
      const counts = ({ start, period }: StreakPeriodRow) =>
        period.isQualified && !ahead.has(`${nameOf({ playerId, streakId: streak.id })}/${start}`);
      const qualified = own.filter(counts).map(({ start }) => start);
      return [...wrongRuns(streak, stored, qualified.sort()), ...unpaidMilestones(playerId, streak, stored, runIds, granted)];
    });
    const strays = granted.filter(({ sourceId }) => !known.has(sourceId));
    return [...faults, ...strays.map(({ sourceId }) => `a reward of the run ${sourceId} was granted, but there is no such run`)].map(
      (fault) => `player "${externalId}", ${fault}`,
    );
  });
}

const nameOf = ({ playerId, streakId }: { playerId: string; streakId: number }): string => `${playerId}/${streakId}`;

function wrongRuns(streak: Streak, stored: readonly Run[], qualified: readonly string[]): string[] {
  const shown = (runs: readonly Run[]) => writeJson(runs.map(({ first, last, length, freezes }) => [first, last, length, freezes]));
  const [is, gives] = [shown(stored), shown(runsOf(qualified, [], streak))];
  return is === gives ? [] : [`streak ${streak.key}: runs ${is}, but the periods give ${gives}`];
}

interface GrantedReward {
  playerId: string;
  id: string;
  sourceId: string;
}

/**
 * A line for each milestone that was not paid. A run may have been paid under the id of an earlier run that it continues: `runIds` has an
 * id for each period of the streak, since any of them may have been the first of a run.
 */
function unpaidMilestones(
  playerId: string,
  streak: Streak,
  runs: readonly Run[],
  runIds: ReadonlySet<string>,
  granted: readonly GrantedReward[],
): string[] {
  const ids = new Set(granted.map(({ id }) => id));
  const paidRuns = new Set(granted.map(({ sourceId }) => sourceId)).intersection(runIds);
  return runs.flatMap((run) => {
    return streak.milestones
      .filter(({ length }) => length <= run.length)
      .filter(({ length, rewards }) => {
        const isGranted = (sourceId: string) =>
          rewards.every((reward, ordinal) => {
            const source = { sourceType: "StreakMilestone", sourceDefinitionId: streak.id, sourceId, ordinal, milestone: length } as const;
            return ids.has(rewardId({ playerId }, rewardEffect(reward, { ...source, at: 0 })));
          });
        return !run.paid.includes(length) || !paidRuns.values().some(isGranted);
      })
      .map(({ length }) => `streak ${streak.key}: the run from ${run.first} was not paid for its milestone ${length}`);
  });
}

function milestoneRewards(tx: Transaction, page: readonly PlayerRow[]): Promise<GrantedReward[]> {
  return tx<GrantedReward[]>`
    with k as materialized (select * from ${playersIn(tx, page)})
    select g.player_id, g.id, g.source_id from k
    join (${grantedRewards(tx, "StreakMilestone")}) g on g.part = k.part and g.player_id = k."playerId"`.execute();
}
