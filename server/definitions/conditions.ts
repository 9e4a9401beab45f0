import type { ConditionShape } from "../rules/condition.ts";
import type { ObjectiveShape } from "../rules/objective.ts";
import { type Leaf, leavesIn } from "../rules/tree.ts";
import type { Path } from "../rules/finding.ts";
import type { Readable } from "../rules/readable.ts";
import { type Comparison, comparisonFindings } from "./comparisons.ts";
import { measuredFindings } from "./measured.ts";
import type { Finding } from "./problems.ts";
import { resolve, type Result } from "./result.ts";
import { attributeType, type Typed } from "./types.ts";

/** What is wrong with a rule of who takes part: what it names, and what it holds that against (definitions.md, Condition). */
export const ruleFindings = (rule: Readable<ConditionShape>, path: Path, result: Result): Finding[] =>
  leavesIn<ConditionShape>(rule, path).flatMap((leaf) => conditionFindings(leaf, result));

function conditionFindings({ leaf, path }: Leaf<ConditionShape>, result: Result): Finding[] {
  if ("segment" in leaf) return resolve(result, "segments", leaf.segment, [...path, "segment"]).findings;
  if ("missionCompleted" in leaf) return resolve(result, "missions", leaf.missionCompleted, [...path, "missionCompleted"]).findings;
  if ("attribute" in leaf) {
    return compared(attributeType(result, leaf.attribute, [...path, "attribute"]), { ...leaf, path, member: "value" });
  }
  if ("event" in leaf || "metric" in leaf) return compared(measuredFindings(leaf, path, result), { ...leaf, path, member: "value" });
  if ("streak" in leaf) {
    const { findings } = resolve(result, "streaks", leaf.streak, [...path, "streak"]);
    return compared({ type: "Number", findings }, { ...leaf, path, member: "value" });
  }
  if ("points" in leaf) return comparisonFindings("Number", { ...leaf, path, member: "value" });
  return [];
}

/** What is wrong with one condition of an objective: its event or attribute, and what the reading is held against. */
export function objectiveFindings({ leaf, path }: Leaf<ObjectiveShape>, result: Result): Finding[] {
  const { operator, target } = leaf;
  const comparison: Comparison = { operator, value: target, path, member: "target" };
  if ("attribute" in leaf) return compared(attributeType(result, leaf.attribute, [...path, "attribute"]), comparison);
  return "event" in leaf || "metric" in leaf ? compared(measuredFindings(leaf, path, result), comparison) : [];
}

const compared = ({ type, findings }: Typed, comparison: Comparison): Finding[] => [...findings, ...comparisonFindings(type, comparison)];
