import type { Mission } from "../../model/definitions/compiled.ts";
import { instantInZone } from "../../model/definitions/words.ts";
import type { ObjectiveState, Occurrence, Player } from "../../model/kernel/player.ts";
import { explainOpening } from "../../model/missions/explain.ts";
import { takesPart } from "../../model/missions/feed.ts";
import { isShown } from "../../model/missions/occurrences.ts";
import { stateOf } from "../../model/missions/state.ts";
import { capitalised } from "../../model/kernel/thousands.ts";
import { explainAudience } from "../../model/segments/explain.ts";
import type { MissionStanding } from "./shapes.ts";
import { isInNoMission, objectiveItems, objectivesShown } from "./missions.ts";
import type { Scene } from "./steps.ts";

/** How a player stands in a mission now, and why they have not completed it or are not in it. */
export function missionStanding(scene: Scene, player: Player, mission: Mission): MissionStanding {
  const occurrence = stateOf(player, mission).live.findLast((one) => isShown(mission, one, scene.now));
  return occurrence === undefined ? outside(scene, player, mission) : inside(scene, mission, occurrence);
}

function inside(scene: Scene, mission: Mission, occurrence: Occurrence): MissionStanding {
  const { key } = mission;
  const states = objectivesShown(mission, occurrence);
  const objectives = itemsOf(scene, mission, states);
  if (occurrence.accepted === null) return { key, status: "Offered", reason: "Not opted in yet", audience: null, objectives };
  const open = objectives.filter(({ isDone }) => isDone !== true);
  const ends = occurrence.period === null ? "" : `, until ${instantInZone(occurrence.period.endsAt, scene.words)}`;
  const left = open.length === 1 ? open[0]!.value : `${open.length} of ${objectives.length} objectives are not met`;
  return { key, status: "InProgress", reason: `${left}${ends}`, audience: null, objectives };
}

function outside(scene: Scene, player: Player, mission: Mission): MissionStanding {
  const { key, audience, recurrence } = mission;
  const { definitions, words, now } = scene;
  const objectives = itemsOf(scene, mission, []);
  const lines = audience.rule === null ? null : explainAudience(player, audience.rule, definitions, words);
  if (player.completedMissions.has(mission.id) && recurrence.kind === "None")
    return { key, status: "Completed", reason: "Completed; it does not repeat", audience: null, objectives };
  const reason = explainOpening(player, mission, now, words, definitions);
  if (reason === null) {
    // With an audience the app may have loaded the mission as one that is locked.
    const read =
      isInNoMission(player) && audience.rule === null
        ? "Your app has not loaded missions for this player yet"
        : "Your app has not loaded this mission since the player could enter it";
    return { key, status: "Ready", reason: read, audience: lines, objectives };
  }
  const isOutside = !takesPart(player, mission) && reason === "the player is not in the audience";
  return isOutside
    ? { key, status: "NotInAudience", reason: "Not in the audience", audience: lines, objectives }
    : { key, status: "Closed", reason: capitalised(reason), audience: null, objectives };
}

const itemsOf = (scene: Scene, mission: Mission, states: readonly ObjectiveState[]): MissionStanding["objectives"] =>
  objectiveItems(scene, mission, states).map((item, at) => ({ ...item, id: mission.objectives[at]!.id }));
