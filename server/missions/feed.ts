import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { EntryFact } from "../kernel/facts.ts";
import type { MissionState, Occurrence, Player } from "../kernel/player.ts";
import { isShown, openingAt } from "./occurrences.ts";
import { NOT_ENTERED } from "./state.ts";

/** A row of the feed before it has texts: an occurrence that the player is in, or one that this read would enter. */
export type FeedEntry = { mission: Mission; occurrence: Occurrence } | { mission: Mission; occurrence: null };

/** What the feed shows of the missions a player is in and those newly open to them, in creation order, cut to `take` (api.md 4.5). */
export function feedEntries(player: Player, definitions: Definitions, now: number, take: number | null): FeedEntry[] {
  const zone = player.timeZone ?? definitions.timeZone;
  const entries: FeedEntry[] = [];
  for (const mission of definitions.missions) {
    if (take !== null && entries.length >= take) break;
    if (!mission.active || mission.appearsIn !== "Feed") continue;
    const isFinished = player.completedMissions.has(mission.id);
    if (isFinished && mission.recurrence.kind === "None") continue;
    const state = stateOf(player, mission);
    for (const occurrence of state.live) if (isShown(mission, occurrence, now)) entries.push({ mission, occurrence });
    if (openingAt(mission, state, isFinished, now, zone) !== null) entries.push({ mission, occurrence: null });
  }
  return take === null ? entries : entries.slice(0, take);
}

/** The entries that showing these rows makes: returning a mission to a player enters them. */
export const entriesToMake = (entries: readonly FeedEntry[], seq: number, receivedAt: number): EntryFact[] =>
  entries.flatMap(({ mission, occurrence }) => (occurrence === null ? [{ kind: "entry", seq, receivedAt, missionId: mission.id }] : []));

const stateOf = (player: Player, mission: Mission): MissionState => player.missions.get(mission.topicId)?.get(mission.id) ?? NOT_ENTERED;
