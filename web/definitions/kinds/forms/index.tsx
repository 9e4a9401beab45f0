import type { ComponentType } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Begin } from "../../form/form-state.ts";

/**
 * The form of each kind. One route serves all kinds, so the server chooses the form, and a page loads only its own form's code. A form
 * chosen in the browser would hydrate after the rest of the page and lose early input. Only the pages with a form may import this file. A
 * kind without a form is a compile error.
 */
const FORMS: Record<Kind, () => Promise<ComponentType<Begin>>> = {
  missions: () => import("./missions.tsx").then((loaded) => loaded.MissionForm),
  missionCollections: () => import("./collections.tsx").then((loaded) => loaded.MissionCollectionForm),
  streaks: () => import("./streaks.tsx").then((loaded) => loaded.StreakForm),
  leaderboards: () => import("./leaderboards.tsx").then((loaded) => loaded.LeaderboardForm),
  segments: () => import("./segments.tsx").then((loaded) => loaded.SegmentForm),
  marketplaceItems: () => import("./listings.tsx").then((loaded) => loaded.ListingForm),
  marketplaceCollections: () => import("./collections.tsx").then((loaded) => loaded.ListingCollectionForm),
  catalogItems: () => import("./simple.tsx").then((loaded) => loaded.CatalogItemForm),
  pointsValuations: () => import("./simple.tsx").then((loaded) => loaded.ValuationForm),
  events: () => import("./simple.tsx").then((loaded) => loaded.EventForm),
  metrics: () => import("./simple.tsx").then((loaded) => loaded.MetricForm),
  attributes: () => import("./simple.tsx").then((loaded) => loaded.AttributeForm),
  exchangeRates: () => import("./simple.tsx").then((loaded) => loaded.ExchangeRateForm),
};

export async function FormOfKind({ kind, ...begin }: Begin & { kind: Kind }) {
  const Form = await FORMS[kind]();
  return <Form {...begin} />;
}
