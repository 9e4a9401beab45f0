import type { Environment } from "../kernel/environment.ts";
import { leaderboardLookups } from "../leaderboards/lookups.ts";
import { type ZoneChange, zonesPassed } from "../leaderboards/zones.ts";
import { derivedId } from "../players/identity.ts";
import type { Audience } from "../rules/audience.ts";
import type { ScoreMeasure } from "../rules/measure.ts";
import { compileMeasured, eventCriterion, found } from "../rules/measured.ts";
import { type Criterion, type Objective, compileObjective } from "../rules/objective.ts";
import { compileItem, compileReward, type Items } from "../rules/reward.ts";
import { compileRecurrence, compileScorePeriod, compileSpan } from "../rules/schedule.ts";
import type { Sources } from "../rules/scope.ts";
import { type ConditionCompiler, conditionCompiler } from "./audiences.ts";
import type {
  AttributeDefinition,
  Definitions,
  EventDefinition,
  Leaderboard,
  MetricDefinition,
  Streak,
  Listing,
  MarketplaceCollection,
  Mission,
  MissionCollection,
} from "./compiled.ts";
import type { Shaped } from "./contract.ts";
import { propertyBudget, budgetsIn } from "./discovery.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

/** The definitions of an environment, ready for the rules. They are sound: nothing else is ever stored. `zoneChanges` are in their order. */
export function compile(
  stored: StoredDefinitions,
  environment: Pick<Environment, "definitionsVersion" | "timeZone" | "defaultLanguage">,
  zoneChanges: readonly ZoneChange[],
): Definitions {
  const { lists, settings } = stored;
  const events = lists.events.map((event) => eventOf(event, settings));
  const eventsByKey = new Map(events.map((event) => [event.key, event]));
  const attributes = lists.attributes.map(({ id, shaped: { key, active, type } }): AttributeDefinition => ({ id, key, active, type }));
  const attributesByKey = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  const metrics = lists.metrics.map(metricOf);
  const metricsByKey = new Map(metrics.map((metric) => [metric.key, metric]));
  const sources: Sources = { events: eventsByKey, metrics: metricsByKey, attributes: attributesByKey };
  const items: Items = new Map(lists.catalogItems.map((item) => [item.shaped.key, item]));
  const streaks = lists.streaks.map((streak) => streakOf(streak, sources, items));
  const conditions = conditionCompiler(stored, sources, new Map(streaks.map((streak) => [streak.key, streak])));
  // Segments that nobody names have rollups too: they are kept while the segment is there.
  for (const { shaped } of lists.segments) conditions.compile(shaped.rule);
  const missions = lists.missions.map((mission) => missionOf(mission, sources, conditions, items));
  const missionsByKey = new Map(missions.map((mission) => [mission.key, mission]));
  const listings = lists.marketplaceItems.map((listing) => listingOf(listing, conditions, items));
  const listingsByKey = new Map(listings.map((listing) => [listing.key, listing]));
  const active = missions.filter((mission) => mission.active);
  const missionsByEvent = new Map([...byDefinition(active, "Event"), ...byDefinition(active, "Metric")]);
  return {
    version: environment.definitionsVersion,
    timeZone: environment.timeZone,
    defaultLanguage: environment.defaultLanguage,
    eventsByKey,
    eventsById: new Map(events.map((event) => [event.id, event])),
    streaks,
    streaksByEvent: Map.groupBy(
      streaks.filter((streak) => streak.active),
      ({ criterion }) => criterion.definitionId,
    ),
    metricsByKey,
    metricsById: new Map(metrics.map((metric) => [metric.id, metric])),
    baseCurrency: settings.baseCurrency,
    exchangeRates: new Map(
      lists.exchangeRates.filter(({ shaped }) => shaped.active).map(({ shaped }) => [shaped.currencyCode, shaped.rate]),
    ),
    attributesByKey,
    attributesById: new Map(attributes.map((attribute) => [attribute.id, attribute])),
    budget: budgetsIn(stored),
    missions,
    missionsById: new Map(missions.map((mission) => [mission.id, mission])),
    missionsByKey,
    partitionsByEvent: new Map(
      [...missionsByEvent].map(([eventId, named]) => [eventId, [...new Set(named.map(({ partitionId }) => partitionId))]]),
    ),
    missionsByEvent,
    missionsByAttribute: byDefinition(active, "Attribute"),
    missionCollectionsByKey: new Map(lists.missionCollections.map((one) => [one.shaped.key, collectionOf(one, missionsByKey)])),
    listings,
    listingsByKey,
    marketplaceCollectionsByKey: new Map(
      lists.marketplaceCollections.map((one) => [one.shaped.key, marketplaceCollectionOf(one, listingsByKey)]),
    ),
    ...leaderboardLookups(lists.leaderboards.map((board) => leaderboardOf(board, sources, conditions, items, zoneChanges))),
    rollupsByEvent: Map.groupBy(conditions.rollups.values(), ({ eventId }) => eventId),
  };
}

function eventOf(event: Stored<"events">, settings: StoredDefinitions["settings"]): EventDefinition {
  const { key, active, properties } = event.shaped;
  const byKey = new Map(properties.map((property) => [property.key, property]));
  return { id: event.id, key, active, properties: byKey, budget: propertyBudget(event, settings) };
}

