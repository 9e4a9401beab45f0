import type { Kind } from "#server/model/definitions/contract.ts";
import {
  attributeSummary,
  catalogItemSummary,
  eventSummary,
  exchangeRateSummary,
  listingCollectionSummary,
  metricSummary,
  missionCollectionSummary,
  valuationSummary,
} from "./summary-data.ts";
import { leaderboardSummary } from "./leaderboards/summary.ts";
import { listingSummary } from "./listings/summary.ts";
import { missionSummary } from "./missions/summary.ts";
import { segmentSummary } from "./segments/summary.ts";
import { streakSummary } from "./streaks/summary.ts";
import type { Summarize } from "./summary.ts";

const SUMMARIES: Partial<Record<Kind, Summarize>> = {
  missions: missionSummary,
  missionCollections: missionCollectionSummary,
  streaks: streakSummary,
  leaderboards: leaderboardSummary,
  segments: segmentSummary,
  marketplaceItems: listingSummary,
  marketplaceCollections: listingCollectionSummary,
  catalogItems: catalogItemSummary,
  pointsValuations: valuationSummary,
  events: eventSummary,
  metrics: metricSummary,
  attributes: attributeSummary,
  exchangeRates: exchangeRateSummary,
};

const NOTHING_MORE: Summarize = () => [];

/** The summary of each kind, besides name and description; some have none. */
export const summaryOf = (kind: Kind): Summarize => SUMMARIES[kind] ?? NOTHING_MORE;
