import type { Mission } from "./definition.ts";
import type { ObjectiveState, Occurrence } from "../kernel/player.ts";
import { described, pickText } from "../kernel/texts.ts";
import { formatInstant } from "../kernel/time.ts";
import type { TaggedValue } from "../kernel/values.ts";
import type { Reward } from "../rules/reward.ts";
import { taggedItem } from "../rules/value.ts";
import { offeredObjectives } from "./objectives.ts";
import { NOT_DISPLAYABLE, type ObjectiveProgress, progressOf } from "./progress.ts";

/** A completed occurrence as stored. */
export interface CompletedOccurrence {
  missionId: number;
  occurrenceNumber: number;
  startedAt: number;
  acceptedAt: number;
  completedAt: number;
  objectives: readonly ObjectiveState[];
  rewards: readonly Reward[];
}

/** A mission as the API shows it. */
export interface MissionRow {
  missionKey: string;
  name: string;
  description: string | null;
  images: Readonly<Record<string, string>>;
  status: "Available" | "InProgress" | "Completed" | "Locked";
  optInMode: "Automatic" | "Manual";
  isAccepted: boolean;
  occurrenceNumber: number;
  objectives: ObjectiveRow[];
  rewards: RewardRow[];
  startedAtUtc: string | null;
  acceptedAtUtc: string | null;
  completedAtUtc: string | null;
  availableUntilUtc: string | null;
}

interface ObjectiveRow {
  objectiveId: string;
  description: string | null;
  order: number;
  isSatisfied: boolean;
  progress: ObjectiveProgress;
}

interface RewardRow {
  kind: Reward["kind"];
  pointsAmount: number | null;
  catalogItemKey: string | null;
  catalogItemValue: TaggedValue | null;
}

export function liveRow(mission: Mission, occurrence: Occurrence, language: string | null): MissionRow {
  const { accepted } = occurrence;
  return {
    ...mainFields(mission, language),
    status: accepted === null ? "Available" : "InProgress",
    isAccepted: accepted !== null,
    occurrenceNumber: occurrence.number,
    objectives: objectiveRows(mission, accepted === null ? offeredObjectives(mission) : occurrence.objectives, language),
    rewards: mission.rewards.map(rewardRow),
    startedAtUtc: formatInstant(occurrence.startedAt),
    acceptedAtUtc: accepted === null ? null : formatInstant(accepted.at),
    completedAtUtc: null,
  };
}

/** A mission that the player does not qualify for: they are not in it, and it has no progress. */
export const lockedRow = (mission: Mission, occurrenceNumber: number, language: string | null): MissionRow => ({
  ...mainFields(mission, language),
  status: "Locked",
  isAccepted: false,
  occurrenceNumber,
  objectives: objectiveRows(mission, [], language).map((row) => ({ ...row, isSatisfied: false, progress: NOT_DISPLAYABLE })),
  rewards: mission.rewards.map(rewardRow),
  startedAtUtc: null,
  acceptedAtUtc: null,
  completedAtUtc: null,
});

export function completedRow(mission: Mission, completed: CompletedOccurrence, language: string | null): MissionRow {
  return {
    ...mainFields(mission, language),
    status: "Completed",
    isAccepted: true,
    occurrenceNumber: completed.occurrenceNumber,
    objectives: objectiveRows(mission, completed.objectives, language),
    rewards: completed.rewards.map(rewardRow),
    startedAtUtc: formatInstant(completed.startedAt),
    acceptedAtUtc: formatInstant(completed.acceptedAt),
    completedAtUtc: formatInstant(completed.completedAt),
  };
}

const mainFields = (mission: Mission, language: string | null) => ({
  missionKey: mission.key,
  ...described(mission, language),
  optInMode: mission.optIn,
  availableUntilUtc: mission.window.endsAt === null ? null : formatInstant(mission.window.endsAt),
});

function objectiveRows(mission: Mission, states: readonly ObjectiveState[], language: string | null): ObjectiveRow[] {
  return mission.objectives.map((objective, order) => {
    const state = states[order] ?? { isSatisfied: false, counters: [] };
    return {
      objectiveId: objective.id,
      description: objective.description === null ? null : pickText(objective.description, language),
      order,
      isSatisfied: state.isSatisfied,
      progress: progressOf(objective, state),
    };
  });
}

/** Members that a kind of reward does not have are null. */
function rewardRow(reward: Reward): RewardRow {
  const row = { kind: reward.kind, pointsAmount: null, catalogItemKey: null, catalogItemValue: null };
  switch (reward.kind) {
    case "Points":
      return { ...row, pointsAmount: reward.points };
    case "CatalogItem":
      return { ...row, catalogItemKey: reward.catalogItemKey, catalogItemValue: taggedItem(reward) };
  }
}
