import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { EntryFact } from "../kernel/facts.ts";
import type { Occurrence, Player } from "../kernel/player.ts";
import { isIn } from "../rules/audience.ts";
import { isShown, openingAt } from "./occurrences.ts";
import { stateOf } from "./state.ts";

/** A row of a mission read without texts: an occurrence that the player is in, one that this read would enter, or one out of reach. */
export type FeedEntry =
  | { status: "live"; mission: Mission; occurrence: Occurrence }
  | { status: "open"; mission: Mission }
  | { status: "locked"; mission: Mission; occurrenceNumber: number };

/** The live rows that a read of some missions shows, mission by mission; completed occurrences are not among them. */
export function entriesOf(player: Player, definitions: Definitions, missions: readonly Mission[], now: number): FeedEntry[] {
  const zone = player.timeZone ?? definitions.timeZone;
  const entries: FeedEntry[] = [];
  for (const mission of missions) {
    if (!mission.active) continue;
    const isCompleted = player.completedMissions.has(mission.id);
    if (isCompleted && mission.recurrence.kind === "None") continue;
    const state = stateOf(player, mission);
    for (const occurrence of state.live) if (isShown(mission, occurrence, now)) entries.push({ status: "live", mission, occurrence });
    const opening = openingAt(mission, state, isCompleted, now, zone);
    if (opening === null) continue;
    if (takesPart(player, mission)) entries.push({ status: "open", mission });
    else if (mission.audience.otherwise === "Locked") entries.push({ status: "locked", mission, occurrenceNumber: opening.number });
  }
  return entries;
}

/** The rows that a player already has in some missions. It does not check whether more could be entered. */
export const liveEntries = (player: Player, missions: readonly Mission[], now: number): FeedEntry[] =>
  missions.flatMap((mission) =>
    stateOf(player, mission)
      .live.filter((occurrence) => isShown(mission, occurrence, now))
      .map((occurrence) => ({ status: "live", mission, occurrence })),
  );

export const takesPart = (player: Player, { audience }: Mission): boolean => isIn(player, audience);

/** Whether a player could enter a mission whose audience has a rule, if they are in that audience. */
export const mightEnter = (player: Player, definitions: Definitions, mission: Mission, now: number): boolean =>
  mission.active &&
  mission.audience.rule !== null &&
  openingAt(mission, stateOf(player, mission), player.completedMissions.has(mission.id), now, player.timeZone ?? definitions.timeZone) !==
    null;

/** The missions a player can act on, cut to `take`: locked missions come after all of them. */
export const actionable = (entries: readonly FeedEntry[], take: number | null): FeedEntry[] => {
  const all = entries.filter(({ status }) => status !== "locked");
  return take === null ? all : all.slice(0, take);
};

/** The entries for these rows: returning a mission to a player enters them. */
export const entriesToMake = (entries: readonly FeedEntry[], seq: number, receivedAt: number): EntryFact[] =>
  entries.flatMap(({ status, mission }) => (status === "open" ? [{ kind: "entry", seq, receivedAt, missionId: mission.id }] : []));
