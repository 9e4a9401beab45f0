import type { Expression, Mission, Objective } from "../definitions/compiled.ts";
import type { EventFact } from "../kernel/facts.ts";
import { holds } from "../kernel/operators.ts";
import { advanceReading, concerns, readingWithoutEvents } from "./measure.ts";
import type { ObjectiveState, Reading } from "../kernel/player.ts";

/** Asks whether a distinct measure meets a value for the first time, and notes that it has. */
export type FirstSight = (criterion: number) => boolean;

/** The objectives of an occurrence at entry (for a manual mission: at the accept), each judged by its readings without events. */
export function initialObjectives(mission: Pick<Mission, "objectives" | "objectiveOrder">): ObjectiveState[] {
  const states = mission.objectives.map((objective) => ({
    isSatisfied: isLimit(objective),
    readings: objective.criteria.map(readingWithoutEvents),
  }));
  return judge(mission, states);
}

/**
 * The objectives after an event; the same array when it moved none. In order, it counts for the first objective that is
 * not satisfied and for the limits, which hold nobody up (decisions.md 2.3).
 */
export function countEvent(
  mission: Mission,
  states: readonly ObjectiveState[],
  fact: EventFact,
  firstSight: FirstSight,
): readonly ObjectiveState[] {
  const turn = mission.objectiveOrder === "InOrder" ? currentObjective(mission, states) : null;
  let criterion = 0;
  let moved = false;
  const counted = mission.objectives.map((objective, index) => {
    const state = states[index] as ObjectiveState;
    const first = criterion;
    criterion += objective.criteria.length;
    if (turn !== null && index !== turn && !isLimit(objective)) return state;
    const next = countForObjective(objective, state, fact, (own) => firstSight(first + own));
    moved ||= next !== state;
    return next;
  });
  return moved ? judge(mission, counted) : states;
}

function countForObjective(objective: Objective, state: ObjectiveState, fact: EventFact, firstSight: FirstSight): ObjectiveState {
  let moved = false;
  const readings = objective.criteria.map((criterion, index) => {
    const reading = state.readings[index] as Reading;
    if (!concerns(criterion, fact)) return reading;
    const next = advanceReading(reading, criterion, fact, () => firstSight(index));
    moved ||= next !== reading;
    return next;
  });
  return moved ? { ...state, readings } : state;
}

/** Latches what is satisfied now; in order, an objective is judged once its predecessors are satisfied. */
function judge(mission: Pick<Mission, "objectives" | "objectiveOrder">, states: readonly ObjectiveState[]): ObjectiveState[] {
  let mayJudge = true;
  return states.map((state, index) => {
    const objective = mission.objectives[index] as Objective;
    const satisfied = state.isSatisfied || (mayJudge && isMet(objective, state.readings));
    if (mission.objectiveOrder === "InOrder" && !isLimit(objective)) mayJudge &&= satisfied;
    return satisfied === state.isSatisfied ? state : { ...state, isSatisfied: satisfied };
  });
}

export const isComplete = (states: readonly ObjectiveState[]): boolean => states.every((state) => state.isSatisfied);

/** A limit starts satisfied and stays so (decisions.md 2.3). */
export const isLimit = (objective: Objective): boolean => objective.progressKind === "WithinLimit";

/** The first objective not yet satisfied, limits aside; −1 when there is none. */
const currentObjective = (mission: Mission, states: readonly ObjectiveState[]): number =>
  mission.objectives.findIndex((objective, index) => !isLimit(objective) && states[index]?.isSatisfied === false);

function isMet(objective: Objective, readings: readonly Reading[]): boolean {
  const test = (expression: Expression): boolean => {
    if (typeof expression === "number") {
      const criterion = objective.criteria[expression];
      return criterion !== undefined && holds(readings[expression]?.value, criterion.operator, criterion.target);
    }
    if ("all" in expression) return expression.all.every(test);
    if ("any" in expression) return expression.any.some(test);
    return !test(expression.not);
  };
  return test(objective.expression);
}
