/** The kinds of definition, by the names of their lists in the file, and what one of each is called. */
export const NOUNS = {
  events: "event",
  metrics: "metric",
  exchangeRates: "exchange rate",
  attributes: "attribute",
  segments: "segment",
  catalogItems: "catalog item",
  missions: "mission",
  missionCollections: "mission collection",
  streaks: "streak",
  leaderboards: "leaderboard",
  marketplaceItems: "marketplace item",
  marketplaceCollections: "marketplace collection",
  pointsValuations: "points valuation",
} as const;

export type DefinitionKind = keyof typeof NOUNS;
