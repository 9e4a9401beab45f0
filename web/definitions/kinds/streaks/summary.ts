import { CALENDAR, type Calendar } from "#server/model/kernel/calendar.ts";
import { type MeasuredDraft, measuredPhrase } from "#server/model/rules/measured.ts";
import type { Operator } from "#server/model/rules/operator.ts";
import { missing, type Phrase, say, valued, words } from "#server/model/rules/phrase.ts";
import { type RewardDraft, rewardsPhrase } from "#server/model/rules/reward.ts";
import type { DescribeScope } from "#server/model/rules/scope.ts";
import { numberInWords, type Value } from "#server/model/rules/value.ts";
import { scopeOf } from "../../catalogue.ts";
import { line, type Summarize } from "../summary.ts";

interface StreakDraft extends MeasuredDraft {
  operator: Operator;
  target: Value;
  cadence: Calendar;
  freezes: { max: number | null; earnEvery: number | null } | null;
  milestones: { length: number | null; rewards: RewardDraft[] }[];
}

export const streakSummary: Summarize = (draft, catalogue) => {
  const streak = draft as unknown as StreakDraft;
  const scope = scopeOf(catalogue);
  const { freezes, milestones } = streak;
  const period = CALENDAR[streak.cadence].noun;
  const count = (number: number | null) => valued(number === null ? "…" : numberInWords(number));
  const saved =
    freezes === null
      ? words("none: a missed period ends the streak")
      : say`one for every ${count(freezes.earnEvery)} ${period}s, at most ${count(freezes.max)} held`;
  const paid = milestones.map(({ length, rewards }) => say`${count(length)} ${period}s: ${rewardsPhrase(rewards, scope)}`);
  return [
    line(`A ${period} counts with`, streakPhrase(streak, scope)),
    line("Freezes", saved),
    line("Milestones", ...(paid.length === 0 ? [words("none")] : paid)),
  ];
};

const streakPhrase = (streak: StreakDraft, scope: DescribeScope): Phrase =>
  streak.event === null && streak.metric === null
    ? missing("nothing chosen yet")
    : measuredPhrase(streak, { operator: streak.operator, value: streak.target }, scope);
