import { type AudienceDraft, audiencePhrase } from "#server/model/rules/audience.ts";
import { type ObjectiveDraft, objectivePhrase } from "#server/model/rules/objective.ts";
import { missing, words } from "#server/model/rules/phrase.ts";
import { type RewardDraft, rewardsPhrase } from "#server/model/rules/reward.ts";
import { type RecurrenceDraft, recurrencePhrase, type SpanDraft, spanPhrase } from "#server/model/rules/schedule.ts";
import { scopeOf } from "../../catalogue.ts";
import { line, type Summarize } from "../summary.ts";

interface MissionDraft {
  optIn: "Automatic" | "Manual";
  objectiveOrder: "AnyOrder" | "InOrder";
  appearsIn: "Feed" | "CollectionOnly";
  recurrence: RecurrenceDraft;
  audience: AudienceDraft;
  window: SpanDraft;
  objectives: ObjectiveDraft[];
  rewards: RewardDraft[];
}

export const missionSummary: Summarize = (draft, catalogue) => {
  const mission = draft as unknown as MissionDraft;
  const scope = scopeOf(catalogue);
  const { objectives, objectiveOrder } = mission;
  const toDo = objectives.length === 0 ? [missing("no objective yet")] : objectives.map((objective) => objectivePhrase(objective, scope));
  const isOrdered = objectiveOrder === "InOrder" && objectives.length > 1;
  return [
    { ...line(isOrdered ? "Objectives, in order" : "Objectives", ...toDo), isOrdered },
    line("Rewards", rewardsPhrase(mission.rewards, scope)),
    line("Audience", audiencePhrase(mission.audience, scope)),
    line("Entry", words(mission.optIn === "Manual" ? "opt-in" : "automatic")),
    line("Availability", spanPhrase(mission.window, scope.timeZone)),
    line("Repeats", recurrencePhrase(mission.recurrence)),
    line("Shown in", words(mission.appearsIn === "Feed" ? "feed and collections" : "collections only")),
  ];
};
