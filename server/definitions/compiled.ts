import type { Numeric } from "../kernel/decimal.ts";
import type { Images } from "../kernel/images.ts";
import type { Text } from "../kernel/texts.ts";
import type { Calendar } from "../kernel/time.ts";
import type { ZonesPassed } from "../leaderboards/zones.ts";
import type { Operator, Scalar, ScalarType } from "../kernel/values.ts";

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
  room: number | null;
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

/** A condition over the properties of one event (definitions.md, Filter). */
export type Filter =
  | { all: readonly Filter[] }
  | { any: readonly Filter[] }
  | { not: Filter }
  | { property: string; type: ScalarType; operator: Operator; value: Scalar | readonly Scalar[] };

export type Measure =
  | { kind: "Count" }
  | { kind: "DistinctDays" }
  /** Null: the value of the metric. */
  | { kind: "Sum" | "Max" | "Min" | "Latest" | "DistinctCount"; property: string | null };

/** What one leaf of an objective measures, and against what. */
export type Criterion = EventCriterion | AttributeCriterion;

interface CriterionBase {
  /** Of the event or the metric whose events it reads, or of the attribute. */
  definitionId: number;
  /** The type of the reading: of an attribute its own, of a measure Number, or for Max, Min and Latest that of the property. */
  type: ScalarType;
  operator: Operator;
  target: Scalar | readonly Scalar[];
}

export interface EventCriterion extends CriterionBase {
  source: "Event" | "Metric";
  where: Filter | null;
  measure: Measure;
}

/** Reads the value that the player has. */
export interface AttributeCriterion extends CriterionBase {
  source: "Attribute";
}

/** How the criteria of an objective combine; a number is the index of a criterion. */
export type Expression = number | { all: readonly Expression[] } | { any: readonly Expression[] } | { not: Expression };

export type ProgressKind = "TowardTarget" | "WithinLimit" | "Binary" | "NotDisplayable";

export interface Objective {
  /** UUID derived from the mission and the objective's place. */
  id: string;
  description: Text | null;
  criteria: readonly Criterion[];
  expression: Expression;
  progressKind: ProgressKind;
}

export type Reward =
  | { kind: "Points"; points: number }
  | {
      kind: "CatalogItem";
      catalogItemId: number;
      catalogItemKey: string;
      valueType: ScalarType | "Collection";
      value: Scalar | readonly Scalar[];
    };

export type Recurrence =
  { kind: "None" } | { kind: "Calendar"; every: Calendar } | { kind: "AfterCompletion"; cooldownMs: number; maxOccurrences: number | null };

/** What a fold keeps of a player's history, so that a condition over it need not read the log. */
export interface Rollup {
  id: number;
  eventId: number;
  where: Filter | null;
  measure: Measure;
  /** Whether it is asked about the last days, and therefore kept day by day. */
  isDaily: boolean;
}

/** What a condition asks of a player's history: the reading of all of it, or of the last days (today being one of them). */
export interface HistoryQuestion {
  rollup: Rollup;
  lastDays: number | null;
}

/** Asks for the length of the run that is live. */
export interface StreakQuestion {
  streak: Streak;
}

/** What a condition has to be told besides the player's own row. */
export type Question = HistoryQuestion | StreakQuestion;

/** Who takes part (definitions.md, Condition). Segments are written out in the place where they are named. */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | { kind: "attribute"; attributeId: number; operator: Operator; value: Scalar | readonly Scalar[] }
  | { kind: "asked"; question: Question; operator: Operator; value: Scalar | readonly Scalar[] }
  | { kind: "balance"; operator: Operator; value: Scalar | readonly Scalar[] }
  | { kind: "missionCompleted"; missionId: number };

export interface Audience {
  /** Null: everyone. */
  rule: Condition | null;
  otherwise: "Locked" | "Hidden";
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
  topicId: number;
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

/** How a score comes from events; of points it is their sum. */
export type ScoreMeasure =
  | { kind: "Count" }
  /** Null: the value of the metric. */
  | { kind: "Sum" | "Max" | "Min" | "Latest"; property: string | null };

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
  period: { kind: "AllTime" } | { kind: "Calendar"; every: Calendar } | { kind: "Season"; startsAt: number; endsAt: number };
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
  contents: readonly ListingContent[];
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

export interface ListingContent {
  catalogItemKey: string;
  valueType: ScalarType | "Collection";
  value: Scalar | readonly Scalar[];
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
  room: { events: number | null; attributes: number | null };
  missions: readonly Mission[];
  missionsById: ReadonlyMap<number, Mission>;
  missionsByKey: ReadonlyMap<string, Mission>;
  /** Which topics hold missions that an event (here and below: or a metric event) can move (event id to topic ids); active missions only. */
  topicsByEvent: ReadonlyMap<number, readonly number[]>;
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
