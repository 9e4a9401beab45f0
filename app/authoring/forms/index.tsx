import type { ComponentType } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Begin } from "../form/use-definition-form.ts";

/**
 * The form of each kind. One route serves all kinds, so the server chooses the form, and a page comes with the code of its own form alone.
 * A form that the browser chose would come to life after the rest of the page, and lose what people typed until then. Only the pages with
 * a form may import this file. A kind without a form is a compile error.
 */
const FORMS: Record<Kind, () => Promise<ComponentType<Begin>>> = {
  missions: () => import("./mission-form.tsx").then((loaded) => loaded.MissionForm),
  missionCollections: () => import("./mission-collection-form.tsx").then((loaded) => loaded.MissionCollectionForm),
  streaks: () => import("./streak-form.tsx").then((loaded) => loaded.StreakForm),
  leaderboards: () => import("./leaderboard-form.tsx").then((loaded) => loaded.LeaderboardForm),
  segments: () => import("./segment-form.tsx").then((loaded) => loaded.SegmentForm),
  marketplaceItems: () => import("./listing-form.tsx").then((loaded) => loaded.ListingForm),
  marketplaceCollections: () => import("./listing-collection-form.tsx").then((loaded) => loaded.ListingCollectionForm),
  catalogItems: () => import("./catalog-item-form.tsx").then((loaded) => loaded.CatalogItemForm),
  pointsValuations: () => import("./valuation-form.tsx").then((loaded) => loaded.ValuationForm),
  events: () => import("./event-form.tsx").then((loaded) => loaded.EventForm),
  metrics: () => import("./metric-form.tsx").then((loaded) => loaded.MetricForm),
  attributes: () => import("./attribute-form.tsx").then((loaded) => loaded.AttributeForm),
  exchangeRates: () => import("./exchange-rate-form.tsx").then((loaded) => loaded.ExchangeRateForm),
};

/** The form of one definition. */
export async function FormOfKind({ kind, ...begin }: Begin & { kind: Kind }) {
  const Form = await FORMS[kind]();
  return <Form {...begin} />;
}
