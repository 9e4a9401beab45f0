import type { Scalar } from "../kernel/values.ts";
import { missionShape } from "../missions/contract.ts";
import { isLimit } from "../missions/objectives.ts";
import { valueFindings } from "./comparisons.ts";
import { objectiveFindings, ruleFindings } from "./conditions.ts";
import type { ObjectiveShape, Shaped } from "./contract.ts";
import { mayEntrySatisfy } from "./entry.ts";
import type { Entry } from "./file.ts";
import { leavesOf } from "./leaves.ts";
import { compileObjective, type Sources } from "./objectives.ts";
import type { Finding, Path } from "./problems.ts";
import { given, type Readable } from "./readable.ts";
import { resolve, type Result } from "./result.ts";
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
  if (objectives.every(isLimit)) {
    const message =
      "needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed at once";
    return [{ path: [...path, "objectives"], message }];
  }
  if (recurrence !== "AfterCompletion" || !objectives.every(mayEntrySatisfy)) return [];
  const message =
    "AfterCompletion needs an objective over events that nobody can satisfy by entering; otherwise the mission could complete again and again";
  return [{ path: [...path, "recurrence"], message }];
}

const areSourcesSound = (objectives: readonly ObjectiveShape[], { events, attributes }: Sources): boolean =>
  leavesOf<ObjectiveShape>(objectives, []).every(({ leaf }) =>
    "attribute" in leaf ? attributes.has(given(leaf.attribute) ?? "") : events.has(given(leaf.event) ?? ""),
  );

function rewardFindings(reward: Readable<Shaped<"missions">["rewards"][number]>, path: Path, result: Result): Finding[] {
  const one = given(reward);
  if (one === undefined || !("catalogItem" in one)) return [];
  const { standing, findings } = resolve(result, "catalogItems", one.catalogItem, [...path, "catalogItem"]);
  const type = given(given(standing?.readable)?.valueType);
  const value = given(one.value);
  if (type === undefined || value === undefined) return findings;
  return [...findings, ...itemValueFindings(type, one.value, [...path, "value"])];
}

/** Whether a value is one of a catalog item's (definitions.md, reward). */
function itemValueFindings(type: Shaped<"catalogItems">["valueType"], value: Readable<Scalar | Scalar[]>, path: Path): Finding[] {
  if (type === "Collection") return Array.isArray(value) ? [] : [{ path, message: "must be a list, as the catalog item is a Collection" }];
  return Array.isArray(value)
    ? [{ path, message: `must be a single value, as the catalog item is a ${type}` }]
    : valueFindings(type, value, path);
}
