import { isLimit, type ObjectiveShape, isSatisfiedWithoutEvents, mayEntrySatisfy, compileObjective } from "../rules/objective.ts";
import { leavesOf } from "../rules/tree.ts";
import type { Sources } from "../rules/scope.ts";
import type { Path } from "../rules/finding.ts";
import { given, type Readable } from "../rules/readable.ts";
import { missionShape } from "../missions/contract.ts";
import { itemFindings } from "./catalog-items.ts";
import { objectiveFindings, ruleFindings } from "./conditions.ts";
import type { Shaped } from "./contract.ts";
import type { Entry } from "./file.ts";
import type { Finding } from "./problems.ts";
import type { Result } from "./result.ts";
import { readShape, valueAt } from "./wording.ts";

/** Conditions are numbered through a mission, and the numbers are stored as two bytes. */
const MOST_CONDITIONS = 1_000;

/** What is wrong with a mission besides its shape (definitions.md, Rules). `sources` are those of the result that are sound. */
export function missionFindings(entry: Entry<"missions">, result: Result, sources: Sources): Finding[] {
  const path = [entry.kind, entry.at];
  const mission = given(entry.readable);
  if (mission === undefined) return [];
  const ofObjectives = findingsOfObjectives(mission.objectives, [...path, "objectives"], result);
  const objectives = ofObjectives.length === 0 ? readObjectives(entry) : null;
  return [
    ...ruleFindings(given(mission.audience)?.rule, [...path, "audience", "rule"], result),
    ...ofObjectives,
    ...(given(mission.rewards) ?? []).flatMap((reward, at) => rewardFindings(reward, [...path, "rewards", at], result)),
    ...(objectives === null ? [] : wholeFindings(objectives, given(given(mission.recurrence)?.kind), path, sources)),
  ];
}

function findingsOfObjectives(objectives: Readable<ObjectiveShape[]>, path: Path, result: Result): Finding[] {
  const leaves = leavesOf<ObjectiveShape>(objectives, path);
  const findings = leaves.flatMap((leaf) => objectiveFindings(leaf, result));
  if (leaves.length > MOST_CONDITIONS) {
    findings.push({ path, message: `a mission can have at most ${MOST_CONDITIONS} conditions in all; make it simpler` });
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
  if (objectives.every(isLimit)) {
    const message =
      "needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed at once";
    return [{ path: [...path, "objectives"], message }];
  }
  if (recurrence !== "AfterCompletion" || !objectives.every(mayEntrySatisfy)) return [];
  const message =
    "AfterCompletion needs an objective over events or metrics that nobody can satisfy by entering; otherwise the mission could complete again and again";
  return [{ path: [...path, "recurrence"], message }];
}

/** Nobody means an objective that is met before anything has happened. */
function findingAtOnce(shape: ObjectiveShape, path: Path): Finding {
  const isSingle = "target" in shape;
  const wayOut = isSingle ? "ask for what only they bring about, such as at least 1" : "have something in it that only they bring about";
  return {
    path: isSingle ? [...path, "target"] : path,
    message: `would be satisfied without any event or metric event, and so the moment that a player enters; ${wayOut}`,
  };
}

const areSourcesSound = (objectives: readonly ObjectiveShape[], { events, metrics, attributes }: Sources): boolean =>
  leavesOf<ObjectiveShape>(objectives, []).every(({ leaf }) => {
    if ("attribute" in leaf) return attributes.has(given(leaf.attribute) ?? "");
    return "metric" in leaf ? metrics.has(given(leaf.metric) ?? "") : events.has(given(leaf.event) ?? "");
  });

/** What is wrong with one reward of a mission, a milestone or a prize. */
export function rewardFindings(reward: Readable<Shaped<"missions">["rewards"][number]>, path: Path, result: Result): Finding[] {
  const one = given(reward);
  return one === undefined || !("catalogItem" in one) ? [] : itemFindings(one, path, result);
}
