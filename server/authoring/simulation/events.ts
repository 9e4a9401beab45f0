import type { CompletedOccurrence } from "../../model/missions/rows.ts";
import { instantInWords } from "../../model/kernel/dates.ts";
import type { EventFact } from "../../model/kernel/facts.ts";
import type { Occurrence, Player } from "../../model/kernel/player.ts";
import { periodAt } from "../../model/kernel/time.ts";
import type { Mission } from "../../model/missions/definition.ts";
import { stateOf } from "../../model/missions/state.ts";
import { explainStreak } from "../../model/streaks/explain.ts";
import { rewardText } from "../../model/rules/reward.ts";
import type { Streak } from "../../model/streaks/definition.ts";
import type { TrialLine, TrialStep } from "./shapes.ts";
import { tryLeaderboard } from "./leaderboards.ts";
import { beforeEvents, isInNoMission, tryMission, whyClosed } from "./missions.ts";
import { onlyLeaderboard, onlyMission, onlyStreak } from "./narrowed.ts";
import { line, type Scene } from "./steps.ts";
import { tryStreak, withoutStreak } from "./streaks.ts";

type Leaderboard = Parameters<typeof tryLeaderboard>[2];

/** An event's effect on one thing that reads it. */
export interface EventVerdict {
  counts: boolean;
  lines: TrialLine[];
  rewards: string[];
}

/** An event's effect on one mission, streak, leaderboard or metric, or the reason for having none. */
export interface EventOutcome extends EventVerdict {
  kind: "missions" | "streaks" | "leaderboards" | "metrics";
  key: string;
  name: string;
}

/** A stored completion of a mission's occurrence. */
type Completion = Omit<CompletedOccurrence, "missionId" | "objectives">;

/** An event, and in `facts` the player's earlier events that the same definitions read, with this one last. */
export interface EventHistory {
  player: Player;
  fact: EventFact;
  facts: readonly EventFact[];
  /** Whether earlier events were left out. */
  isCut: boolean;
}

const NOT_COUNTED: EventVerdict = { counts: false, lines: [], rewards: [] };

const verdictOf = (steps: readonly TrialStep[], number: number): EventVerdict => {
  const step = steps.find((one) => one.number === number);
  return step === undefined ? NOT_COUNTED : { counts: step.outcome === "Counts", lines: step.lines, rewards: step.rewards };
};

/**
 * An event's effect on a mission: replays it in the occurrences that it fell into, whether active or completed since. `completions` are the
 * player's, of this mission.
 */
export function explainMission(
  scene: Scene,
  mission: Mission,
  { player, fact, facts, isCut }: EventHistory,
  completions: readonly Completion[],
): EventVerdict {
  const around = completions.filter(({ acceptedAt, completedAt }) => acceptedAt <= fact.receivedAt && fact.receivedAt <= completedAt);
  const state = stateOf(player, mission);
  const passed = around.length > 0 ? null : passedPeriod(scene, mission, player, fact, completions);
  if (passed !== null) return { ...NOT_COUNTED, lines: [passed] };
  // An event that completes an occurrence counts in no other one.
  const live = around.length > 0 ? around.map((one) => occurrenceOf(scene, mission, player, one, facts)) : state.live;
  if (live.length === 0) return { ...NOT_COUNTED, lines: [line(false, whyOutside(scene, mission, player, fact, completions))] };
  const partition = new Map(player.missions.get(mission.partitionId)).set(mission.id, { ...state, live });
  const before = beforeEvents({ ...player, missions: new Map(player.missions).set(mission.partitionId, partition) }, mission);
  const narrowed = { ...scene, definitions: onlyMission(scene.definitions, mission) };
  const played = verdictOf(tryMission(narrowed, { player: before, mission, facts, readsFrom: null }).steps, facts.length);
  const completed = around.find(({ completedAt }) => completedAt === fact.receivedAt);
  return completed === undefined || !played.counts ? played : asWritten(scene, played, completed, isCut);
}

