import { compileAttribute } from "../attributes/definition.ts";
import { compileEvent } from "../events/definition.ts";
import type { Environment } from "../kernel/environment.ts";
import { compileLeaderboard } from "../leaderboards/definition.ts";
import { leaderboardLookups } from "../leaderboards/lookups.ts";
import { type ZoneChange, zonesPassed } from "../leaderboards/zones.ts";
import { compileListing, compileListingCollection } from "../marketplace/definition.ts";
import { compileMetric } from "../metrics/definition.ts";
import { compileMission, compileMissionCollection, definitionIds } from "../missions/definition.ts";
import { derivedId } from "../players/identity.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { CompileScope } from "../rules/kind-module.ts";
import { found } from "../rules/measured.ts";
import type { Criterion } from "../rules/objective.ts";
import type { Items } from "../rules/reward.ts";
import type { Sources } from "../rules/scope.ts";
import { compileStreak } from "../streaks/definition.ts";
import { conditionCompiler } from "./condition-compiler.ts";
import type { Definitions, Mission } from "./compiled.ts";
import { definitionsExtent } from "./bounds.ts";
import { budgetsIn, propertyBudget } from "./discovery.ts";
import type { StoredDefinitions } from "./stored.ts";

/** The compiled definitions of an environment. They are valid: nothing else is ever stored. `zoneChanges` are in order. */
export function* compile(
  stored: StoredDefinitions,
  environment: Pick<Environment, "definitionsVersion" | "timeZone" | "defaultLanguage">,
  zoneChanges: readonly ZoneChange[],
  funnelsSince: number | null = null,
): Steps<Definitions> {
  const { lists, settings } = stored;
  const events = yield* mapInSteps(lists.events, (event) => ({ ...compileEvent(event), budget: propertyBudget(event, settings) }));
  const eventsByKey = new Map(events.map((event) => [event.key, event]));
  const attributes = yield* mapInSteps(lists.attributes, compileAttribute);
  const attributesByKey = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  const metrics = yield* mapInSteps(lists.metrics, (metric) => ({ ...compileMetric(metric), budget: null }));
  const metricsByKey = new Map(metrics.map((metric) => [metric.key, metric]));
  const sources: Sources = { events: eventsByKey, metrics: metricsByKey, attributes: attributesByKey };
  const items: Items = new Map(lists.catalogItems.map((item) => [item.shaped.key, item]));
  const streaks = yield* mapInSteps(lists.streaks, (streak) => compileStreak(streak, { sources, items }));
  const conditions = conditionCompiler(stored, sources, new Map(streaks.map((streak) => [streak.key, streak])));
  // Unused segments have rollups too: these are kept as long as the segment exists.
  const segments = yield* mapInSteps(lists.segments, ({ id, shaped: { key, active, rule } }) => ({
    id,
    key,
    active,
    rule: conditions.compile(rule, { kind: "segments", key }),
  }));
  const scope: CompileScope = { sources, items, condition: conditions.compile, derivedId };
  const missions = yield* mapInSteps(lists.missions, (mission) => compileMission(mission, scope));
  const missionsByKey = new Map(missions.map((mission) => [mission.key, mission]));
  const listings = yield* mapInSteps(lists.marketplaceItems, (listing) => compileListing(listing, scope));
  const listingsByKey = new Map(listings.map((listing) => [listing.key, listing]));
  const leaderboards = yield* mapInSteps(lists.leaderboards, (stored) => {
    const board = compileLeaderboard(stored, scope);
    return { ...board, ...zonesPassed(board, zoneChanges) };
  });
  const active = missions.filter((mission) => mission.active);
  const missionsByEvent = new Map([...byDefinition(active, "Event"), ...byDefinition(active, "Metric")]);
  return {
    version: environment.definitionsVersion,
    timeZone: environment.timeZone,
    defaultLanguage: environment.defaultLanguage,
    entryDays: { zones: zoneChanges, since: funnelsSince },
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
    bytes: definitionsExtent(stored).bytes,
    segments,
    missions,
    missionsById: new Map(missions.map((mission) => [mission.id, mission])),
    missionsByKey,
    partitionsByEvent: new Map(
      [...missionsByEvent].map(([eventId, named]) => [eventId, [...new Set(named.map(({ partitionId }) => partitionId))]]),
    ),
    missionsByEvent,
    missionsByAttribute: byDefinition(missions, "Attribute"),
    missionCollectionsByKey: new Map(
      lists.missionCollections.map((one) => [one.shaped.key, compileMissionCollection(one, (key) => found(missionsByKey.get(key), key))]),
    ),
    listings,
    listingsByKey,
    marketplaceCollectionsByKey: new Map(
      lists.marketplaceCollections.map((one) => [
        one.shaped.key,
        compileListingCollection(one, (key) => found(listingsByKey.get(key), key)),
      ]),
    ),
    ...leaderboardLookups(leaderboards),
    rollupsByEvent: Map.groupBy(conditions.rollups.values(), ({ eventId }) => eventId),
  };
}

/** The missions by the events (metrics, attributes) that their objectives name, each once, in creation order. */
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
