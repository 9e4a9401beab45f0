import type { Definitions, EventDefinition, Leaderboard, Mission, Streak } from "../definitions/compiled.ts";
import type { EventFact, Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { leaderboardLookups } from "../leaderboards/lookups.ts";
import type { Rollup } from "../rules/condition.ts";
import type { EventCriterion } from "../rules/measured.ts";
import type { Objective } from "../rules/objective.ts";
import { DAY } from "../kernel/instant.ts";

/** Small definitions, players and facts, written by hand: the tests of the rules and the bench fold them. */

export const ORDER = 1;
export const RETURN = 2;
export const TIER = 3;

export const NOON = Date.UTC(2026, 2, 10, 12);

export const criterion = (parts: Partial<EventCriterion> = {}): EventCriterion => ({
  source: "Event",
  definitionId: ORDER,
  where: null,
  measure: { kind: "Count" },
  type: "Number",
  operator: "GreaterThanOrEqualTo",
  target: 1,
  ...parts,
});

export const objective = (parts: Partial<EventCriterion> & Partial<Pick<Objective, "progressKind">> = {}): Objective => {
  const { progressKind, ...rest } = parts;
  const only = criterion(rest);
  const rises = only.measure.kind !== "Min" && only.measure.kind !== "Latest";
  const isLimit = rises && only.type === "Number" && (only.operator === "LessThan" || only.operator === "LessThanOrEqualTo");
  return {
    id: "00000000-0000-8000-8000-000000000000",
    description: null,
    criteria: [only],
    expression: 0,
    progressKind: progressKind ?? (isLimit ? "WithinLimit" : "TowardTarget"),
  };
};

export const mission = (parts: Partial<Mission> = {}): Mission => ({
  id: 10,
  key: "a_mission",
  active: true,
  createdAt: NOON - DAY,
  name: { default: "en", texts: { en: "A mission" } },
  description: null,
  images: {},
  optIn: "Automatic",
  objectiveOrder: "AnyOrder",
  appearsIn: "Feed",
  recurrence: { kind: "None" },
  audience: { rule: null, otherwise: "Locked" },
  window: { startsAt: null, endsAt: null },
  objectives: [objective()],
  rewards: [{ kind: "Points", points: 10 }],
  partitionId: ORDER,
  ...parts,
});

const event = (id: number, key: string): EventDefinition => ({ id, key, active: true, properties: new Map(), budget: null });

export function definitionsWith(
  missions: readonly Mission[],
  timeZone = "UTC",
  rollups: readonly Rollup[] = [],
  streaks: readonly Streak[] = [],
  leaderboards: readonly Leaderboard[] = [],
): Definitions {
  const events = [event(ORDER, "order_placed"), event(RETURN, "order_returned")];
  const names = (one: Mission, id: number) => one.objectives.some(({ criteria }) => criteria.some((leaf) => leaf.definitionId === id));
  const missionsByEvent = new Map(events.map(({ id }) => [id, missions.filter((one) => one.active && names(one, id))]));
  return {
    version: 1,
    timeZone,
    defaultLanguage: "en",
    entryDays: { zones: [], since: null },
    eventsByKey: new Map(events.map((one) => [one.key, one])),
    eventsById: new Map(events.map((one) => [one.id, one])),
    segments: [],
    missions,
    missionsById: new Map(missions.map((one) => [one.id, one])),
    missionsByKey: new Map(missions.map((one) => [one.key, one])),
    metricsByKey: new Map(),
    metricsById: new Map(),
    baseCurrency: null,
    exchangeRates: new Map(),
    attributesByKey: new Map(),
    attributesById: new Map(),
    budget: { events: null, attributes: null, room: { definitions: 0, bytes: 0 } },
    bytes: 0,
    missionsByEvent,
    missionsByAttribute: new Map([[TIER, missions.filter((one) => names(one, TIER))]]),
    streaks,
    streaksByEvent: Map.groupBy(streaks, ({ criterion: { definitionId } }) => definitionId),
    missionCollectionsByKey: new Map(),
    listings: [],
    listingsByKey: new Map(),
    marketplaceCollectionsByKey: new Map(),
    ...leaderboardLookups(leaderboards),
    rollupsByEvent: Map.groupBy(rollups, ({ eventId }) => eventId),
    partitionsByEvent: new Map([...missionsByEvent].map(([id, named]) => [id, [...new Set(named.map(({ partitionId }) => partitionId))]])),
  };
}

export const newcomer = (parts: Partial<Player> = {}): Player => ({
  part: 0,
  playerId: "11111111-1111-8111-8111-111111111111",
  environmentId: 1,
  externalId: "ann",
  timeZone: null,
  isHidden: false,
  completedMissions: new Set(),
  missions: new Map(),
  seen: new Set(),
  attributes: new Map(),
  balance: 0,
  rollups: new Map(),
  streaks: new Map(),
  inputs: new Map(),
  ...parts,
});

export const order = (seq: number, parts: Partial<EventFact> = {}): EventFact => ({
  kind: "event",
  id: `22222222-2222-8222-8222-${String(seq).padStart(12, "0")}`,
  seq,
  definitionId: ORDER,
  occurredAt: NOON + seq,
  receivedAt: NOON + seq,
  properties: {},
  value: null,
  ...parts,
});

export const entry = (seq: number, parts: { missionId?: number; receivedAt?: number } = {}): Fact => ({
  kind: "entry",
  seq,
  missionId: 10,
  receivedAt: NOON + seq,
  ...parts,
});

export const accept = (seq: number, parts: { missionId?: number; receivedAt?: number } = {}): Fact => ({
  kind: "accept",
  seq,
  missionId: 10,
  receivedAt: NOON + seq,
  ...parts,
});

export const tier = (seq: number, value: string, parts: { receivedAt?: number; occurredAt?: number } = {}): Fact => ({
  kind: "attribute",
  seq,
  attributeId: TIER,
  value,
  occurredAt: NOON + seq,
  receivedAt: NOON + seq,
  ...parts,
});
