import type { ScalarType } from "../../server/model/kernel/values.ts";
import type { DescribeScope } from "../../server/model/rules/scope.ts";

/** The names available to an author, in the project's default language. */
export interface Catalogue {
  language: string;
  languages: readonly string[];
  timeZone: string;
  /** The environment's time, RFC 3339. */
  now: string;
  events: readonly Source[];
  metrics: readonly Source[];
  attributes: readonly (CatalogueEntry & { type: ScalarType })[];
  segments: readonly CatalogueEntry[];
  catalogItems: readonly (CatalogueEntry & { valueType: ScalarType | "Collection" })[];
  missions: readonly CatalogueEntry[];
  streaks: readonly CatalogueEntry[];
  leaderboards: readonly CatalogueEntry[];
  marketplaceItems: readonly CatalogueEntry[];
}

export interface CatalogueEntry {
  key: string;
  name: string;
  active: boolean;
}

/** An event or a metric: a fact with a time and properties. */
export interface Source extends CatalogueEntry {
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

export const find = <One extends CatalogueEntry>(among: readonly One[], key: unknown): One | undefined =>
  among.find((one) => one.key === key);

/** The catalogue as sentences need it. */
export const catalogueOf = ({
  defaultLanguage,
  ...given
}: {
  defaultLanguage: string;
  timeZone: string;
  languages: string[];
}): Catalogue => ({
  ...EMPTY_CATALOGUE,
  // The wire types these as string; the values are always of these unions.
  ...(given as unknown as Partial<Catalogue>),
  language: defaultLanguage,
});

/** A definition's name; its key where the catalogue does not know it. */
export const nameIn = (among: readonly CatalogueEntry[], key: string): string => find(among, key)?.name ?? key;

/** The same lookup in the form that rules use. */
export const scopeOf = (catalogue: Catalogue): DescribeScope => ({
  attributeType: (key) => find(catalogue.attributes, key)?.type,
  propertyType: (source, property) => typeOfProperty(sourceOf(catalogue, source), property),
  itemType: (key) => find(catalogue.catalogItems, key)?.valueType,
  nameOf: (kind, key) => nameIn(catalogue[kind], key),
  timeZone: catalogue.timeZone,
});

/** The event or metric of a measured condition. */
export const sourceOf = (catalogue: Catalogue, { event, metric }: { event?: string | null; metric?: string | null }): Source | undefined =>
  metric != null ? find(catalogue.metrics, metric) : find(catalogue.events, event);

export const typeOfProperty = (source: Source | undefined, key: unknown): ScalarType | undefined =>
  source?.properties.find((property) => property.key === key)?.type;
