import { Trophy } from "lucide-react";
import { choose, isChosen } from "../../document/choices.ts";
import type { Draft } from "../../document/draft.ts";
import type { Problem } from "../../document/pointers.ts";
import { blankShown, everyone } from "../blank-parts.ts";
import { audience, column, ends, periodWords } from "../columns.tsx";
import type { KindModule, ListedDefinition } from "../kind-module.ts";

export const leaderboards = {
  path: "leaderboards",
  one: "leaderboard",
  many: "Leaderboards",
  icon: Trophy,
  section: "Engage",
  keywords: "ranking rank league tier season prize",
  purpose: "A leaderboard ranks players or teams by what they did: all time, each week or for a season, with leagues if you like.",
  columns: [
    column("source", "Scores", sourceWords),
    column("period", "Period", ({ period }) => periodWords(period)),
    audience,
    ends,
    column("league", "League", ({ hasLeague }) => (hasLeague ? "Yes" : "–")),
  ],
  fixedLater: ["scoreSource", "event", "metric", "attribute", "where", "measure", "rankOrder", "period", "teamAttribute", "league"],
  blank: (language) => ({
    ...blankShown(language),
    scoreSource: "Event",
    event: null,
    metric: null,
    attribute: null,
    where: null,
    measure: { kind: "Count" },
    rankOrder: "HighestFirst",
    period: { kind: "Calendar", every: "Week" },
    settleAfterMinutes: 10,
    topSize: 100,
    audience: everyone(),
    teamAttribute: null,
    league: null,
    prizes: [],
  }),
  missingChoices,
  hasExamples: true,
  trial: { of: "Facts", hasAudience: true },
} satisfies KindModule;

function sourceWords({ source, sourceKey }: ListedDefinition["summary"]): string {
  return source === "Points" ? "Points earned" : String(sourceKey ?? source);
}

/** The reference to the source of scores. */
const SOURCES: Record<string, string> = { Event: "event", Metric: "metric", Attribute: "attribute" };

function missingChoices(board: Draft): Problem[] {
  const member = SOURCES[String(board.scoreSource)];
  const problems = member === undefined || isChosen(board[member]) ? [] : [choose(`/${member}`)];
  const measure = board.measure as { kind: string; property?: unknown } | null | undefined;
  if (board.scoreSource === "Event" && measure && measure.kind !== "Count" && !isChosen(measure.property))
    problems.push(choose("/measure/property"));
  return problems;
}
