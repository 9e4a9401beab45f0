import { Decimal } from "../kernel/decimal.ts";
import type { Environment } from "../kernel/environment.ts";
import { parseInstant } from "../kernel/time.ts";
import { derivedId } from "../players/identity.ts";
import type { Definitions, EventDefinition, Mission, Objective, Recurrence, Reward } from "./compiled.ts";
import type { Shaped } from "./contract.ts";
import { compileObjective, type ObjectiveEvents } from "./objectives.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

type Items = ReadonlyMap<string, Stored<"catalogItems">>;

/** The definitions of an environment, ready for the rules. They are sound: nothing else is ever stored. */
export function compile(
  { lists }: StoredDefinitions,
  environment: Pick<Environment, "definitionsVersion" | "timeZone" | "defaultLanguage">,
): Definitions {
  const events = lists.events.map(eventOf);
  const eventsByKey = new Map(events.map((event) => [event.key, event]));
  const items: Items = new Map(lists.catalogItems.map((item) => [item.shaped.key, item]));
  const missions = lists.missions.map((mission) => missionOf(mission, eventsByKey, items));
  const missionsByEvent = byEvent(missions.filter(({ active }) => active));
  return {
    version: environment.definitionsVersion,
    timeZone: environment.timeZone,
    defaultLanguage: environment.defaultLanguage,
    eventsByKey,
    eventsById: new Map(events.map((event) => [event.id, event])),
    missions,
    missionsById: new Map(missions.map((mission) => [mission.id, mission])),
    missionsByKey: new Map(missions.map((mission) => [mission.key, mission])),
    topicsByEvent: new Map([...missionsByEvent].map(([eventId, named]) => [eventId, [...new Set(named.map(({ topicId }) => topicId))]])),
    missionsByEvent,
  };
}

const eventOf = ({ id, shaped: { key, active, properties } }: Stored<"events">): EventDefinition => ({
  id,
  key,
  active,
  properties: new Map(properties.map((property) => [property.key, property])),
});

function missionOf({ id, createdAt, shaped }: Stored<"missions">, events: ObjectiveEvents, items: Items): Mission {
  const { key, active, name, description, images, optIn, objectiveOrder, appearsIn, window } = shaped;
  const objectives = shaped.objectives.map((objective, place) => compileObjective(objective, derivedId("objective", id, place), events));
  return {
    id,
    key,
    active,
    createdAt,
    name,
    description,
    images,
    optIn,
    objectiveOrder,
    appearsIn,
    recurrence: recurrenceOf(shaped.recurrence),
    window: { startsAt: instantOf(window.startsAt), endsAt: instantOf(window.endsAt) },
    objectives,
    rewards: shaped.rewards.map((reward) => rewardOf(reward, items)),
    topicId: Math.min(...eventIds(objectives)),
  };
}

const eventIds = (objectives: readonly Objective[]): number[] =>
  objectives.flatMap(({ criteria }) => criteria.map(({ eventId }) => eventId));

const instantOf = (text: string | null): number | null => (text === null ? null : parseInstant(text));

const HOUR = 60 * 60 * 1000;

function recurrenceOf(shape: Shaped<"missions">["recurrence"]): Recurrence {
  if (shape.kind !== "AfterCompletion") return shape;
  const { kind, cooldownHours, maxOccurrences } = shape;
  const cooldown = Decimal.of(cooldownHours ?? 0).times(HOUR);
  return { kind, cooldownMs: cooldown.round(0).toNumber(), maxOccurrences };
}

function rewardOf(shape: Shaped<"missions">["rewards"][number], items: Items): Reward {
  if (shape.kind === "Points") return shape;
  const item = items.get(shape.catalogItem);
  if (item === undefined) throw new Error(`The catalog item "${shape.catalogItem}" is named but not there.`);
  const { key, valueType } = item.shaped;
  return { kind: "CatalogItem", catalogItemId: item.id, catalogItemKey: key, valueType, value: shape.value };
}

/** The missions that name an event, each once, in creation order. */
function byEvent(missions: readonly Mission[]): Map<number, Mission[]> {
  const named = new Map<number, Mission[]>();
  for (const mission of missions) {
    for (const eventId of new Set(eventIds(mission.objectives))) {
      const list = named.get(eventId);
      if (list === undefined) named.set(eventId, [mission]);
      else list.push(mission);
    }
  }
  return named;
}
