import type { CompletionEffect } from "../kernel/effects.ts";
import type { MissionState, ObjectiveState, Occurrence, Player } from "../kernel/player.ts";
import { valueWithoutEvents } from "../rules/measure.ts";
import type { Mission } from "./definition.ts";
import { NOT_ENTERED } from "./state.ts";

/** A step of a player's way through a mission, for analytics. */
export interface FunnelStep {
  missionId: number;
  step: "entered" | "accepted" | "progressed" | "objective";
  /** Id of the objective that was met. */
  objective?: string;
  at: number;
}

/** An occurrence by what its steps are told from. Of a complete one every objective is met. */
type Progressed = Pick<Occurrence, "startedAt" | "accepted" | "objectives">;

/** The steps that a fold has taken a player, from their states before and after. `at` is when the last fact was received. */
export function stepsBetween(
  missionsById: ReadonlyMap<number, Mission>,
  before: Player["missions"],
  after: Player["missions"],
  completions: readonly CompletionEffect[],
  at: number,
): FunnelStep[] {
  const steps: FunnelStep[] = [];
  for (const [partitionId, partition] of after) {
    const earlier = before.get(partitionId);
    if (earlier === partition) continue;
    for (const [missionId, state] of partition) {
      const known = earlier?.get(missionId) ?? NOT_ENTERED;
      const mission = missionsById.get(missionId);
      if (known === state || mission === undefined) continue;
      for (const occurrence of state.live) {
        const earlierOne = numbered(known, occurrence.number);
        if (earlierOne !== occurrence) addSteps(steps, mission, earlierOne, occurrence, false, at);
      }
    }
  }
  for (const { missionId, occurrenceNumber, startedAt, acceptedAt, completedAt } of completions) {
    const mission = missionsById.get(missionId);
    if (mission === undefined) continue;
    const known = before.get(mission.partitionId)?.get(missionId) ?? NOT_ENTERED;
    const complete = { startedAt, accepted: { seq: 0, at: acceptedAt }, objectives: [] };
    addSteps(steps, mission, numbered(known, occurrenceNumber), complete, true, completedAt);
  }
  return steps;
}

function numbered({ live }: MissionState, number: number): Occurrence | undefined {
  for (let at = 0; at < live.length; at++) if (live[at]!.number === number) return live[at];
  return undefined;
}

/** This runs for every mission that a fact moves: it copies nothing. */
function addSteps(
  steps: FunnelStep[],
  mission: Mission,
  before: Occurrence | undefined,
  after: Progressed,
  isComplete: boolean,
  at: number,
): void {
  const missionId = mission.id;
  if (before === undefined) steps.push({ missionId, step: "entered", at: after.startedAt });
  if (after.accepted === null) return;
  if (before === undefined || before.accepted === null) steps.push({ missionId, step: "accepted", at: after.accepted.at });
  const known = before?.objectives ?? NO_OBJECTIVES;
  if (!hasMoved(mission, known) && (isComplete || hasMoved(mission, after.objectives))) steps.push({ missionId, step: "progressed", at });
  for (let index = 0; index < mission.objectives.length; index++) {
    if (known[index]?.isSatisfied === true) continue;
    if (isComplete || after.objectives[index]?.isSatisfied === true)
      steps.push({ missionId, step: "objective", objective: mission.objectives[index]!.id, at });
  }
}

const NO_OBJECTIVES: readonly ObjectiveState[] = [];

/** Whether an event or a metric has counted for something. An attribute's value is there from the start. */
function hasMoved({ objectives }: Mission, states: readonly ObjectiveState[]): boolean {
  for (let index = 0; index < states.length; index++) {
    const criteria = objectives[index]?.criteria ?? [];
    const { counters } = states[index]!;
    for (let at = 0; at < criteria.length; at++) {
      const criterion = criteria[at]!;
      if (criterion.source !== "Attribute" && counters[at]?.value !== valueWithoutEvents(criterion)) return true;
    }
  }
  return false;
}
