import { Flame } from "lucide-react";
import { ANY_PERIODS } from "#server/model/kernel/calendar.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { choose, isChosen } from "../../document/choices.ts";
import { blankShown } from "../blank-parts.ts";
import { column, periodWords } from "../columns.tsx";
import type { KindModule } from "../kind-module.ts";

export const streaks = {
  path: "streaks",
  one: "streak",
  many: "Streaks",
  icon: Flame,
  section: "Engage",
  keywords: "days in a row freeze milestone",
  purpose: `A streak counts how many ${ANY_PERIODS} in a row a player did something, and rewards milestones along the way.`,
  columns: [
    column("cadence", "Repeats", ({ cadence }) => periodWords(cadence)),
    column("source", "Counts", ({ source }) => String(source)),
    column("milestones", "Milestones", ({ milestones }) => formatted(milestones), true, "milestones"),
  ],
  fixedLater: ["cadence"],
  blank: (language) => ({
    ...blankShown(language),
    event: null,
    metric: null,
    where: null,
    measure: { kind: "Count" },
    operator: "GreaterThanOrEqualTo",
    target: 1,
    cadence: "Day",
    freezes: null,
    milestones: [],
  }),
  missingChoices: ({ event, metric }) => (isChosen(event) || isChosen(metric) ? [] : [choose(metric === "" ? "/metric" : "/event")]),
  hasExamples: true,
  trial: { of: "Facts", hasAudience: false },
} satisfies KindModule;
