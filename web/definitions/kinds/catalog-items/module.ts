import { Gift } from "lucide-react";
import { blankShown } from "../blank-parts.ts";
import { column, typeWords } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const catalogItems = {
  path: "catalog-items",
  one: "catalog item",
  many: "Catalog items",
  icon: Gift,
  section: "Reward",
  keywords: "reward fulfillment fulfilment",
  purpose: "A catalog item is something your own systems hand out, such as a free coffee. A webhook tells them who gets one.",
  columns: [column("valueType", "Value", ({ valueType }) => typeWords(valueType))],
  fixedLater: ["valueType"],
  blank: (language) => ({ ...blankShown(language), valueType: "Number" }),
} satisfies KindModule;
