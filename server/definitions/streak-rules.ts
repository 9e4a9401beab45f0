import { type Finding, finding } from "../rules/finding.ts";
import { checkMeasured } from "../rules/measured.ts";
import { checkComparison } from "../rules/operator.ts";
import { given, isLeftOut } from "../rules/readable.ts";
import { checkReward } from "../rules/reward.ts";
import type { Entry } from "./file.ts";
import type { Result } from "./result.ts";
import { scopeOf } from "./scope.ts";

/** What is wrong with a streak besides its shape: what it reads, what that is held against, its milestones. */
export function streakFindings({ kind, at, readable }: Entry<"streaks">, result: Result): Finding[] {
  const path = [kind, at];
  const scope = scopeOf(result);
  const streak = given(readable);
  if (streak === undefined) return [];
  const milestones = given(streak.milestones) ?? [];
  const lengths = milestones.map((one) => given(given(one)?.length));
  const repeated = lengths.flatMap((length, place) =>
    length === undefined || lengths.indexOf(length) === place
      ? []
      : [finding([...path, "milestones", place, "length"], "streak.milestone_repeated", { length })],
  );
  const rewards = milestones.flatMap((one, place) =>
    (given(given(one)?.rewards) ?? []).flatMap((reward, index) =>
      checkReward(reward, [...path, "milestones", place, "rewards", index], scope),
    ),
  );
  if (isLeftOut(streak.event) === isLeftOut(streak.metric)) {
    return [finding(path, "streak.source_missing"), ...repeated, ...rewards];
  }
  const { type, findings } = checkMeasured(streak, path, scope);
  // Left out, both stand for "at least 1", which only a number can be.
  const operator = isLeftOut(streak.operator) ? "GreaterThanOrEqualTo" : streak.operator;
  const value = isLeftOut(streak.target) ? 1 : streak.target;
  return [...findings, ...checkComparison(type, { operator, value, path, member: "target" }), ...repeated, ...rewards];
}
