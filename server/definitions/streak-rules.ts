import { given, isLeftOut } from "../rules/readable.ts";
import { comparisonFindings } from "./comparisons.ts";
import type { Entry } from "./file.ts";
import { measuredFindings } from "./measured.ts";
import { rewardFindings } from "./mission-rules.ts";
import type { Finding } from "./problems.ts";
import type { Result } from "./result.ts";

/** What is wrong with a streak besides its shape: what it reads, what that is held against, its milestones. */
export function streakFindings({ kind, at, readable }: Entry<"streaks">, result: Result): Finding[] {
  const path = [kind, at];
  const streak = given(readable);
  if (streak === undefined) return [];
  const milestones = given(streak.milestones) ?? [];
  const lengths = milestones.map((one) => given(given(one)?.length));
  const repeated = lengths.flatMap((length, place) =>
    length === undefined || lengths.indexOf(length) === place
      ? []
      : [
          {
            path: [...path, "milestones", place, "length"],
            message: `there is a milestone of length ${length} already; leave one of the two out`,
          },
        ],
  );
  const rewards = milestones.flatMap((one, place) =>
    (given(given(one)?.rewards) ?? []).flatMap((reward, index) =>
      rewardFindings(reward, [...path, "milestones", place, "rewards", index], result),
    ),
  );
  if (isLeftOut(streak.event) === isLeftOut(streak.metric)) {
    return [{ path, message: "needs what it counts: either an event or a metric" }, ...repeated, ...rewards];
  }
  const { type, findings } = measuredFindings(streak, path, result);
  // Left out, both stand for "at least 1", which only a number can be.
  const operator = isLeftOut(streak.operator) ? "GreaterThanOrEqualTo" : streak.operator;
  const value = isLeftOut(streak.target) ? 1 : streak.target;
  return [...findings, ...comparisonFindings(type, { operator, value, path, member: "target" }), ...repeated, ...rewards];
}