/** A calendar occurrence that is over leaves no trace unless it was completed. */
function passedPeriod(
  { definitions, now }: Scene,
  { recurrence, partitionId, id }: Mission,
  player: Player,
  { occurredAt, receivedAt }: EventFact,
  completions: readonly Completion[],
): TrialLine | null {
  if (recurrence.kind !== "Calendar") return null;
  const zone = player.timeZone ?? definitions.timeZone;
  const periodOf = (instant: number) => periodAt(instant, zone, recurrence.every);
  const { start, endsAt } = periodOf(occurredAt);
  const live = player.missions.get(partitionId)?.get(id)?.live ?? [];
  if (live.some(({ period }) => period?.start === start)) return null;
  const isDone = completions.some((one) => periodOf(one.startedAt).start === start && one.completedAt < receivedAt);
  if (isDone) return line(false, "already completed in its period");
  return now < endsAt ? null : line(null, "its period is over and was not completed: what counted in it is no longer kept");
}

/** The stored rewards, and the completion too if events were left out of the replay, which then may not reach it. */
function asWritten(scene: Scene, played: EventVerdict, { rewards }: Completion, isCut: boolean): EventVerdict {
  const isTold = played.lines.some(({ text }) => text === COMPLETED);
  if (!isTold && !isCut) return played;
  const written = rewards.map((reward) => rewardText(reward, scene));
  return { counts: true, lines: isTold ? played.lines : [...played.lines, line(true, COMPLETED)], rewards: written };
}

const COMPLETED = "the mission is completed";

/**
 * A completed occurrence as of its entry, without its counts. Its position in the order of facts is not stored, but the instant of receipt
 * is.
 */
function occurrenceOf(
  { definitions }: Scene,
  mission: Mission,
  player: Player,
  { occurrenceNumber, startedAt, acceptedAt }: Completion,
  facts: readonly EventFact[],
): Occurrence {
  const { recurrence } = mission;
  const earlier = facts.filter(({ receivedAt }) => receivedAt < acceptedAt);
  return {
    number: occurrenceNumber,
    startedAt,
    accepted: { seq: earlier.at(-1)?.seq ?? 0, at: acceptedAt },
    period: recurrence.kind === "Calendar" ? periodAt(startedAt, player.timeZone ?? definitions.timeZone, recurrence.every) : null,
    objectives: [],
  };
}

function whyOutside(scene: Scene, mission: Mission, player: Player, fact: EventFact, completions: readonly Completion[]): string {
  const later = completions.findLast(({ acceptedAt }) => acceptedAt > fact.receivedAt);
  if (later !== undefined) return `received before the player's entry (${instantInWords(later.acceptedAt, scene.words.zone)})`;
  const reason = whyClosed(scene, mission, fact, player);
  if (reason !== null) return reason;
  // With an audience the player may have read the mission as one that is locked.
  return isInNoMission(player) && mission.audience.rule === null
    ? "the player has never read their missions, so they are not in it"
    : "the player has not read this mission since they could enter it, so they are not in it";
}

/**
 * An event's effect on a streak, by a replay. `isUnmoved`: whether it is known to have had none. If the player's stored days say otherwise
 * than the replay, they are right: a replay puts earlier events on the days of the present zone, which may not be those on which they
 * counted.
 */
export function explainStreakEvent(scene: Scene, streak: Streak, { player, fact, facts }: EventHistory, isUnmoved: boolean): EventVerdict {
  const narrowed = { ...scene, definitions: onlyStreak(scene.definitions, streak) };
  const played = verdictOf(tryStreak(narrowed, withoutStreak(player, streak), streak, facts).steps, facts.length);
  if (!isUnmoved) return played;
  const reason = explainStreak(player, scene.definitions, streak, fact, scene.words)?.reason ?? null;
  if (reason === null) return { ...played, counts: true };
  return played.counts ? { ...NOT_COUNTED, lines: [line(false, reason)] } : played;
}

export function explainBoardEvent(scene: Scene, board: Leaderboard, { player, facts }: EventHistory): EventVerdict {
  const narrowed = { ...scene, definitions: onlyLeaderboard(scene.definitions, board) };
  return verdictOf(tryLeaderboard(narrowed, player, board, facts, new Map()).steps, facts.length);
}
