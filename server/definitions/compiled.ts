import type { Numeric } from "../kernel/decimal.ts";
import type { Images } from "../kernel/images.ts";
import type { Text } from "../kernel/texts.ts";
import type { Calendar } from "../kernel/time.ts";
import type { ZonesPassed } from "../leaderboards/zones.ts";
import type { ScalarType } from "../kernel/values.ts";
import type { Audience } from "../rules/audience.ts";
import type { Rollup } from "../rules/condition.ts";
import type { Filter } from "../rules/filter.ts";
import type { ScoreMeasure } from "../rules/measure.ts";
import type { EventCriterion } from "../rules/measured.ts";
import type { Objective } from "../rules/objective.ts";
import type { Reward, RewardItem } from "../rules/reward.ts";
import type { Recurrence, ScorePeriods } from "../rules/schedule.ts";

export type { Images };

export interface PropertyDefinition {
  key: string;
  type: ScalarType;
  required: boolean;
}

export interface EventDefinition {
  id: number;
  key: string;
  active: boolean;
  properties: ReadonlyMap<string, PropertyDefinition>;
  /** How many more properties may be defined by their first occurrence (discovery.ts); null where discovery is off. */
  budget: number | null;
}

export interface MetricDefinition extends EventDefinition {
  kind: "Number" | "Currency";
}

export interface AttributeDefinition {
  id: number;
  key: string;
  active: boolean;
  type: ScalarType;
}

export interface Mission {
  id: number;
  key: string;
  active: boolean;
  createdAt: number;
  name: Text;
  description: Text | null;
  images: Images;
  optIn: "Automatic" | "Manual";
  objectiveOrder: "AnyOrder" | "InOrder";
  appearsIn: "Feed" | "CollectionOnly";
  recurrence: Recurrence;
  audience: Audience;
  window: { startsAt: number | null; endsAt: number | null };
  objectives: readonly Objective[];
  rewards: readonly Reward[];
  /** The definition under which the player's state of this mission is filed: the lowest id of the events its objectives name, or else of the attributes. */
  partitionId: number;
}

export interface Streak {
  id: number;
  key: string;
  active: boolean;
  createdAt: number;
  name: Text;
  description: Text | null;
  images: Images;
  /** What qualifies a period: a reading of its events alone. */
  criterion: EventCriterion;
  cadence: Calendar;
  freezes: { max: number; earnEvery: number } | null;
  /** By length, shortest first. */
  milestones: readonly { length: number; rewards: readonly Reward[] }[];
}

export interface League {
  groupSize: number;
  /** The lowest first. */
  tiers: readonly { key: string; name: Text }[];
  promotes: number;
  relegates: number;
}

/** Who ends a period between the two ranks, both counted in, is granted the rewards. */
export interface Prize {
  fromRank: number;
  toRank: number;
  rewards: readonly Reward[];
}

export interface Leaderboard {
  id: number;
  key: string;
  active: boolean;
  createdAt: number;
  name: Text;
  description: Text | null;
  images: Images;
  scoreSource: "Event" | "Metric" | "Points" | "Attribute";
  /** Of the event, the metric or the attribute; null where points are scored. */
  definitionId: number | null;
  where: Filter | null;
  /** Null for points and attributes. */
  measure: ScoreMeasure | null;
  rankOrder: "HighestFirst" | "LowestFirst";
  period: ScorePeriods;
  /** What a calendar board has kept of the zones that its project was in. */
  begun: ZonesPassed["begun"];
  firstZone: ZonesPassed["firstZone"];
  settleAfterMs: number;
  topSize: number;
  audience: Audience;
  /** The attribute whose value is the player's team; null where players are ranked. */
  teamAttributeId: number | null;
  league: League | null;
  /** By rank, the best first; no rank has two. */
  prizes: readonly Prize[];
}

