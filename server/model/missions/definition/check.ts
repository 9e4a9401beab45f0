import { writeJson } from "../../kernel/json.ts";
import { checkAudience } from "../../rules/audience.ts";
import { type Finding, finding, type Path } from "../../rules/finding.ts";
import { inLanguage } from "../../rules/in-language.ts";
import type { ChangeScope, CheckedEntry, KindScope } from "../../rules/kind-module.ts";
import { pointerTo, shortened } from "../../rules/naming.ts";
import {
  canonicalObjective,
  checkObjective,
  compileObjective,
  isLimit,
  isSatisfiedWithoutEvents,
  mayEntrySatisfy,
  type ObjectiveShape,
} from "../../rules/objective.ts";
import { given, type Readable } from "../../rules/readable.ts";
import { checkReward } from "../../rules/reward.ts";
import type { CheckScope, Sources } from "../../rules/scope.ts";
import { leavesOf } from "../../rules/tree.ts";
import type { MissionShape } from "./shape.ts";

/** Conditions are numbered through a mission, and the numbers are stored as two bytes. */
const MAX_CONDITIONS = 1_000;

/** The findings of a mission besides its shape. */
export function checkMission(entry: CheckedEntry<MissionShape>, scope: KindScope): Finding[] {
  const { path } = entry;
  const mission = given(entry.readable);
  if (mission === undefined) return [];
  const ofObjectives = checkObjectives(mission.objectives, [...path, "objectives"], scope);
  const objectives = ofObjectives.length === 0 ? entry.member("objectives") : undefined;
  return [
    ...checkAudience(mission.audience, [...path, "audience"], scope),
    ...ofObjectives,
    ...(given(mission.rewards) ?? []).flatMap((reward, at) => checkReward(reward, [...path, "rewards", at], scope)),
    ...(objectives === undefined ? [] : checkTogether(objectives, given(given(mission.recurrence)?.kind), path, scope.sources)),
  ];
}

function checkObjectives(objectives: Readable<ObjectiveShape[]>, path: Path, scope: CheckScope): Finding[] {
  const leaves = leavesOf<ObjectiveShape>(objectives, path);
  const findings = leaves.flatMap((leaf) => checkObjective(leaf, scope));
  if (leaves.length > MAX_CONDITIONS) findings.push(finding(path, "mission.too_many_conditions", { most: MAX_CONDITIONS }));
  return findings;
}

/** Checks across all objectives, which are valid individually. */
function checkTogether(shapes: readonly ObjectiveShape[], recurrence: string | undefined, path: Path, sources: Sources): Finding[] {
  if (!areSourcesSound(shapes, sources)) return [];
  const objectives = shapes.map((shape, at) => compileObjective(shape, String(at), sources));
  const atOnce = objectives.flatMap((objective, at) =>
    isSatisfiedWithoutEvents(objective) ? [satisfiedAtOnce(shapes[at]!, [...path, "objectives", at])] : [],
  );
  if (atOnce.length > 0) return atOnce;
  if (objectives.every(isLimit)) return [finding([...path, "objectives"], "mission.only_limits")];
  if (recurrence !== "AfterCompletion" || !objectives.every(mayEntrySatisfy)) return [];
  return [finding([...path, "recurrence"], "mission.repeats_at_once")];
}

/** An objective that is met before anything has happened is a mistake. */
function satisfiedAtOnce(shape: ObjectiveShape, path: Path): Finding {
  const isSingle = "target" in shape;
  return finding(isSingle ? [...path, "target"] : path, "mission.satisfied_at_once", { isSingle });
}

const areSourcesSound = (objectives: readonly ObjectiveShape[], { events, metrics, attributes }: Sources): boolean =>
  leavesOf<ObjectiveShape>(objectives, []).every(({ leaf }) => {
    if ("attribute" in leaf) return attributes.has(given(leaf.attribute) ?? "");
    return "metric" in leaf ? metrics.has(given(leaf.metric) ?? "") : events.has(given(leaf.event) ?? "");
  });

/** Objectives cannot change. They are compared in canonical form. */
export function checkObjectivesChange(entry: CheckedEntry<MissionShape>, before: MissionShape, scope: ChangeScope): Finding[] {
  const objectives = entry.member("objectives");
  if (objectives === undefined) return [];
  const after = objectives.map((one) => inLanguage(canonicalObjective(one, scope), scope.language));
  if (writeJson(after) === writeJson(before.objectives)) return [];
  const path = [...entry.path, "objectives"];
  const first = scope.firstDifference("objectives", before, { objectives: after });
  const pointer = pointerTo([...path, ...(first?.path.slice(1) ?? [])]);
  const was = first?.before === undefined ? "nothing" : shortened(writeJson(first.before));
  return [finding(path, "mission.objectives_fixed", { before: was, pointer })];
}
