import { type ConditionDraft, conditionPhrase } from "#server/model/rules/condition.ts";
import { missing } from "#server/model/rules/phrase.ts";
import { scopeOf } from "../../catalogue.ts";
import { line, type Summarize } from "../summary.ts";

export const segmentSummary: Summarize = (draft, catalogue) => {
  const rule = draft.rule as ConditionDraft | null;
  return [line("Members", rule === null ? missing("no condition yet") : conditionPhrase(rule, scopeOf(catalogue)))];
};
