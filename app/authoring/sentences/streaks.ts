import type { Operator } from "../../../server/kernel/values.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Measured, Reward, Value } from "../rules/shapes.ts";
import { type Every, rewardsPhrase } from "./blocks.ts";
import { missing, type Phrase, say, valued, words } from "./parts.ts";
import { measuredPhrase } from "./rules.ts";
import { line, type Summarize } from "./summary.ts";
import { numberInWords } from "./values.ts";

interface StreakDraft extends Measured {
  operator: Operator;
  target: Value;
  cadence: Every;
  freezes: { max: number | null; earnEvery: number | null } | null;
  milestones: { length: number | null; rewards: Reward[] }[];
}

const PERIODS = { Day: "day", Week: "week", Month: "month" } as const;

export const streakSummary: Summarize = (draft, catalogue) => {
  const streak = draft as unknown as StreakDraft;
  const { freezes, milestones } = streak;
  const period = PERIODS[streak.cadence];
  const count = (number: number | null) => valued(number === null ? "…" : numberInWords(number));
  const saved =
    freezes === null
      ? words("none: a missed period ends the run")
      : say`one for every ${count(freezes.earnEvery)} ${period}s of the run, at most ${count(freezes.max)} in hand`;
  const paid = milestones.map(({ length, rewards }) => say`${count(length)} ${period}s: ${rewardsPhrase(rewards, catalogue)}`);
  return [
    line(`A ${period} counts with`, streakPhrase(streak, catalogue)),
    line("Freezes", saved),
    line("Milestones", ...(paid.length === 0 ? [words("none")] : paid)),
  ];
};

const streakPhrase = (streak: StreakDraft, catalogue: Catalogue): Phrase =>
  streak.event === null && streak.metric === null
    ? missing("nothing chosen yet")
    : measuredPhrase(streak, { operator: streak.operator, value: streak.target }, catalogue);
