import type { Audience, Objective, Reward, Span } from "../rules/shapes.ts";
import { audiencePhrase, type Recurrence, recurrencePhrase, rewardsPhrase, spanPhrase } from "./blocks.ts";
import { missing, words } from "./parts.ts";
import { objectivePhrase } from "./rules.ts";
import { line, type Summarize } from "./summary.ts";

interface MissionDraft {
  optIn: "Automatic" | "Manual";
  objectiveOrder: "AnyOrder" | "InOrder";
  appearsIn: "Feed" | "CollectionOnly";
  recurrence: Recurrence;
  audience: Audience;
  window: Span;
  objectives: Objective[];
  rewards: Reward[];
}

export const missionSummary: Summarize = (draft, catalogue) => {
  const mission = draft as unknown as MissionDraft;
  const { objectives, objectiveOrder } = mission;
  const toDo =
    objectives.length === 0 ? [missing("no objective yet")] : objectives.map((objective) => objectivePhrase(objective, catalogue));
  const isOrdered = objectiveOrder === "InOrder" && objectives.length > 1;
  return [
    { ...line(isOrdered ? "To do, in this order" : "To do", ...toDo), isOrdered },
    line("Earns", rewardsPhrase(mission.rewards, catalogue)),
    line("For", audiencePhrase(mission.audience, catalogue)),
    line("Starts", words(mission.optIn === "Manual" ? "when the player accepts it" : "by itself")),
    line("Open", spanPhrase(mission.window, catalogue.timeZone)),
    line("Repeats", recurrencePhrase(mission.recurrence)),
    line("Shown", words(mission.appearsIn === "Feed" ? "in the feed and in collections" : "in collections only")),
  ];
};
