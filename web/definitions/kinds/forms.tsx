import type { ComponentType } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Begin } from "../form/use-definition-form.ts";

/**
 * The form of each kind. One route serves all kinds, so the server chooses the form, and a page loads only its own form's code. A form
 * chosen in the browser would hydrate after the rest of the page and lose early input. Only the pages with a form may import this file. A
 * kind without a form is a compile error.
 */
const FORMS: Record<Kind, () => Promise<ComponentType<Begin>>> = {
  missions: () => import("./missions/form.tsx").then((loaded) => loaded.MissionForm),
  missionCollections: () => import("./mission-collections/form.tsx").then((loaded) => loaded.MissionCollectionForm),
  streaks: () => import("./streaks/form.tsx").then((loaded) => loaded.StreakForm),
  leaderboards: () => import("./leaderboards/form.tsx").then((loaded) => loaded.LeaderboardForm),
  segments: () => import("./segments/form.tsx").then((loaded) => loaded.SegmentForm),
  marketplaceItems: () => import("./listings/form.tsx").then((loaded) => loaded.ListingForm),
  marketplaceCollections: () => import("./listing-collections/form.tsx").then((loaded) => loaded.ListingCollectionForm),
  catalogItems: () => import("./catalog-items/form.tsx").then((loaded) => loaded.CatalogItemForm),
  pointsValuations: () => import("./valuations/form.tsx").then((loaded) => loaded.ValuationForm),
  events: () => import("./events/form.tsx").then((loaded) => loaded.EventForm),
  metrics: () => import("./metrics/form.tsx").then((loaded) => loaded.MetricForm),
  attributes: () => import("./attributes/form.tsx").then((loaded) => loaded.AttributeForm),
  exchangeRates: () => import("./exchange-rates/form.tsx").then((loaded) => loaded.ExchangeRateForm),
};

/** The form of one definition. */
export async function FormOfKind({ kind, ...begin }: Begin & { kind: Kind }) {
  const Form = await FORMS[kind]();
  return <Form {...begin} />;
}
