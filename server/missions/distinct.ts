import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { DistinctValueEffect, Effect } from "../kernel/effects.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Occurrence, Player } from "../kernel/player.ts";
import { derivedId } from "../players/identity.ts";
import { distinctValue, isDistinct } from "../rules/measure.ts";
import type { Criterion } from "../rules/objective.ts";
import { occurrenceIdOf } from "./completion.ts";
import type { FirstSight } from "./objectives.ts";

/** A value as one criterion of one occurrence sees it. */
export type DistinctSight = Omit<DistinctValueEffect, "kind">;

/** How a sight is named in `Player.seen`. */
export const sightName = ({ occurrenceId, criterion, value }: DistinctSight): string => `${occurrenceId}/${criterion}/${value}`;

/**
 * Asks for a fold whether a value is new to a criterion. What the fold itself sees joins `seen` and becomes an effect,
 * since the values grow without bound and therefore have a table of their own.
 */
export function firstSightOf(
  { seen, effects }: { seen: Set<string>; effects: Effect[] },
  player: Player,
  mission: Mission,
  occurrence: Occurrence,
  fact: EventFact,
  zone: string,
): FirstSight {
  return (index) => {
    const sight = sightAt(player, mission, occurrence, index, fact, zone);
    if (sight === null || seen.has(sightName(sight))) return false;
    seen.add(sightName(sight));
    effects.push({ kind: "distinctValue", ...sight });
    return true;
  };
}

/** The sights that a fold of these events may ask about, to be looked up before it. */
export function sightsOf(player: Player, definitions: Definitions, events: readonly EventFact[]): DistinctSight[] {
  const zone = player.timeZone ?? definitions.timeZone;
  const sights: DistinctSight[] = [];
  for (const fact of events) {
    for (const mission of definitions.missionsByEvent.get(fact.definitionId) ?? []) {
      const distinct = distinctCriteria(mission);
      if (distinct.length === 0) continue;
      for (const occurrence of player.missions.get(mission.topicId)?.get(mission.id)?.live ?? []) {
        for (const index of distinct) {
          const sight = sightAt(player, mission, occurrence, index, fact, zone);
          if (sight !== null) sights.push(sight);
        }
      }
    }
  }
  return sights;
}

/** Whether some mission counts distinct values of an event, so that a fold of it has to be told what was seen. */
export const asksForSights = (definitions: Definitions, fact: EventFact): boolean =>
  (definitions.missionsByEvent.get(fact.definitionId) ?? []).some((mission) => distinctCriteria(mission).length > 0);

function sightAt(
  player: Player,
  mission: Mission,
  occurrence: Occurrence,
  index: number,
  fact: EventFact,
  zone: string,
): DistinctSight | null {
  const criterion = criteriaOf(mission)[index];
  if (criterion === undefined || criterion.source === "Attribute" || criterion.definitionId !== fact.definitionId) return null;
  const text = distinctValue(criterion, fact, zone);
  return text === null
    ? null
    : { occurrenceId: occurrenceIdOf(player, mission, occurrence), criterion: index, value: derivedId("value", text) };
}

const byMission = new WeakMap<Mission, { all: readonly Criterion[]; distinct: readonly number[] }>();

/** All criteria of a mission in one list: `criterion` of a sight is the place in it. */
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
