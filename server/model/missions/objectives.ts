import type { Mission } from "./definition.ts";
import type { AttributeFact, EventFact } from "../kernel/facts.ts";
import type { ObjectiveState, Player, CounterValue } from "../kernel/player.ts";
import { advanceCounter, counterWithoutEvents, isDistinct } from "../rules/measure.ts";
import { concerns } from "../rules/measured.ts";
import { isLimit, isMet, type Criterion, type Objective } from "../rules/objective.ts";

/** Whether a value is new to a distinct measure; marks it as seen. */
export type IsNewValue = (criterion: number) => boolean;

type Attributes = Player["attributes"];

/**
 * The objectives of an occurrence at entry (for a manual mission: at the accept), evaluated without events and with the player's attributes
 * at that time.
 */
export const initialObjectives = (mission: Pick<Mission, "objectives" | "objectiveOrder">, attributes: Attributes): ObjectiveState[] =>
  judge(
    mission,
    mission.objectives.map((objective) => unjudged(objective, attributes)),
  );

/** The objectives of an offer: progress begins when it is accepted. */
export const offeredObjectives = ({ objectives }: Pick<Mission, "objectives">): ObjectiveState[] =>
  objectives.map((objective) => unjudged(objective, new Map()));

const unjudged = (objective: Objective, attributes: Attributes): ObjectiveState => ({
  isSatisfied: isLimit(objective),
  counters: objective.criteria.map((one) =>
    one.source !== "Attribute" ? counterWithoutEvents(one) : { value: attributes.get(one.definitionId)?.value ?? null },
  ),
});

/** The objectives after a change of an attribute; the same array if none reads it. An inactive mission keeps the value, unjudged. */
export function readAttribute(
  mission: Mission,
  states: readonly ObjectiveState[],
  { attributeId, value }: AttributeFact,
): readonly ObjectiveState[] {
  const reads = (one: Criterion): boolean => one.source === "Attribute" && one.definitionId === attributeId;
  if (!mission.objectives.some(({ criteria }) => criteria.some(reads))) return states;
  const read = states.map((state, index): ObjectiveState => {
    const criteria = mission.objectives[index]?.criteria ?? [];
    return { ...state, counters: state.counters.map((counter, at) => (reads(criteria[at]!) ? { value } : counter)) };
  });
  return mission.active ? judge(mission, read) : read;
}

/**
 * The objectives after an event; the same array when it moved none. In order, the event counts for the first objective that is not
 * satisfied, and for limits, which block no other. The loops copy late: this runs for every mission that names the event of every fact.
 */
export function countEvent(
  mission: Mission,
  states: readonly ObjectiveState[],
  fact: EventFact,
  isNewValue: IsNewValue,
  zone: string,
): readonly ObjectiveState[] {
  const { objectives } = mission;
  const turn = turnOf(mission, states);
  let counted: ObjectiveState[] | null = null;
  for (let index = 0, first = 0; index < objectives.length; index++) {
    const objective = objectives[index]!;
    const state = states[index]!;
    if (hasTurn(objective, index, turn)) {
      const next = countForObjective(objective, state, fact, isNewValue, first, zone);
      if (next !== state) (counted ??= states.slice())[index] = next;
    }
    first += objective.criteria.length;
  }
  return counted === null ? states : judge(mission, counted);
}

/** `first` is the index of the objective's first criterion among all of the mission. */
function countForObjective(
  objective: Objective,
  state: ObjectiveState,
  fact: EventFact,
  isNewValue: IsNewValue,
  first: number,
  zone: string,
): ObjectiveState {
  let counters: CounterValue[] | null = null;
  for (let index = 0; index < objective.criteria.length; index++) {
    const criterion = objective.criteria[index]!;
    if (!concerns(criterion, fact, zone)) continue;
    const counter = state.counters[index]!;
    const next = advanceCounter(counter, criterion, fact, isDistinct(criterion.measure) ? checkAt(isNewValue, first + index) : NOTHING_NEW);
    if (next === counter) continue;
    if (state.counters.length === 1) counters = [next];
    else (counters ??= [...state.counters])[index] = next;
  }
  return counters === null ? state : { isSatisfied: state.isSatisfied, counters };
}

const NOTHING_NEW = (): boolean => false;

/** A separate function, so that the loop above creates no closure for measures that do not need it. */
const checkAt = (isNewValue: IsNewValue, criterion: number) => (): boolean => isNewValue(criterion);

/** The objectives after one was met by hand; in order, those that were waiting for it are evaluated. */
export const meetObjective = (mission: Mission, states: readonly ObjectiveState[], index: number): ObjectiveState[] =>
  judge(
    mission,
    states.map((state, at) => (at === index ? { ...state, isSatisfied: true } : state)),
  );

/** Marks objectives that are satisfied now, in place. In order, an objective is evaluated once its predecessors are satisfied. */
function judge(mission: Pick<Mission, "objectives" | "objectiveOrder">, states: ObjectiveState[]): ObjectiveState[] {
  for (let index = 0; index < states.length; index++) {
    const objective = mission.objectives[index]!;
    const state = states[index]!;
    const satisfied = state.isSatisfied || isMet(objective, state.counters);
    if (satisfied !== state.isSatisfied) states[index] = { isSatisfied: satisfied, counters: state.counters };
    if (!satisfied && mission.objectiveOrder === "InOrder") break;
  }
  return states;
}

export const isComplete = (states: readonly ObjectiveState[]): boolean => states.every((state) => state.isSatisfied);

/** For objectives in order: the index of the first unsatisfied one, limits excluded; −1 if there is none. Null in any order. */
export const turnOf = (mission: Mission, states: readonly ObjectiveState[]): number | null =>
  mission.objectiveOrder === "InOrder"
    ? mission.objectives.findIndex((objective, index) => !isLimit(objective) && states[index]?.isSatisfied === false)
    : null;

/** Whether an event may count for the objective at an index, given whose turn it is. */
export const hasTurn = (objective: Objective, index: number, turn: number | null): boolean =>
  turn === null || index === turn || isLimit(objective);
