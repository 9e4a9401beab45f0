/** The kinds of definition, by the names of their lists in the file, with the noun for one of each. */
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

/** The nouns of screens and mails. */
export const SHOWN_NOUNS = { ...NOUNS, marketplaceItems: "listing", marketplaceCollections: "listing collection" } as const;

export type DefinitionKind = keyof typeof NOUNS;
