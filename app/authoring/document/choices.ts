import type { Kind } from "../../../server/definitions/contract.ts";
import type { Draft } from "./draft.ts";
import type { Problem } from "./pointers.ts";

const isChosen = (value: unknown): boolean => typeof value === "string" && value !== "";

const choose = (pointer: string): Problem => ({ pointer, message: "Choose one." });

/** What a definition must name, and its shape alone does not ask for since it depends on another member. */
export function choicesMissing(kind: Kind, draft: Draft): Problem[] {
  switch (kind) {
    case "streaks":
      return isChosen(draft.event) || isChosen(draft.metric) ? [] : [choose(draft.metric === "" ? "/metric" : "/event")];
    case "leaderboards":
      return ofLeaderboard(draft);
    default:
      return [];
  }
}

const SOURCES: Record<string, string> = { Event: "event", Metric: "metric", Attribute: "attribute" };

function ofLeaderboard(board: Draft): Problem[] {
  const member = SOURCES[String(board.scoreSource)];
  const problems = member === undefined || isChosen(board[member]) ? [] : [choose(`/${member}`)];
  const measure = board.measure as { kind: string; property?: unknown } | null | undefined;
  if (board.scoreSource === "Event" && measure && measure.kind !== "Count" && !isChosen(measure.property))
    problems.push(choose("/measure/property"));
  return problems;
}
