import { type Finding, type Path, mistake } from "./finding.ts";
import type { Readable } from "./readable.ts";
import { z } from "zod";
import type { Player } from "../kernel/player.ts";
import type { Calendar } from "../kernel/time.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import { compiledFilterPhrase, type Filter } from "./filter.ts";
import { type Measure, takenPhrase } from "./measure.ts";
import {
  canonicalMeasured,
  checkMeasured,
  chosen,
  isMeasured,
  lastDaysPhrase,
  measured,
  type MeasuredDraft,
  measuredPhrase,
  metricMeasured,
} from "./measured.ts";
import { attributePhrase } from "./objective.ts";
import { checkComparison, comparison, holds, operator, type Operator, quantity, type Target } from "./operator.ts";
import { named, type Phrase, say } from "./phrase.ts";
import { checkAttribute, checkReference, type CheckScope, type DescribeScope, type Typed, type TypeScope } from "./scope.ts";
import { filledList, must, oneForm, optional, reference, wholeNumber } from "./shapes.ts";
import {
  canonicalShare,
  compileShare,
  isInShare,
  type RuleOwner,
  type Share,
  type ShareDraft,
  sharePhrase,
  type ShareShape,
  shareShape,
} from "./share.ts";
import { compiledTree, evaluate, type Leaf, leaves, leavesIn, mapped, treePhrase } from "./tree.ts";
import { canonicalValue, type Choice, type Value, value } from "./value.ts";

/** A condition over the stored history of an event: all of it, or the last days. */
const historyCondition = z.strictObject({ ...measured, operator, value, lastDays: optional(wholeNumber(1, 3_650)) });
export type HistoryConditionShape = z.output<typeof historyCondition>;

const metricCondition = z.strictObject({ ...metricMeasured, operator, value, lastDays: optional(wholeNumber(1, 3_650)) });
export type MetricConditionShape = z.output<typeof metricCondition>;

/** A condition on a player, of an audience or a segment, in the form of the file. */
export type ConditionShape =
  | { all: ConditionShape[] }
  | { any: ConditionShape[] }
  | { not: ConditionShape }
  | { attribute: string; operator: Operator; value: Scalar | Scalar[] }
  | { segment: string }
  | HistoryConditionShape
  | MetricConditionShape
  | { streak: string; operator: Operator; value: Scalar | Scalar[] }
  | { points: "Balance"; operator: Operator; value: Scalar | Scalar[] }
  | { missionCompleted: string }
  | ShareShape;

export const conditionShape: z.ZodType<ConditionShape> = z.lazy(() =>
  oneForm<ConditionShape>(
    mistake("shape.rule", { rule: "condition", example: '{ "attribute": "tier", "operator": "EqualTo", "value": "gold" }' }),
    [
      historyCondition,
      z.strictObject({ attribute: reference, operator, value }),
      z.strictObject({ segment: reference }),
      z.strictObject({ points: z.literal("Balance", must("shape.literal", { value: "Balance" })), operator, value }),
      z.strictObject({ missionCompleted: reference }),
      z.strictObject({ all: filledList(conditionShape) }),
      z.strictObject({ any: filledList(conditionShape) }),
      z.strictObject({ not: conditionShape }),
      metricCondition,
      z.strictObject({ streak: reference, operator, value }),
      shareShape,
    ],
  ),
);

type HistoryConditionDraft = MeasuredDraft & { operator: Operator; value: Value; lastDays: number | null };

/** A condition as a form holds it. */
export type ConditionDraft =
  | { all: ConditionDraft[] }
  | { any: ConditionDraft[] }
  | { not: ConditionDraft }
  | HistoryConditionDraft
  | { attribute: Choice; operator: Operator; value: Value }
  | { segment: Choice }
  | { points: "Balance"; operator: Operator; value: Value }
  | { missionCompleted: Choice }
  | { streak: Choice; operator: Operator; value: Value }
  | ShareDraft;

/** The part of a player's history that a fold keeps, so that conditions over it need not read the log. */
export interface Rollup {
  id: number;
  eventId: number;
  where: Filter | null;
  measure: Measure;
  type: ScalarType;
  /** Whether it is read for the last days, and therefore kept by day. */
  isDaily: boolean;
}

/** Reads a player's history: all of it, or the last days (today being one of them). */
export interface HistoryInput {
  rollup: Rollup;
  lastDays: number | null;
}

