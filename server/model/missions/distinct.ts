import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { DistinctValueEffect, Effect } from "../rules/effects.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Occurrence, Player } from "../kernel/player.ts";
import { derivedId } from "../players/identity.ts";
import { distinctValue, isDistinct } from "../rules/measure.ts";
import type { Criterion } from "../rules/objective.ts";
import { occurrenceIdOf } from "./completion.ts";
import type { IsNewValue } from "./objectives.ts";
import { stateOf } from "./state.ts";

/** A value as one criterion of one occurrence sees it. */
export type DistinctValue = Omit<DistinctValueEffect, "kind">;

/** The name of a distinct value in `Player.seen`. */
export const distinctValueName = ({ occurrenceId, criterion, value }: DistinctValue): string => `${occurrenceId}/${criterion}/${value}`;

/**
 * Whether a value is new to a criterion, for a fold. A new value is added to `seen` and becomes an effect: distinct values grow without
 * bound, so they have a separate table.
 */
export function newValueCheck(
  { seen, effects }: { seen: Set<string>; effects: Effect[] },
  player: Player,
  mission: Mission,
  occurrence: Occurrence,
  fact: EventFact,
  zone: string,
): IsNewValue {
  return (index) => {
    const distinct = distinctValueAt(player, mission, occurrence, index, fact, zone);
    if (distinct === null || seen.has(distinctValueName(distinct))) return false;
    seen.add(distinctValueName(distinct));
    effects.push({ kind: "distinctValue", ...distinct });
    return true;
  };
}

/** The distinct values that a fold of these events may check; they are loaded before it. */
export function distinctValuesOf(player: Player, definitions: Definitions, events: readonly EventFact[]): DistinctValue[] {
  const zone = player.timeZone ?? definitions.timeZone;
  const distinctValues: DistinctValue[] = [];
  for (const fact of events) {
    for (const mission of definitions.missionsByEvent.get(fact.definitionId) ?? []) {
      const criteria = distinctCriteria(mission);
      if (criteria.length === 0) continue;
      for (const occurrence of stateOf(player, mission).live) {
        for (const index of criteria) {
          const distinct = distinctValueAt(player, mission, occurrence, index, fact, zone);
          if (distinct !== null) distinctValues.push(distinct);
        }
      }
    }
  }
  return distinctValues;
}

/**
 * Whether some mission counts distinct values of an event, so that a fold of it needs the values seen before. This runs for every fact:
 * each list of missions is scanned once.
 */
export function asksForDistinctValues({ missionsByEvent }: Definitions, { definitionId }: EventFact): boolean {
  const missions = missionsByEvent.get(definitionId);
  if (missions === undefined) return false;
  let known = asking.get(missions);
  if (known === undefined) asking.set(missions, (known = missions.some((mission) => distinctCriteria(mission).length > 0)));
  return known;
}

const asking = new WeakMap<readonly Mission[], boolean>();

function distinctValueAt(
  player: Player,
  mission: Mission,
  occurrence: Occurrence,
  index: number,
  fact: EventFact,
  zone: string,
): DistinctValue | null {
  const criterion = criteriaOf(mission)[index];
  if (criterion === undefined || criterion.source === "Attribute" || criterion.definitionId !== fact.definitionId) return null;
  const text = distinctValue(criterion, fact, zone);
  return text === null
    ? null
    : { occurrenceId: occurrenceIdOf(player, mission, occurrence), criterion: index, value: derivedId("value", text) };
}

const byMission = new WeakMap<Mission, { all: readonly Criterion[]; distinct: readonly number[] }>();

/** All criteria of a mission in one list: `criterion` of a distinct value is the index in it. */
const criteriaOf = (mission: Mission): readonly Criterion[] => listed(mission).all;

const distinctCriteria = (mission: Mission): readonly number[] => listed(mission).distinct;

function listed(mission: Mission) {
  const known = byMission.get(mission);
  if (known !== undefined) return known;
  const all = mission.objectives.flatMap((objective) => objective.criteria);
  const isCountedOnce = (one: Criterion) => one.source !== "Attribute" && isDistinct(one.measure);
  const made = { all, distinct: all.flatMap((criterion, index) => (isCountedOnce(criterion) ? [index] : [])) };
  byMission.set(mission, made);
  return made;
}
