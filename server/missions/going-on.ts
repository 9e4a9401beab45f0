import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { AttributeFact, EntryFact, EventFact, Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { takesPart } from "./feed.ts";
import { opensPeriod } from "./occurrences.ts";
import { NOT_ENTERED } from "./state.ts";

/**
 * The entries with which automatic calendar missions go on by themselves before a fact (decisions.md 2.3): as if the missions
 * that name it had been read just before it. Of a mission that was never returned there is none.
 */
export function entriesBefore(player: Player, definitions: Definitions, fact: Fact): EntryFact[] {
  if (fact.kind !== "event" && fact.kind !== "attribute") return [];
  const { seq, receivedAt, occurredAt } = fact;
  const entries: EntryFact[] = [];
  for (const mission of openedBy(player, definitions, fact)) {
    if (takesPart(player, mission)) entries.push({ kind: "entry", seq, receivedAt, missionId: mission.id, opens: occurredAt });
  }
  return entries;
}

/** The missions of which facts may open a period and whose entry looks at the player: at the audience, or at attributes. */
export const missionsThatLook = (player: Player, definitions: Definitions, facts: readonly (EventFact | AttributeFact)[]): Mission[] =>
  facts.flatMap((fact) => openedBy(player, definitions, fact).filter(looks));

/** Whether there is a mission that goes on with a fact and whose entry looks at the player; cheap, and before anything is loaded. */
export const mayLook = (definitions: Definitions, fact: EventFact | AttributeFact): boolean =>
  namedBy(definitions, fact).some((mission) => mission.optIn === "Automatic" && mission.recurrence.kind === "Calendar" && looks(mission));

const looks = ({ audience, objectives }: Mission): boolean =>
  audience.rule !== null || objectives.some(({ criteria }) => criteria.some(({ source }) => source === "Attribute"));

function openedBy(player: Player, definitions: Definitions, fact: EventFact | AttributeFact): Mission[] {
  const zone = player.timeZone ?? definitions.timeZone;
  const opened: Mission[] = [];
  for (const mission of namedBy(definitions, fact)) {
    const state = player.missions.get(mission.partitionId)?.get(mission.id) ?? NOT_ENTERED;
    if (opensPeriod(mission, state, fact, zone)) opened.push(mission);
  }
  return opened;
}

const NONE: readonly Mission[] = [];

const namedBy = ({ missionsByEvent, missionsByAttribute }: Definitions, fact: EventFact | AttributeFact): readonly Mission[] =>
  (fact.kind === "event" ? missionsByEvent.get(fact.definitionId) : missionsByAttribute.get(fact.attributeId)) ?? NONE;
