import type { Transaction } from "#db/client.ts";
import type { LockedEnvironment } from "./locked.ts";
import { attributeRows, beginningRows, completedMissionIds, completionRows, scoreRows, seenRows } from "./effects.ts";
import type { Effect } from "../model/rules/effects.ts";
import type { Player, PlayerKey } from "../model/kernel/player.ts";
import { encodePartition } from "../model/missions/state.ts";
import { addRewardRows, noRewardRows, writeRewardRows } from "./rewards.ts";
import { saveAttributes } from "./store/attributes.ts";
import { noPartitions, saveCompletions, savePartitions, saveDistinctValues } from "./store/missions.ts";
import { addCompletedMissions, type LockedPlayerRow } from "./store/players.ts";
import { type BucketRow, changedBuckets, saveBuckets } from "./store/rollups.ts";
import { saveScores } from "./store/scores.ts";
import { type BeginningRow, saveBeginnings } from "./store/streak-beginnings.ts";
import { addStreakChanges, noStreakChanges, saveStreaks } from "./store/streaks.ts";

/** The writes of a transaction: new states and all effects, committed together. */
export class Changes {
  readonly #known = noPartitions();
  readonly #fresh = noPartitions();
  readonly #completed: (PlayerKey & { missionIds: number[] })[] = [];
  readonly #completions: ReturnType<typeof completionRows> = [];
  readonly #seen: ReturnType<typeof seenRows> = [];
  readonly #rewards = noRewardRows();
  readonly #attributes: ReturnType<typeof attributeRows> = [];
  readonly #buckets: BucketRow[] = [];
  readonly #scores: ReturnType<typeof scoreRows> = [];
  readonly #streaks = noStreakChanges();
  readonly #beginnings: BeginningRow[] = [];
  /** The analytics epochs of players with completions or rewards: mostly one. */
  readonly #epochs = new Set<number>();

  /** Adds the new state and the effects of a locked player's fold. */
  add({ analyticsEpoch }: LockedPlayerRow, before: Player, after: Player, effects: readonly Effect[]): void {
    const { part, playerId } = after;
    for (const [partitionId, state] of after.missions) {
      const earlier = before.missions.get(partitionId);
      if (earlier === state) continue;
      const columns = earlier === undefined ? this.#fresh : this.#known;
      columns.parts.push(part);
      columns.playerIds.push(playerId);
      columns.partitionIds.push(partitionId);
      columns.states.push(encodePartition(state));
    }
    if (after.rollups !== before.rollups) this.#buckets.push(...changedBuckets({ part, playerId }, before.rollups, after.rollups));
    if (after.streaks !== before.streaks) addStreakChanges(this.#streaks, { part, playerId }, before.streaks, after.streaks);
    const scores = scoreRows(after, effects);
    this.#scores.push(...scores);
    // Most facts move scores and nothing else.
    if (effects.length === scores.length) return;
    this.#epochs.add(analyticsEpoch);
    const missionIds = completedMissionIds(effects);
    if (missionIds.length > 0) this.#completed.push({ part, playerId, missionIds });
    this.#completions.push(...completionRows(after, effects));
    this.#seen.push(...seenRows(after, effects));
    addRewardRows(this.#rewards, after, effects);
    this.#attributes.push(...attributeRows(after, effects));
    this.#beginnings.push(...beginningRows(after, effects));
  }

  async save(tx: Transaction, { definitions, environment }: LockedEnvironment, { cutsGrants = false } = {}): Promise<void> {
    const [epoch = null] = this.#epochs.size === 1 ? this.#epochs : [];
    await Promise.all([
      savePartitions(tx, this.#known, this.#fresh),
      addCompletedMissions(tx, this.#completed),
      saveCompletions(tx, this.#completions, epoch),
      saveDistinctValues(tx, this.#seen),
      writeRewardRows(tx, this.#rewards, { isCut: cutsGrants, epoch }),
      saveAttributes(tx, this.#attributes),
      saveBuckets(tx, this.#buckets),
      saveStreaks(tx, this.#streaks),
      saveBeginnings(tx, this.#beginnings),
      // Last, because many transactions contend for the rows of teams and counts: statements run in the order in which they are sent.
      saveScores(tx, definitions, environment.id, this.#scores),
    ]);
  }
}
