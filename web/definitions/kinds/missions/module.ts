import { Target } from "lucide-react";
import { always, blankShown, everyone } from "../blank-parts.ts";
import { audience, column, ends, periodWords, rewardWords } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const missions = {
  path: "missions",
  one: "mission",
  many: "Missions",
  icon: Target,
  section: "Engage",
  keywords: "quest challenge objective reward",
  purpose: "A mission asks players to do something (order five times, visit on three days) and rewards them for it, once or repeatedly.",
  columns: [
    audience,
    column("recurrence", "Repeats", ({ recurrence }) => periodWords(recurrence)),
    column("optIn", "Entry", ({ optIn }) => (optIn === "Manual" ? "Opt-in" : "Automatic")),
    column("rewards", "Rewards", rewardWords, false, "points"),
    ends,
  ],
  fixedLater: ["objectives", "objectiveOrder", "optIn", "recurrence"],
  blank: (language) => ({
    ...blankShown(language),
    optIn: "Automatic",
    objectiveOrder: "AnyOrder",
    appearsIn: "Feed",
    recurrence: { kind: "None" },
    audience: everyone(),
    window: always(),
    objectives: [],
    rewards: [],
  }),
  hasExamples: true,
  trial: { of: "Facts", hasAudience: true },
} satisfies KindModule;
