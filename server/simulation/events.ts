import type { Leaderboard, Mission, Streak } from "../definitions/compiled.ts";
import { instantText } from "../definitions/words.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Occurrence, Player } from "../kernel/player.ts";
import { periodAt } from "../kernel/time.ts";
import { explainOpening } from "../missions/explain.ts";
import { initialObjectives } from "../missions/objectives.ts";
import type { CompletedOccurrence } from "../missions/rows.ts";
import { rewardEffect } from "../rules/reward.ts";
import type { TrialLine, TrialStep } from "./contract.dashboard.ts";
import { tryLeaderboard } from "./leaderboards.ts";
import { tryMission } from "./missions.ts";
import { onlyLeaderboard, onlyMission, onlyStreak } from "./narrowed.ts";
import { rewardTexts } from "./rewards.ts";
import { line, type Scene } from "./steps.ts";
import { tryStreak, withoutStreak } from "./streaks.ts";

/** What an event did to one thing that reads it. */
export interface EventVerdict {
  counts: boolean;
  lines: TrialLine[];
  rewards: string[];
}

/** An event with the events of its player before it that the same things read; it is the last of them. */
export interface EventHistory {
  player: Player;
  fact: EventFact;
  facts: readonly EventFact[];
}

const NOT_COUNTED: EventVerdict = { counts: false, lines: [], rewards: [] };

const verdictOf = (steps: readonly TrialStep[], number: number): EventVerdict => {
  const step = steps.find((one) => one.number === number);
  return step === undefined ? NOT_COUNTED : { counts: step.outcome === "Counts", lines: step.lines, rewards: step.rewards };
};

/**
 * What an event did to a mission: it is played again in the occurrences that it fell into, those under way and those completed since.
 * `completions` are the player's of this mission.
 */
export function explainMission(
  scene: Scene,
  mission: Mission,
  { player, fact, facts }: EventHistory,
  completions: readonly CompletedOccurrence[],
): EventVerdict {
  const around = completions.filter(({ acceptedAt, completedAt }) => acceptedAt <= fact.receivedAt && fact.receivedAt <= completedAt);
  const state = player.missions.get(mission.partitionId)?.get(mission.id) ?? { live: [], last: null };
  const live = [
    ...around.map((one) => occurrenceOf(scene, mission, player, one, facts)),
    ...state.live.map((one) => (one.accepted === null ? one : { ...one, objectives: initialObjectives(mission, player.attributes) })),
  ];
  if (live.length === 0) return { ...NOT_COUNTED, lines: [line(false, whyOutside(scene, mission, player, fact, completions))] };
  const partition = new Map(player.missions.get(mission.partitionId)).set(mission.id, { ...state, live });
  const before = { ...player, seen: new Set<string>(), missions: new Map(player.missions).set(mission.partitionId, partition) };
  const narrowed = { ...scene, definitions: onlyMission(scene.definitions, mission) };
  const played = verdictOf(tryMission(narrowed, { player: before, mission, facts, readsFrom: null }).steps, facts.length);
  const completed = around.find(({ completedAt }) => completedAt === fact.receivedAt);
  return completed === undefined || !played.counts ? played : asWritten(scene, played, completed);
}

/** What the completion says that was written at the event's instant, where the history played again does not reach back far enough. */
function asWritten(scene: Scene, played: EventVerdict, { rewards }: CompletedOccurrence): EventVerdict {
  const at = { sourceType: "Mission" as const, sourceId: "", at: 0 };
  const written = rewardTexts(
    rewards.map((reward, ordinal) => rewardEffect(reward, { ...at, ordinal })),
    scene,
  );
  const isTold = played.lines.some(({ text }) => text === COMPLETED);
  return { counts: true, lines: isTold ? played.lines : [...played.lines, line(true, COMPLETED)], rewards: written };
}

const COMPLETED = "the mission is completed";

/** A completed occurrence as it was when it began. Its place in the order of facts is not kept; what was received before it is. */
function occurrenceOf(
  { definitions }: Scene,
  mission: Mission,
  player: Player,
  { occurrenceNumber, startedAt, acceptedAt }: CompletedOccurrence,
  facts: readonly EventFact[],
): Occurrence {
  const { recurrence } = mission;
  const earlier = facts.filter(({ receivedAt }) => receivedAt < acceptedAt);
  return {
    number: occurrenceNumber,
    startedAt,
    accepted: { seq: earlier.at(-1)?.seq ?? 0, at: acceptedAt },
    period: recurrence.kind === "Calendar" ? periodAt(startedAt, player.timeZone ?? definitions.timeZone, recurrence.every) : null,
    objectives: initialObjectives(mission, player.attributes),
  };
}

function whyOutside(scene: Scene, mission: Mission, player: Player, fact: EventFact, completions: readonly CompletedOccurrence[]): string {
  const later = completions.findLast(({ acceptedAt }) => acceptedAt > fact.receivedAt);
  if (later !== undefined) return `received before the player's entry (${instantText(later.acceptedAt, scene.words)})`;
  const reason = explainOpening(player, mission, fact.receivedAt, scene.words, scene.definitions);
  if (reason !== null) return reason;
  return isInNoMission(player)
    ? "the player has never read their missions, so they are not in it"
    : "the player has not read their missions since it opened, so they are not in it";
}

const isInNoMission = ({ missions, completedMissions }: Player): boolean =>
  completedMissions.size === 0 && [...missions.values()].every((partition) => partition.size === 0);

export function explainStreakEvent(scene: Scene, streak: Streak, { player, facts }: EventHistory): EventVerdict {
  const narrowed = { ...scene, definitions: onlyStreak(scene.definitions, streak) };
  return verdictOf(tryStreak(narrowed, withoutStreak(player, streak), streak, facts).steps, facts.length);
}

export function explainBoardEvent(scene: Scene, board: Leaderboard, { player, facts }: EventHistory): EventVerdict {
  const narrowed = { ...scene, definitions: onlyLeaderboard(scene.definitions, board) };
  return verdictOf(tryLeaderboard(narrowed, player, board, facts, new Map()).steps, facts.length);
}
