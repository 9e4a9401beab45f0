import type { ScalarType } from "../../server/model/kernel/values.ts";
import type { DescribeScope } from "../../server/model/rules/scope.ts";

/** What an author can name in a definition. Names are in the project's default language. */
export interface Catalogue {
  language: string;
  languages: readonly string[];
  timeZone: string;
  /** The present on the environment's clock, RFC 3339. */
  now: string;
  events: readonly Source[];
  metrics: readonly Source[];
  attributes: readonly (Named & { type: ScalarType })[];
  segments: readonly Named[];
  catalogItems: readonly (Named & { valueType: ScalarType | "Collection" })[];
  missions: readonly Named[];
  streaks: readonly Named[];
  leaderboards: readonly Named[];
  marketplaceItems: readonly Named[];
}

export interface Named {
  key: string;
  name: string;
  active: boolean;
}

/** What is sent with a time and properties: an event, or a metric. */
export interface Source extends Named {
  properties: readonly Property[];
}

export interface Property {
  key: string;
  type: ScalarType;
}

export const EMPTY_CATALOGUE: Catalogue = {
  language: "en",
  languages: ["en"],
  timeZone: "UTC",
  now: "1970-01-01T00:00:00.000Z",
  events: [],
  metrics: [],
  attributes: [],
  segments: [],
  catalogItems: [],
  missions: [],
  streaks: [],
  leaderboards: [],
  marketplaceItems: [],
};

export const find = <One extends Named>(among: readonly One[], key: unknown): One | undefined => among.find((one) => one.key === key);

/** What the service answers, as sentences need it. */
export const catalogueOf = ({
  defaultLanguage,
  ...given
}: {
  defaultLanguage: string;
  timeZone: string;
  languages: string[];
}): Catalogue => ({
  ...EMPTY_CATALOGUE,
  // The types of properties and values are texts on the wire, and no others than these.
  ...(given as unknown as Partial<Catalogue>),
  language: defaultLanguage,
});

/** What a definition is called, its key where the catalogue does not know it. */
export const nameIn = (among: readonly Named[], key: string): string => find(among, key)?.name ?? key;

/** The same as rules ask for it. */
export const scopeOf = (catalogue: Catalogue): DescribeScope => ({
  attributeType: (key) => find(catalogue.attributes, key)?.type,
  propertyType: (source, property) => typeOfProperty(sourceOf(catalogue, source), property),
  itemType: (key) => find(catalogue.catalogItems, key)?.valueType,
  nameOf: (kind, key) => nameIn(catalogue[kind], key),
  timeZone: catalogue.timeZone,
});

/** The event or metric that a measured condition names. */
export const sourceOf = (catalogue: Catalogue, { event, metric }: { event?: string | null; metric?: string | null }): Source | undefined =>
  metric != null ? find(catalogue.metrics, metric) : find(catalogue.events, event);

export const typeOfProperty = (source: Source | undefined, key: unknown): ScalarType | undefined =>
  source?.properties.find((property) => property.key === key)?.type;