/** Reads the length of a streak's live run. */
interface StreakInput {
  streak: StreakRule;
}

/** The fields of a streak needed to read its live run. */
export interface StreakRule {
  id: number;
  cadence: Calendar;
}

/** The inputs of a condition besides the player's own row. */
export type ConditionInput = HistoryInput | StreakInput;

/** A compiled condition; segments are inlined. */
export type Condition = { all: readonly Condition[] } | { any: readonly Condition[] } | { not: Condition } | ConditionLeaf;

export type ConditionLeaf =
  | { kind: "attribute"; attributeId: number; operator: Operator; value: Target }
  | { kind: "input"; input: ConditionInput; operator: Operator; value: Target }
  | { kind: "balance"; operator: Operator; value: Target }
  | { kind: "missionCompleted"; missionId: number }
  | Share;

/** The findings of a condition: its references and its values. */
export const checkCondition = (rule: Readable<ConditionShape>, path: Path, scope: CheckScope): Finding[] =>
  leavesIn<ConditionShape>(rule, path).flatMap((one) => checkLeaf(one, scope));

function checkLeaf({ leaf, path }: Leaf<ConditionShape>, scope: CheckScope): Finding[] {
  if ("segment" in leaf) return checkReference("segments", leaf.segment, [...path, "segment"], scope);
  if ("missionCompleted" in leaf) return checkReference("missions", leaf.missionCompleted, [...path, "missionCompleted"], scope);
  if ("share" in leaf) return [];
  const { type, findings } = checkSubject({ leaf, path }, scope);
  return [...findings, ...checkComparison(type, { operator: leaf.operator, value: leaf.value, path, member: "value" })];
}

type ComparedLeaf = Exclude<Leaf<ConditionShape>["leaf"], { segment: unknown } | { missionCompleted: unknown } | { share: unknown }>;

/** The type that a condition compares, and the findings of its reference. */
function checkSubject({ leaf, path }: { leaf: ComparedLeaf; path: Path }, scope: CheckScope): Typed {
  if ("attribute" in leaf) return checkAttribute(leaf.attribute, [...path, "attribute"], scope);
  if ("event" in leaf || "metric" in leaf) return checkMeasured(leaf, path, scope);
  return { type: "Number", findings: "streak" in leaf ? checkReference("streaks", leaf.streak, [...path, "streak"], scope) : [] };
}

export const canonicalCondition = (condition: ConditionShape, scope: TypeScope): ConditionShape =>
  mapped<ConditionShape, unknown>(condition, (leaf) => {
    if ("segment" in leaf || "missionCompleted" in leaf) return leaf;
    if ("share" in leaf) return canonicalShare(leaf);
    if ("event" in leaf || "metric" in leaf) {
      const { type, where } = canonicalMeasured(leaf, scope);
      return { ...leaf, where, value: canonicalValue(type, leaf.value) };
    }
    return { ...leaf, value: canonicalValue("attribute" in leaf ? scope.attributeType(leaf.attribute) : "Number", leaf.value) };
  });

/** Resolves the keys that a condition names; throws for unknown ones. */
interface ConditionTargets {
  owner: RuleOwner;
  attributeId(key: string): number;
  missionId(key: string): number;
  segment(key: string): Condition;
  streak(key: string): StreakRule;
  rollup(shape: HistoryConditionShape | MetricConditionShape): Rollup;
}

/** Compiles a condition; every reference must resolve. */
export const compileCondition = (shape: ConditionShape, targets: ConditionTargets): Condition =>
  compiledTree<ConditionShape, Condition>(shape, (leaf) => {
    if ("segment" in leaf) return targets.segment(leaf.segment);
    if ("missionCompleted" in leaf) return { kind: "missionCompleted", missionId: targets.missionId(leaf.missionCompleted) };
    if ("share" in leaf) return compileShare(leaf, targets.owner);
    const { operator: compares, value: wanted } = leaf;
    const compared = { operator: compares, value: wanted };
    if ("attribute" in leaf) return { kind: "attribute", attributeId: targets.attributeId(leaf.attribute), ...compared };
    if ("streak" in leaf) return { kind: "input", input: { streak: targets.streak(leaf.streak) }, ...compared };
    if ("event" in leaf || "metric" in leaf)
      return { kind: "input", input: { rollup: targets.rollup(leaf), lastDays: leaf.lastDays }, ...compared };
    return { kind: "balance", ...compared };
  });

