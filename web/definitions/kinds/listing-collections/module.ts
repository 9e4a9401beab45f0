import { LayoutGrid } from "lucide-react";
import { blankShown } from "../blank-parts.ts";
import { members } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const listingCollections = {
  path: "listing-collections",
  one: "listing collection",
  many: "Listing collections",
  icon: LayoutGrid,
  section: "Reward",
  keywords: "shop marketplace shelf",
  purpose: "A collection shows selected listings in your own order, such as a shelf of the shop.",
  columns: [members("Listings")],
  blank: (language) => ({ ...blankShown(language), items: [] }),
} satisfies KindModule;
