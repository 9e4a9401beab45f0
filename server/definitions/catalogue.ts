import type { Environment } from "../kernel/environment.ts";
import type { Shaped } from "./contract.ts";
import { type Overview, titleOf } from "./overview.ts";
import { iconOf } from "./summary.ts";

interface Item {
  key: string;
  name: string;
  active: boolean;
}

interface Property {
  key: string;
  type: string;
  required: boolean;
}

/** Everything that a form may refer to, in the order of creation; names are in the project's default language. */
export interface Catalogue {
  /** Of the definitions: where it is the same, so is the rest. */
  version: number;
  defaultLanguage: string;
  timeZone: string;
  baseCurrency: string | null;
  /** Every language that some text is written in, the default one first. */
  languages: string[];
  events: (Item & { properties: Property[] })[];
  metrics: (Item & { kind: "Number" | "Currency"; properties: Property[] })[];
  attributes: (Item & { type: string })[];
  segments: Item[];
  catalogItems: (Item & { valueType: string; icon: string | null })[];
  missions: (Item & { icon: string | null })[];
  missionCollections: Item[];
  streaks: (Item & { cadence: string })[];
  leaderboards: Item[];
  marketplaceItems: (Item & { icon: string | null })[];
  marketplaceCollections: Item[];
  /** What an amount can be in: the base currency with a rate of 1, and those that have one. Rates are decimal texts. */
  currencies: { code: string; rate: string }[];
}

export function catalogueOf(
  { stored: { lists, settings } }: Overview,
  { defaultLanguage, timeZone, definitionsVersion }: Environment,
): Catalogue {
  const item = (shaped: Shaped): Item => ({ key: shaped.key, name: titleOf(shaped, defaultLanguage), active: shaped.active });
  const pictured = <S extends Shaped & { images: Record<string, string> }>(shaped: S) => ({ ...item(shaped), icon: iconOf(shaped.images) });
  const { baseCurrency } = settings;
  return {
    version: definitionsVersion,
    defaultLanguage,
    timeZone,
    baseCurrency,
    languages: languagesIn(lists, defaultLanguage),
    events: lists.events.map(({ shaped }) => ({ ...item(shaped), properties: shaped.properties })),
    metrics: lists.metrics.map(({ shaped }) => ({ ...item(shaped), kind: shaped.kind, properties: shaped.properties })),
    attributes: lists.attributes.map(({ shaped }) => ({ ...item(shaped), type: shaped.type })),
    segments: lists.segments.map(({ shaped }) => item(shaped)),
    catalogItems: lists.catalogItems.map(({ shaped }) => ({ ...pictured(shaped), valueType: shaped.valueType })),
    missions: lists.missions.map(({ shaped }) => pictured(shaped)),
    missionCollections: lists.missionCollections.map(({ shaped }) => item(shaped)),
    streaks: lists.streaks.map(({ shaped }) => ({ ...item(shaped), cadence: shaped.cadence })),
    leaderboards: lists.leaderboards.map(({ shaped }) => item(shaped)),
    marketplaceItems: lists.marketplaceItems.map(({ shaped }) => pictured(shaped)),
    marketplaceCollections: lists.marketplaceCollections.map(({ shaped }) => item(shaped)),
    currencies: [
      ...(baseCurrency === null ? [] : [{ code: baseCurrency, rate: "1" }]),
      ...lists.exchangeRates.flatMap(({ shaped }) => (shaped.active ? [{ code: shaped.currencyCode, rate: String(shaped.rate) }] : [])),
    ],
  };
}

function languagesIn(lists: Overview["stored"]["lists"], defaultLanguage: string): string[] {
  const languages = new Set([defaultLanguage]);
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect);
    if (typeof value !== "object" || value === null) return;
    if ("texts" in value && "default" in value) Object.keys(value.texts as object).forEach((language) => languages.add(language));
    else Object.values(value).forEach(collect);
  };
  for (const list of Object.values(lists)) for (const { shaped } of list) collect(shaped);
  return [...languages];
}
