import type { Extent } from "./extent.ts";
import type { Numeric } from "../kernel/decimal.ts";
import type { CompiledEvent } from "../events/definition.ts";
import type { AttributeDefinition } from "../attributes/definition.ts";
import type { CompiledLeaderboard } from "../leaderboards/definition.ts";
import type { ZoneChange, ZonesPassed } from "../leaderboards/zones.ts";
import type { Listing, MarketplaceCollection } from "../marketplace/definition.ts";
import type { CompiledMetric } from "../metrics/definition.ts";
import type { Mission, MissionCollection } from "../missions/definition.ts";
import type { Condition, Rollup } from "../rules/condition.ts";
import type { Streak } from "../streaks/definition.ts";

export type { Images } from "../kernel/texts.ts";
export type { AttributeDefinition } from "../attributes/definition.ts";
export type { League, Prize } from "../leaderboards/definition.ts";
export type { Listing, MarketplaceCollection } from "../marketplace/definition.ts";
export type { Mission, MissionCollection } from "../missions/definition.ts";
export type { PropertyDefinition } from "../rules/property.ts";
export type { Streak } from "../streaks/definition.ts";

export interface EventDefinition extends CompiledEvent {
  /** How many more properties may be defined by their first occurrence (discovery.ts); null where discovery is off. */
  budget: number | null;
}

export interface MetricDefinition extends CompiledMetric {
  /** A metric has no discovery. */
  budget: null;
}

/** A leaderboard, with the zones that a calendar board has kept. */
export interface Leaderboard extends CompiledLeaderboard, ZonesPassed {}

/** A compiled segment, for counting. Conditions that name it have it inlined. */
export interface Segment {
  id: number;
  key: string;
  active: boolean;
  rule: Condition;
}

/** The days by which mission entries are counted: the project's earlier zones, and since when entries are counted (null: always). */
export interface EntryDays {
  zones: readonly ZoneChange[];
  since: number | null;
}

/** The compiled definitions of one environment at one version. Lists are in creation order. */
export interface Definitions {
  version: number;
  /** The project's zone, used for players without their own. */
  timeZone: string;
  defaultLanguage: string;
  entryDays: EntryDays;
  eventsByKey: ReadonlyMap<string, EventDefinition>;
  eventsById: ReadonlyMap<number, EventDefinition>;
  metricsByKey: ReadonlyMap<string, MetricDefinition>;
  metricsById: ReadonlyMap<number, MetricDefinition>;
  /** The base currency; null if there is none. */
  baseCurrency: string | null;
  /** How many units of the base currency one unit of a currency is. */
  exchangeRates: ReadonlyMap<string, Numeric>;
  attributesByKey: ReadonlyMap<string, AttributeDefinition>;
  attributesById: ReadonlyMap<number, AttributeDefinition>;
  /**
   * How many more events and attributes may be defined by their first occurrence (discovery.ts), null if discovery is off; and the
   * remaining quota.
   */
  budget: { events: number | null; attributes: number | null; room: Extent };
  /** Their size as JSON; caches use it as the weight. */
  bytes: number;
  segments: readonly Segment[];
  missions: readonly Mission[];
  missionsById: ReadonlyMap<number, Mission>;
  missionsByKey: ReadonlyMap<string, Mission>;
  /**
   * Partition ids by event id: the partitions of active missions that an event can move. Here and below, "event" includes metric events.
   */
  partitionsByEvent: ReadonlyMap<number, readonly number[]>;
  /** The active missions that name an event, in creation order. */
  missionsByEvent: ReadonlyMap<number, readonly Mission[]>;
  /** The missions with an objective over an attribute, inactive ones too: they advance no further, but keep the current value. */
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
  /** The active leaderboards that the effects of facts move, such as those over points. */
  effectLeaderboards: readonly Leaderboard[];
  /** The active leaderboards over attributes, by every attribute that affects their scores: the source, the team, those of the audience. */
  leaderboardsByAttribute: ReadonlyMap<number, readonly Leaderboard[]>;
  /** The rollups that a fold of an event updates, for conditions over history. */
  rollupsByEvent: ReadonlyMap<number, readonly Rollup[]>;
}