export interface MissionCollection {
  id: number;
  key: string;
  active: boolean;
  name: Text;
  description: Text | null;
  images: Images;
  /** In the order that the collection sets. */
  missions: readonly Mission[];
}

/** Something that players can buy (a marketplace item). */
export interface Listing {
  id: number;
  key: string;
  active: boolean;
  createdAt: number;
  name: Text;
  description: Text | null;
  images: Images;
  priceInPoints: number;
  /** What one purchase hands over. */
  contents: readonly RewardItem[];
  audience: Audience;
  appearsIn: "Shop" | "CollectionOnly";
  onSale: { startsAt: number | null; endsAt: number | null };
  /** Units in a round; null: without end. */
  stock: number | null;
  /** Purchases of one player in a round; null: as many as they like. */
  limitPerPlayer: number | null;
  /** How rounds follow each other. */
  recurrence: { kind: "None" } | { kind: "Calendar"; every: Calendar };
}

export interface MarketplaceCollection {
  id: number;
  key: string;
  active: boolean;
  name: Text;
  description: Text | null;
  images: Images;
  /** In the order that the collection sets. */
  items: readonly Listing[];
}

/** The definitions of one environment at one version, ready for the rules. Lists are in creation order. */
export interface Definitions {
  version: number;
  /** The project's, used where a player has none. */
  timeZone: string;
  defaultLanguage: string;
  eventsByKey: ReadonlyMap<string, EventDefinition>;
  eventsById: ReadonlyMap<number, EventDefinition>;
  metricsByKey: ReadonlyMap<string, MetricDefinition>;
  metricsById: ReadonlyMap<number, MetricDefinition>;
  /** What money is reckoned in; null where nothing is. */
  baseCurrency: string | null;
  /** How many units of the base currency one unit of a currency is. */
  exchangeRates: ReadonlyMap<string, Numeric>;
  attributesByKey: ReadonlyMap<string, AttributeDefinition>;
  attributesById: ReadonlyMap<number, AttributeDefinition>;
  /** How many more events and attributes may be defined by their first occurrence (discovery.ts); null where discovery is off. */
  budget: { events: number | null; attributes: number | null };
  missions: readonly Mission[];
  missionsById: ReadonlyMap<number, Mission>;
  missionsByKey: ReadonlyMap<string, Mission>;
  /** Which partitions hold missions that an event (here and below: or a metric event) can move (event id to partition ids); active missions only. */
  partitionsByEvent: ReadonlyMap<number, readonly number[]>;
  /** The active missions that name an event, in creation order. */
  missionsByEvent: ReadonlyMap<number, readonly Mission[]>;
  /** The active missions with an objective over an attribute, likewise. */
  missionsByAttribute: ReadonlyMap<number, readonly Mission[]>;
  streaks: readonly Streak[];
  /** The active streaks that an event or a metric event can move, by definition id. */
  streaksByEvent: ReadonlyMap<number, readonly Streak[]>;
  missionCollectionsByKey: ReadonlyMap<string, MissionCollection>;
  listings: readonly Listing[];
  listingsByKey: ReadonlyMap<string, Listing>;
  marketplaceCollectionsByKey: ReadonlyMap<string, MarketplaceCollection>;
  leaderboards: readonly Leaderboard[];
  leaderboardsByKey: ReadonlyMap<string, Leaderboard>;
  leaderboardsById: ReadonlyMap<number, Leaderboard>;
  /** The active leaderboards that an event or a metric event can move, by definition id. */
  leaderboardsByEvent: ReadonlyMap<number, readonly Leaderboard[]>;
  /** The active leaderboards over points. */
  pointsLeaderboards: readonly Leaderboard[];
  /** The active leaderboards over attributes, by every attribute that decides on their scores: the source, the team, those of the audience. */
  leaderboardsByAttribute: ReadonlyMap<number, readonly Leaderboard[]>;
  /** What a fold of an event keeps of it for conditions over history. */
  rollupsByEvent: ReadonlyMap<number, readonly Rollup[]>;
}
