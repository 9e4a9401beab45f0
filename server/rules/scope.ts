import type { ScalarType } from "../kernel/values.ts";

/** What rules are about, as whoever keeps, checks or describes them has it: the service the definitions, a form its options. */

/** What has properties. */
export type SourceKind = "events" | "metrics";

/** The event, or the metric, that a rule reads. */
export interface SourceReference {
  event?: string | null;
  metric?: string | null;
}

/** The types of what rules name, by key; undefined where nobody knows. */
export interface TypeScope {
  attributeType(key: string): ScalarType | undefined;
  propertyType(source: SourceReference, property: string): ScalarType | undefined;
}

/** What sentences about rules need besides. */
export interface DescribeScope extends TypeScope {
  itemType(key: string): ScalarType | "Collection" | undefined;
  /** What a definition is called; its key where nobody knows it. */
  nameOf(kind: NamedKind, key: string): string;
  /** IANA zone in which instants are written. */
  timeZone: string;
}

/** What rules name. */
export type NamedKind = SourceKind | "attributes" | "segments" | "missions" | "streaks" | "catalogItems";

/** What rules that are compiled have to know of the events, metrics and attributes that they name, by key. */
export interface Sources {
  events: ReadonlyMap<string, { id: number; properties: ReadonlyMap<string, { type: ScalarType }> }>;
  metrics: Sources["events"];
  attributes: ReadonlyMap<string, { id: number; type: ScalarType }>;
}
