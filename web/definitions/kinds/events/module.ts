import { Activity } from "lucide-react";
import { blankNamed } from "../blank-parts.ts";
import { discovered, properties } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const events = {
  path: "events",
  one: "event",
  many: "Events",
  icon: Activity,
  section: "Data",
  keywords: "property tracking",
  purpose:
    "An event is something players do that your backend sends: an order, a visit, a review. Missions, streaks and leaderboards count them.",
  columns: [properties, discovered],
  fixedLater: ["properties"],
  blank: (language) => ({ ...blankNamed(language), properties: [] }),
} satisfies KindModule;
