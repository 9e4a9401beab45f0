"use client";

import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import type { Kind } from "../../../server/definitions/contract.ts";
import type { Begin } from "../form/use-definition-form.ts";

/**
 * The form of each kind, loaded when a page shows it: one route serves all kinds, and would otherwise send the forms of all. Only
 * the pages with a form may import this file. A kind without a form is a compile error.
 */
const FORMS: Record<Kind, ComponentType<Begin>> = {
  missions: dynamic(() => import("./mission-form.tsx").then((loaded) => loaded.MissionForm)),
  missionCollections: dynamic(() => import("./mission-collection-form.tsx").then((loaded) => loaded.MissionCollectionForm)),
  streaks: dynamic(() => import("./streak-form.tsx").then((loaded) => loaded.StreakForm)),
  leaderboards: dynamic(() => import("./leaderboard-form.tsx").then((loaded) => loaded.LeaderboardForm)),
  segments: dynamic(() => import("./segment-form.tsx").then((loaded) => loaded.SegmentForm)),
  marketplaceItems: dynamic(() => import("./listing-form.tsx").then((loaded) => loaded.ListingForm)),
  marketplaceCollections: dynamic(() => import("./listing-collection-form.tsx").then((loaded) => loaded.ListingCollectionForm)),
  catalogItems: dynamic(() => import("./catalog-item-form.tsx").then((loaded) => loaded.CatalogItemForm)),
  pointsValuations: dynamic(() => import("./valuation-form.tsx").then((loaded) => loaded.ValuationForm)),
  events: dynamic(() => import("./event-form.tsx").then((loaded) => loaded.EventForm)),
  metrics: dynamic(() => import("./metric-form.tsx").then((loaded) => loaded.MetricForm)),
  attributes: dynamic(() => import("./attribute-form.tsx").then((loaded) => loaded.AttributeForm)),
  exchangeRates: dynamic(() => import("./exchange-rate-form.tsx").then((loaded) => loaded.ExchangeRateForm)),
};

/** The form of one definition. */
export function FormOfKind({ kind, ...begin }: Begin & { kind: Kind }) {
  const Form = FORMS[kind];
  return <Form {...begin} />;
}
