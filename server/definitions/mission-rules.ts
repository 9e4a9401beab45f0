import { missionShape } from "../missions/contract.ts";
import { checkAudience } from "../rules/audience.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import {
  checkObjective,
  compileObjective,
  isLimit,
  isSatisfiedWithoutEvents,
  mayEntrySatisfy,
  type ObjectiveShape,
} from "../rules/objective.ts";
import { given, type Readable } from "../rules/readable.ts";
import { checkReward } from "../rules/reward.ts";
import type { CheckScope, Sources } from "../rules/scope.ts";
import { leavesOf } from "../rules/tree.ts";
import type { Entry } from "./file.ts";
import type { Result } from "./result.ts";
import { scopeOf } from "./scope.ts";
import { readShape, valueAt } from "./zod-error-map.ts";

/** Conditions are numbered through a mission, and the numbers are stored as two bytes. */
const MOST_CONDITIONS = 1_000;

/** What is wrong with a mission besides its shape (definitions.md, Rules). `sources` are those of the result that are sound. */
export function missionFindings(entry: Entry<"missions">, result: Result, sources: Sources): Finding[] {
  const path = [entry.kind, entry.at];
  const scope = scopeOf(result);
  const mission = given(entry.readable);
  if (mission === undefined) return [];
  const ofObjectives = findingsOfObjectives(mission.objectives, [...path, "objectives"], scope);
  const objectives = ofObjectives.length === 0 ? readObjectives(entry) : null;
  return [
    ...checkAudience(mission.audience, [...path, "audience"], scope),
    ...ofObjectives,
    ...(given(mission.rewards) ?? []).flatMap((reward, at) => checkReward(reward, [...path, "rewards", at], scope)),
    ...(objectives === null ? [] : wholeFindings(objectives, given(given(mission.recurrence)?.kind), path, sources)),
  ];
}

function findingsOfObjectives(objectives: Readable<ObjectiveShape[]>, path: Path, scope: CheckScope): Finding[] {
  const leaves = leavesOf<ObjectiveShape>(objectives, path);
  const findings = leaves.flatMap((leaf) => checkObjective(leaf, scope));
  if (leaves.length > MOST_CONDITIONS) {
    findings.push(finding(path, "mission.too_many_conditions", { most: MOST_CONDITIONS }));
  }
  return findings;
}

/** The objectives of an entry whatever else is wrong with it; null where they are. */
export function readObjectives({ raw, shaped }: Entry<"missions">): readonly ObjectiveShape[] | null {
  if (shaped !== null) return shaped.objectives;
  const objectives = readShape(missionShape.shape.objectives, valueAt(raw, ["objectives"]));
  return "shaped" in objectives ? objectives.shaped : null;
}

/** What can only be said of all objectives together, which are sound one by one. */
function wholeFindings(shapes: readonly ObjectiveShape[], recurrence: string | undefined, path: Path, sources: Sources): Finding[] {
  if (!areSourcesSound(shapes, sources)) return [];
  const objectives = shapes.map((shape, place) => compileObjective(shape, String(place), sources));
  const atOnce = objectives.flatMap((objective, place) =>
    isSatisfiedWithoutEvents(objective) ? [findingAtOnce(shapes[place]!, [...path, "objectives", place])] : [],
  );
  if (atOnce.length > 0) return atOnce;
  if (objectives.every(isLimit)) return [finding([...path, "objectives"], "mission.only_limits")];
  if (recurrence !== "AfterCompletion" || !objectives.every(mayEntrySatisfy)) return [];
  return [finding([...path, "recurrence"], "mission.repeats_at_once")];
}

/** Nobody means an objective that is met before anything has happened. */
function findingAtOnce(shape: ObjectiveShape, path: Path): Finding {
  const isSingle = "target" in shape;
  return finding(isSingle ? [...path, "target"] : path, "mission.satisfied_at_once", { isSingle });
}

const areSourcesSound = (objectives: readonly ObjectiveShape[], { events, metrics, attributes }: Sources): boolean =>
  leavesOf<ObjectiveShape>(objectives, []).every(({ leaf }) => {
    if ("attribute" in leaf) return attributes.has(given(leaf.attribute) ?? "");
    return "metric" in leaf ? metrics.has(given(leaf.metric) ?? "") : events.has(given(leaf.event) ?? "");
  });
