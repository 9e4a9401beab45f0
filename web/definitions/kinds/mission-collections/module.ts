import { ListTree } from "lucide-react";
import { blankShown } from "../blank-parts.ts";
import { members } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const missionCollections = {
  path: "mission-collections",
  one: "mission collection",
  many: "Mission collections",
  icon: ListTree,
  section: "Engage",
  keywords: "campaign page",
  purpose: "A collection shows selected missions in your own order, for a page or a campaign.",
  columns: [members("Missions")],
  blank: (language) => ({ ...blankShown(language), missions: [] }),
} satisfies KindModule;
