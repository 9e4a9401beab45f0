import { z } from "zod";
import type { CompiledBase } from "../kernel/texts.ts";
import type { Calendar } from "../kernel/time.ts";
import { type Finding, finding } from "../rules/finding.ts";
import { filterShape } from "../rules/filter.ts";
import { type CheckedEntry, type CompileScope, type DefinitionOf, defineKind, type StoredAs } from "../rules/kind-module.ts";
import { metricMeasure } from "../rules/measure.ts";
import { canonicalMeasured, checkMeasured, type EventCriterion, eventCriterion } from "../rules/measured.ts";
import { checkComparison, operator } from "../rules/operator.ts";
import { given, isLeftOut } from "../rules/readable.ts";
import { itemReferences, sourceReferences } from "../rules/references.ts";
import { canonicalRewards, checkReward, compileReward, type Reward, rewardShape } from "../rules/reward.ts";
import type { CheckScope } from "../rules/scope.ts";
import { defaulted, filledList, list, must, optional, reference, wholeNumber } from "../rules/shapes.ts";
import { every } from "../rules/schedule.ts";
import { iconOf } from "../rules/summary.ts";
import { definition, description, images } from "../rules/text-shapes.ts";
import { canonicalValue, value } from "../rules/value.ts";

const freezes = z.strictObject(
  { max: wholeNumber(1, 1_000), earnEvery: wholeNumber(1, 10_000) },
  must("shape.object", { example: '{ "max": 2, "earnEvery": 7 }' }),
);

const milestone = z.strictObject(
  { length: wholeNumber(1, 1_000_000), rewards: filledList(rewardShape) },
  must("shape.object", { example: '{ "length": 7, "rewards": […] }' }),
);

const streakShape = z.strictObject({
  ...definition,
  description,
  images,
  event: optional(reference),
  metric: optional(reference),
  where: optional(filterShape),
  measure: defaulted(metricMeasure, { kind: "Count" }),
  operator: defaulted(operator, "GreaterThanOrEqualTo"),
  target: defaulted(value, 1),
  cadence: every,
  freezes: optional(freezes),
  milestones: defaulted(list(milestone), []),
});
type StreakShape = DefinitionOf<typeof streakShape>;

export const streakKind = defineKind(streakShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: ["cadence"],
  check: checkStreak,
  references(readable) {
    const streak = given(readable);
    if (streak === undefined) return [];
    const milestones = given(streak.milestones) ?? [];
    return [
      ...sourceReferences(streak),
      ...milestones.flatMap((one, at) => itemReferences(given(one)?.rewards, ["milestones", at, "rewards"])),
    ];
  },
  canonical(streak, scope) {
    const { type, where } = canonicalMeasured(streak, scope);
    const milestones = streak.milestones.map((one) => ({ ...one, rewards: canonicalRewards(one.rewards, scope) }));
    return { ...streak, where, target: canonicalValue(type, streak.target), milestones };
  },
  summary: ({ cadence, event, metric, freezes, milestones, images }) => ({
    cadence,
    source: event ?? metric,
    freezes: freezes?.max ?? 0,
    milestones: milestones.length,
    icon: iconOf(images),
  }),
  options: { shape: { cadence: z.string() }, of: ({ cadence }) => ({ cadence }) },
});

/** The reading of a streak, its target, and its milestones. */
function checkStreak({ path, readable }: CheckedEntry<StreakShape>, scope: CheckScope): Finding[] {
  const streak = given(readable);
  if (streak === undefined) return [];
  const milestones = given(streak.milestones) ?? [];
  const lengths = milestones.map((one) => given(given(one)?.length));
  const twice = lengths.flatMap((length, at) =>
    length === undefined || lengths.indexOf(length) === at
      ? []
      : [finding([...path, "milestones", at, "length"], "streak.milestone_repeated", { length })],
  );
  const rewards = milestones.flatMap((one, at) =>
    (given(given(one)?.rewards) ?? []).flatMap((reward, index) =>
      checkReward(reward, [...path, "milestones", at, "rewards", index], scope),
    ),
  );
  if (isLeftOut(streak.event) === isLeftOut(streak.metric)) return [finding(path, "streak.source_missing"), ...twice, ...rewards];
  const { type, findings } = checkMeasured(streak, path, scope);
  // Left out, both stand for "at least 1", which only a number can be.
  const compared = isLeftOut(streak.operator) ? "GreaterThanOrEqualTo" : streak.operator;
  const target = isLeftOut(streak.target) ? 1 : streak.target;
  return [...findings, ...checkComparison(type, { operator: compared, value: target, path, member: "target" }), ...twice, ...rewards];
}

export interface Streak extends CompiledBase {
  /** What qualifies a period: a reading of its events alone. */
  criterion: EventCriterion;
  cadence: Calendar;
  freezes: { max: number; earnEvery: number } | null;
  /** By length, shortest first. */
  milestones: readonly { length: number; rewards: readonly Reward[] }[];
}

export function compileStreak(
  { id, createdAt, shaped }: StoredAs<StreakShape>,
  { sources, items }: Pick<CompileScope, "sources" | "items">,
): Streak {
  const { key, active, name, description, images, cadence, freezes, milestones } = shaped;
  const rewarded = milestones.map(({ length, rewards }) => ({ length, rewards: rewards.map((reward) => compileReward(reward, items)) }));
  return {
    id,
    key,
    active,
    createdAt,
    name,
    description,
    images,
    criterion: eventCriterion(shaped, sources),
    cadence,
    freezes,
    milestones: rewarded.sort((a, b) => a.length - b.length),
  };
}
