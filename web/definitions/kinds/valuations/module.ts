import { Coins } from "lucide-react";
import { exactly } from "#web/components/exactly.ts";
import { plural } from "#server/model/kernel/thousands.ts";
import { column } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const valuations = {
  path: "valuations",
  one: "valuation",
  many: "Points valuations",
  icon: Coins,
  section: "Reward",
  keywords: "worth money liability",
  purpose: "A valuation says what a point is worth from a date on, so that analytics can price the points that players hold.",
  columns: [
    column("worth", "Worth", ({ points, amount, currency }) => `${plural(points, "point")} = ${String(amount)} ${String(currency)}`),
  ],
  blank: () => ({ effectiveFrom: null, points: 100, amount: null, currency: "" }),
  isKeyless: true,
  // A valuation is identified by its start instant.
  nameOf: (key, timeZone) => (Number.isNaN(Date.parse(key)) ? key : `from ${exactly(key, timeZone)}`),
} satisfies KindModule;
