import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { AttributeFact, EntryFact, EventFact, Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { takesPart } from "./feed.ts";
import { opensPeriod } from "./occurrences.ts";
import { stateOf } from "./state.ts";

/**
 * Automatic entries into calendar missions before a fact, as if the app had just read the missions that name the fact. A mission that was
 * never returned to the player is not entered.
 */
export function entriesBefore(player: Player, definitions: Definitions, fact: Fact): EntryFact[] {
  if (fact.kind !== "event" && fact.kind !== "attribute") return [];
  const { seq, receivedAt } = fact;
  const entries: EntryFact[] = [];
  for (const { mission, opens } of openedBy(player, definitions, fact)) {
    if (takesPart(player, mission)) entries.push({ kind: "entry", seq, receivedAt, missionId: mission.id, opens });
  }
  return entries;
}

/** The missions whose entry reads the player (audience or attributes) and of which these facts may open a period. */
export const missionsReadingPlayer = (player: Player, definitions: Definitions, facts: readonly (EventFact | AttributeFact)[]): Mission[] =>
  facts.flatMap((fact) =>
    openedBy(player, definitions, fact)
      .map(({ mission }) => mission)
      .filter(readsPlayer),
  );

/** Whether such a mission exists. Cheap; it runs before anything is loaded. */
export const mayReadPlayer = (definitions: Definitions, fact: EventFact | AttributeFact): boolean =>
  continuing(namedBy(definitions, fact)).some(readsPlayer);

const readsPlayer = ({ audience, objectives }: Mission): boolean =>
  audience.rule !== null || objectives.some(({ criteria }) => criteria.some(({ source }) => source === "Attribute"));

/** The missions that continue automatically. Most environments have none, and this runs for every fact: each list is scanned once. */
function continuing(missions: readonly Mission[]): readonly Mission[] {
  const known = continuingAmong.get(missions);
  if (known !== undefined) return known;
  const found = missions.filter(({ active, optIn, recurrence }) => active && optIn === "Automatic" && recurrence.kind === "Calendar");
  continuingAmong.set(missions, found);
  return found;
}

const continuingAmong = new WeakMap<readonly Mission[], readonly Mission[]>();

interface Opened {
  mission: Mission;
  /** An instant of the period. */
  opens: number;
}

const NOTHING: readonly Opened[] = [];

function openedBy(player: Player, definitions: Definitions, fact: EventFact | AttributeFact): readonly Opened[] {
  const missions = continuing(namedBy(definitions, fact));
  if (missions.length === 0) return NOTHING;
  const zone = player.timeZone ?? definitions.timeZone;
  const opened: Opened[] = [];
  for (const mission of missions) {
    const state = stateOf(player, mission);
    const opens = opensPeriod(mission, state, fact, zone);
    if (opens !== null) opened.push({ mission, opens });
  }
  return opened;
}

const NONE: readonly Mission[] = [];

const namedBy = ({ missionsByEvent, missionsByAttribute }: Definitions, fact: EventFact | AttributeFact): readonly Mission[] =>
  (fact.kind === "event" ? missionsByEvent.get(fact.definitionId) : missionsByAttribute.get(fact.attributeId)) ?? NONE;
