import { Tag } from "lucide-react";
import { plural } from "#server/model/kernel/thousands.ts";
import { always, blankShown, everyone } from "../blank-parts.ts";
import { column, ends, periodWords } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const listings = {
  path: "listings",
  one: "listing",
  many: "Listings",
  icon: Tag,
  section: "Reward",
  keywords: "shop marketplace price stock offer",
  purpose: "A listing is what the shop sells: a price in points, its contents and its stock. The API calls it a marketplace item.",
  columns: [
    column("price", "Price", ({ price }) => plural(price, "point"), true, "price"),
    column("recurrence", "Repeats", ({ recurrence }) => (recurrence === "None" ? "–" : periodWords(recurrence))),
    ends,
  ],
  fixedLater: ["recurrence"],
  blank: (language) => ({
    ...blankShown(language),
    priceInPoints: null,
    contents: [],
    audience: everyone(),
    appearsIn: "Shop",
    onSale: always(),
    stock: null,
    limitPerPlayer: null,
    recurrence: { kind: "None" },
  }),
  trial: { of: "Purchase", hasAudience: true },
} satisfies KindModule;
