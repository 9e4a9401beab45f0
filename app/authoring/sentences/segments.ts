import type { Condition } from "../rules/shapes.ts";
import { missing } from "./parts.ts";
import { conditionPhrase } from "./rules.ts";
import { line, type Summarize } from "./summary.ts";

export const segmentSummary: Summarize = (draft, catalogue) => {
  const rule = draft.rule as Condition | null;
  return [line("Who is in it", rule === null ? missing("no condition yet") : conditionPhrase(rule, catalogue))];
};
