import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { EventFact } from "../kernel/facts.ts";
import { writeJson } from "../kernel/json.ts";
import type { ObjectiveState, Occurrence, Player } from "../kernel/player.ts";
import { readsClock } from "../rules/filter.ts";
import { distinctValue } from "../rules/measure.ts";
import type { EventCriterion } from "../rules/measured.ts";
import { belongsTo } from "./advance.ts";
import { countEvent, initialObjectives } from "./objectives.ts";

/** A live occurrence whose counters differ from what its events give. */
export interface Miscount {
  missionKey: string;
  occurrenceNumber: number;
  stored: string;
  recounted: string;
}

/**
 * Counts the live occurrences of a player's any-order missions again from the log. Leaves out what the log alone cannot give: missions
 * edited since the occurrence began, days and times of day, which depend on the player's zone then, and periods cut by a change of zone.
 */
export function miscounts(
  player: Player,
  definitions: Definitions,
  editedAt: (mission: Mission) => number,
  events: readonly EventFact[],
): Miscount[] {
  const found: Miscount[] = [];
  for (const partition of player.missions.values()) {
    for (const [missionId, { live }] of partition) {
      const mission = definitions.missionsById.get(missionId);
      if (mission === undefined || !isRecountable(mission)) continue;
      for (const occurrence of live) {
        if (occurrence.accepted === null || occurrence.period?.isCut === true || editedAt(mission) > occurrence.startedAt) continue;
        const recounted = countersOf(mission, recount(mission, occurrence, events));
        const stored = countersOf(mission, occurrence.objectives);
        if (recounted !== stored) found.push({ missionKey: mission.key, occurrenceNumber: occurrence.number, stored, recounted });
      }
    }
  }
  return found;
}

/** Readings of events alone: whether an objective was ever satisfied may depend on the order of arrival, and no log has attributes. */
const countersOf = (mission: Mission, objectives: readonly ObjectiveState[]): string =>
  writeJson(
    objectives.map(({ counters }, objectiveIndex) =>
      counters.filter((_, index) => mission.objectives[objectiveIndex]?.criteria[index]?.source !== "Attribute"),
    ),
  );

const isRecountable = (mission: Mission): boolean =>
  mission.objectiveOrder === "AnyOrder" &&
  mission.objectives.every(({ criteria }) => criteria.every((one) => one.source === "Attribute" || !dependsOnZone(one)));

/** Whether what a criterion counts depends on the player's zone. */
const dependsOnZone = ({ measure, where }: EventCriterion): boolean => measure.kind === "DistinctDays" || readsClock(where);

function recount(mission: Mission, occurrence: Occurrence, events: readonly EventFact[]): readonly ObjectiveState[] {
  const criteria = mission.objectives.flatMap((objective) => objective.criteria);
  const seen = new Set<string>();
  let states: readonly ObjectiveState[] = initialObjectives(mission, new Map());
  for (const fact of events) {
    if (!belongsTo(mission, occurrence, fact)) continue;
    states = countEvent(
      mission,
      states,
      fact,
      (index) => {
        const criterion = criteria[index];
        const value = criterion !== undefined && criterion.source !== "Attribute" ? distinctValue(criterion, fact, "UTC") : null;
        const name = `${index}/${value}`;
        if (value === null || seen.has(name)) return false;
        seen.add(name);
        return true;
      },
      "UTC",
    );
  }
  return states;
}
