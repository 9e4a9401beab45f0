import type { Text } from "../kernel/texts.ts";
import type { Calendar } from "../kernel/time.ts";
import type { Operator, Scalar, ScalarType } from "../kernel/values.ts";

/** Images by slot name; the value is an absolute URL. */
export type Images = Readonly<Record<string, string>>;

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
}

/** A condition over the properties of one event (definitions.md, Filter). */
export type Filter =
  | { all: readonly Filter[] }
  | { any: readonly Filter[] }
  | { not: Filter }
  | { property: string; type: ScalarType; operator: Operator; value: Scalar | readonly Scalar[] };

export type Measure =
  { kind: "Count" } | { kind: "DistinctDays" } | { kind: "Sum" | "Max" | "Min" | "Latest" | "DistinctCount"; property: string };

/** What one leaf of an objective measures, and against what. */
export interface Criterion {
  /** Id of the event definition whose events it reads. */
  eventId: number;
  where: Filter | null;
  measure: Measure;
  /** The type of the reading: Number, or for Max, Min and Latest that of the property. */
  type: ScalarType;
  operator: Operator;
  target: Scalar | readonly Scalar[];
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
  window: { startsAt: number | null; endsAt: number | null };
  objectives: readonly Objective[];
  rewards: readonly Reward[];
  /** The definition under which the player's state of this mission is filed: the lowest id its objectives name. */
  topicId: number;
}

/** The definitions of one environment at one version, ready for the rules. Lists are in creation order. */
export interface Definitions {
  version: number;
  /** The project's, used where a player has none. */
  timeZone: string;
  defaultLanguage: string;
  eventsByKey: ReadonlyMap<string, EventDefinition>;
  eventsById: ReadonlyMap<number, EventDefinition>;
  missions: readonly Mission[];
  missionsById: ReadonlyMap<number, Mission>;
  missionsByKey: ReadonlyMap<string, Mission>;
  /** Which topics hold missions that an event can move (event id to topic ids); active missions only. */
  topicsByEvent: ReadonlyMap<number, readonly number[]>;
  /** The active missions that name an event, in creation order. */
  missionsByEvent: ReadonlyMap<number, readonly Mission[]>;
}