const metricOf = ({ id, shaped: { key, active, kind, properties } }: Stored<"metrics">): MetricDefinition => ({
  id,
  key,
  active,
  kind,
  properties: new Map(properties.map((property) => [property.key, property])),
  budget: null,
});

function streakOf({ id, createdAt, shaped }: Stored<"streaks">, sources: Sources, items: Items): Streak {
  const { key, active, name, description, images, cadence, freezes, milestones } = shaped;
  const rewarded = milestones.map(({ length, rewards }) => ({ length, rewards: rewards.map((reward) => compileReward(reward, items)) }));
  return {
    id,
    key,
    active,
    createdAt,
    name,
    description,
    images,
    criterion: eventCriterion(shaped, sources),
    cadence,
    freezes,
    milestones: rewarded.sort((a, b) => a.length - b.length),
  };
}

const MINUTE = 60 * 1000;

function leaderboardOf(
  { id, createdAt, shaped }: Stored<"leaderboards">,
  sources: Sources,
  conditions: ConditionCompiler,
  items: Items,
  zoneChanges: readonly ZoneChange[],
): Leaderboard {
  const {
    event,
    metric,
    attribute,
    where,
    measure,
    period: shapedPeriod,
    settleAfterMinutes,
    audience,
    teamAttribute,
    prizes,
    ...same
  } = shaped;
  const measured = measure === null ? null : compileMeasured({ event, metric, where, measure }, sources);
  const attributeId = (key: string) => found(sources.attributes.get(key), key).id;
  const period = compileScorePeriod(shapedPeriod);
  return {
    id,
    createdAt,
    ...same,
    definitionId: attribute === null ? (measured?.eventId ?? null) : attributeId(attribute),
    where: measured?.where ?? null,
    measure: (measured?.measure as ScoreMeasure | undefined) ?? null,
    period,
    ...zonesPassed({ period, createdAt }, zoneChanges),
    settleAfterMs: settleAfterMinutes * MINUTE,
    audience: audienceOf(audience, conditions),
    teamAttributeId: teamAttribute === null ? null : attributeId(teamAttribute),
    prizes: prizes.map((prize) => ({ ...prize, rewards: prize.rewards.map((reward) => compileReward(reward, items)) })),
  };
}

function missionOf({ id, createdAt, shaped }: Stored<"missions">, sources: Sources, conditions: ConditionCompiler, items: Items): Mission {
  const { key, active, name, description, images, optIn, objectiveOrder, appearsIn, audience, window } = shaped;
  const objectives = shaped.objectives.map((objective, place) => compileObjective(objective, derivedId("objective", id, place), sources));
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
    recurrence: compileRecurrence(shaped.recurrence),
    audience: audienceOf(audience, conditions),
    window: compileSpan(window),
    objectives,
    rewards: shaped.rewards.map((reward) => compileReward(reward, items)),
    partitionId: partitionOf(objectives),
  };
}

const definitionIds = (objectives: readonly Objective[], source: Criterion["source"]): number[] =>
  objectives.flatMap(({ criteria }) => criteria.filter((one) => one.source === source).map(({ definitionId }) => definitionId));

/** Events come thick and fast, attributes now and then: a mission over both is filed where its events look. */
function partitionOf(objectives: readonly Objective[]): number {
  const events = [...definitionIds(objectives, "Event"), ...definitionIds(objectives, "Metric")];
  return Math.min(...(events.length > 0 ? events : definitionIds(objectives, "Attribute")));
}

const collectionOf = (
  { id, shaped: { key, active, name, description, images, missions } }: Stored<"missionCollections">,
  missionsByKey: ReadonlyMap<string, Mission>,
): MissionCollection => ({
  id,
  key,
  active,
  name,
  description,
  images,
  missions: missions.map((mission) => found(missionsByKey.get(mission), mission)),
});

function listingOf({ id, createdAt, shaped }: Stored<"marketplaceItems">, conditions: ConditionCompiler, items: Items): Listing {
  const { contents, audience, onSale, ...same } = shaped;
  return {
    id,
    createdAt,
    ...same,
    contents: contents.map((content) => {
      const { catalogItemKey, valueType, value } = compileItem(content, items);
      return { catalogItemKey, valueType, value };
    }),
    audience: audienceOf(audience, conditions),
    onSale: compileSpan(onSale),
  };
}

const marketplaceCollectionOf = (
  { id, shaped: { items, ...same } }: Stored<"marketplaceCollections">,
  listingsByKey: ReadonlyMap<string, Listing>,
): MarketplaceCollection => ({ id, ...same, items: items.map((key) => found(listingsByKey.get(key), key)) });

const audienceOf = ({ rule, otherwise }: Shaped<"missions">["audience"], conditions: ConditionCompiler): Audience => ({
  rule: rule === null ? null : conditions.compile(rule),
  otherwise,
});

/** The missions by the events (attributes) that their objectives name, each once, in creation order. */
function byDefinition(missions: readonly Mission[], source: Criterion["source"]): Map<number, Mission[]> {
  const named = new Map<number, Mission[]>();
  for (const mission of missions) {
    for (const id of new Set(definitionIds(mission.objectives, source))) {
      const list = named.get(id);
      if (list === undefined) named.set(id, [mission]);
      else list.push(mission);
    }
  }
  return named;
}
