import type { CompletionEffect } from "../rules/effects.ts";
import type { MissionState, ObjectiveState, Occurrence, Player } from "../kernel/player.ts";
import { valueWithoutEvents } from "../rules/measure.ts";
import type { Mission } from "./definition.ts";
import { occurrenceKey } from "./occurrences.ts";
import { NOT_ENTERED } from "./state.ts";

/** A step of a player's way through a mission, for analytics. */
export interface FunnelStep {
  missionId: number;
  step: "entered" | "accepted" | "progressed";
  at: number;
}

/** How far an occurrence may be in its mission's funnel; `player` counts the first occurrence of each player. */
export type FunnelStage = "player" | "entered" | "accepted" | "progressed" | "completed" | "objective";

/** An occurrence enters a stage (`by` 1) or leaves it (-1). Stages are counted by the day of entry, as a cohort. */
export interface FunnelMove {
  missionId: number;
  stage: FunnelStage;
  /** Id of the objective that is met. */
  objective?: string;
  startedAt: number;
  by: 1 | -1;
}

/** The fields of an occurrence that determine its steps. In a complete one every objective is met. */
type Progressed = Pick<Occurrence, "startedAt" | "accepted" | "objectives">;

/**
 * The steps that a fold has taken a player, from their states before and after, and how it moved them in the funnels. `at` is when the last
 * fact was received.
 */
export function stepsBetween(
  missionsById: ReadonlyMap<number, Mission>,
  before: Player["missions"],
  after: Player["missions"],
  completions: readonly CompletionEffect[],
  at: number,
): { steps: FunnelStep[]; moves: FunnelMove[] } {
  const steps: FunnelStep[] = [];
  const moves: FunnelMove[] = [];
  const begun = new Set<number>();
  const add = (
    mission: Mission,
    known: MissionState,
    key: string | number,
    occurrence: Progressed,
    isComplete: boolean,
    stepAt: number,
  ) => {
    const earlier = liveOf(known, key);
    if (earlier === occurrence) return;
    const had = hasMoved(mission, earlier?.objectives ?? NO_OBJECTIVES);
    const has = isComplete || hasMoved(mission, occurrence.objectives);
    addSteps(steps, mission, earlier, occurrence, !had && has, stepAt);
    addMoves(moves, mission, earlier, occurrence, had, has, isComplete);
    if (earlier !== undefined || known.live.length > 0 || known.last !== null || begun.has(mission.id)) return;
    begun.add(mission.id);
    moves.push({ missionId: mission.id, stage: "player", startedAt: occurrence.startedAt, by: 1 });
  };
  for (const [partitionId, partition] of after) {
    const earlier = before.get(partitionId);
    if (earlier === partition) continue;
    // An iteration by `for` would make an array of each entry.
    partition.forEach((state, missionId) => {
      const known = earlier?.get(missionId) ?? NOT_ENTERED;
      const mission = missionsById.get(missionId);
      if (known === state || mission === undefined) return;
      for (const occurrence of state.live) add(mission, known, occurrenceKey(occurrence), occurrence, false, at);
    });
  }
  for (const { missionId, occurrenceKey: key, startedAt, acceptedAt, completedAt } of completions) {
    const mission = missionsById.get(missionId);
    if (mission === undefined) continue;
    const known = before.get(mission.partitionId)?.get(missionId) ?? NOT_ENTERED;
    const complete = { startedAt, accepted: { seq: 0, at: acceptedAt }, objectives: [] };
    add(mission, known, key, complete, true, completedAt);
  }
  return { steps, moves };
}

function liveOf({ live }: MissionState, key: string | number): Occurrence | undefined {
  for (let at = 0; at < live.length; at++) if (occurrenceKey(live[at]!) === key) return live[at];
  return undefined;
}

/** This runs for every mission that a fact moves: it copies nothing. */
function addSteps(
  steps: FunnelStep[],
  mission: Mission,
  before: Occurrence | undefined,
  after: Progressed,
  progresses: boolean,
  at: number,
): void {
  const missionId = mission.id;
  if (before === undefined) steps.push({ missionId, step: "entered", at: after.startedAt });
  if (after.accepted === null) return;
  if (before === undefined || before.accepted === null) steps.push({ missionId, step: "accepted", at: after.accepted.at });
  if (progresses) steps.push({ missionId, step: "progressed", at });
}

/**
 * The stages that an occurrence entered and left. If its entry moved back, all of them change cohort. `had` and `has` say whether anything
 * counted for it before and after.
 */
function addMoves(
  moves: FunnelMove[],
  mission: Mission,
  before: Occurrence | undefined,
  after: Progressed,
  had: boolean,
  has: boolean,
  isComplete: boolean,
): void {
  const { objectives } = mission;
  const wasAccepted = before !== undefined && before.accepted !== null;
  const isAccepted = after.accepted !== null;
  const known = before?.objectives ?? NO_OBJECTIVES;
  move(moves, mission, before, after, "entered", before !== undefined, true);
  move(moves, mission, before, after, "accepted", wasAccepted, isAccepted);
  move(moves, mission, before, after, "progressed", wasAccepted && had, isAccepted && has);
  move(moves, mission, before, after, "completed", false, isComplete);
  for (let index = 0; index < objectives.length; index++) {
    const isMet = isAccepted && (isComplete || after.objectives[index]?.isSatisfied === true);
    move(moves, mission, before, after, "objective", wasAccepted && known[index]?.isSatisfied === true, isMet, objectives[index]!.id);
  }
}

function move(
  moves: FunnelMove[],
  { id: missionId }: Mission,
  before: Occurrence | undefined,
  { startedAt }: Progressed,
  stage: FunnelStage,
  was: boolean,
  is: boolean,
  objective?: string,
): void {
  const known = before?.startedAt ?? startedAt;
  if (was === is && (!is || known === startedAt)) return;
  if (was) moves.push({ missionId, stage, objective, startedAt: known, by: -1 });
  if (is) moves.push({ missionId, stage, objective, startedAt, by: 1 });
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