/** Whether a player qualifies. The condition's inputs must be resolved. */
export const qualifies = (player: Player, condition: Condition): boolean => evaluate(condition, isLeafMet, player);

function isLeafMet(leaf: ConditionLeaf, player: Player): boolean {
  switch (leaf.kind) {
    case "attribute":
      return holds(player.attributes.get(leaf.attributeId)?.value, leaf.operator, leaf.value);
    case "input": {
      const name = inputName(leaf.input);
      const resolved = player.inputs.get(name);
      if (resolved === undefined) throw new Error(`No condition input ${name} for player ${player.playerId}.`);
      return holds(resolved, leaf.operator, leaf.value);
    }
    case "balance":
      return holds(player.balance, leaf.operator, leaf.value);
    case "missionCompleted":
      return player.completedMissions.has(leaf.missionId);
    case "share":
      return isInShare(player.externalId, leaf);
  }
}

/** The name of an input in `Player.inputs`. */
export const inputName = (input: ConditionInput): string =>
  "streak" in input ? `streak/${input.streak.id}` : `${input.rollup.id}/${input.lastDays ?? "all"}`;

export const inputType = (input: ConditionInput): ScalarType => ("streak" in input ? "Number" : input.rollup.type);

/** The inputs of a condition, with duplicates. */
export const inputsIn = (condition: Condition): ConditionInput[] =>
  leaves(condition).flatMap((leaf) => (leaf.kind === "input" ? [leaf.input] : []));

export const attributesIn = (condition: Condition): number[] =>
  leaves(condition).flatMap((leaf) => (leaf.kind === "attribute" ? [leaf.attributeId] : []));

/** Whether only a fact about an attribute can make a player qualify: a share never changes. */
export const changesByAttributesAlone = (condition: Condition): boolean =>
  leaves(condition).every(({ kind }) => kind === "attribute" || kind === "share");

/** The segments that a condition names as it is written. */
export const segmentsIn = (condition: ConditionShape): string[] =>
  leaves(condition).flatMap((leaf) => ("segment" in leaf ? [leaf.segment] : []));

/** The conditions over history in a condition as it is written. */
export const historyConditionsIn = (condition: ConditionShape): (HistoryConditionShape | MetricConditionShape)[] =>
  leaves(condition).flatMap((leaf) => ("event" in leaf || "metric" in leaf ? [leaf] : []));

/** "Tier is gold, or they have completed First order". */
export const conditionPhrase = (condition: ConditionDraft, scope: DescribeScope): Phrase =>
  treePhrase<ConditionDraft>(condition, (leaf) => {
    if ("segment" in leaf) return say`they are in the segment ${chosen(leaf.segment, "segments", scope, "…")}`;
    if ("missionCompleted" in leaf) return say`they have completed ${chosen(leaf.missionCompleted, "missions", scope, "a mission")}`;
    if ("share" in leaf) return sharePhrase(leaf);
    if ("attribute" in leaf) return attributePhrase(leaf.attribute, leaf, scope);
    const { operator: compares, value: wanted } = leaf;
    const compared = { operator: compares, value: wanted, type: "Number", timeZone: scope.timeZone } as const;
    if ("points" in leaf) return say`their points balance ${comparison(compared)}`;
    if ("streak" in leaf) return say`they have a streak of ${quantity(compared)} in ${chosen(leaf.streak, "streaks", scope, "a streak")}`;
    return isMeasured(leaf) ? measuredPhrase(leaf, compared, scope, leaf.lastDays) : [];
  });

/** "the total amount of Order placed in the last 30 days": what an input is, for explanations. */
export function inputPhrase(input: ConditionInput, nameOf: (id: number) => string, timeZone: string): Phrase {
  if ("streak" in input) return say`the length of the streak ${named(nameOf(input.streak.id))}`;
  const { rollup, lastDays } = input;
  const where = rollup.where === null ? [] : say` where ${compiledFilterPhrase(rollup.where, timeZone)}`;
  const taken = takenPhrase({ measure: rollup.measure, isOfMetric: "property" in rollup.measure && rollup.measure.property === null });
  return say`${taken} ${named(nameOf(rollup.eventId))}${lastDaysPhrase(lastDays)}${where}`;
}
