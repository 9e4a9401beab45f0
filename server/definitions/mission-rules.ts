import type { Scalar } from "../kernel/values.ts";
import { initialObjectives, isComplete, isLimit } from "../missions/objectives.ts";
import { valueFindings } from "./comparisons.ts";
import { conditionFindings, conditionsOf } from "./conditions.ts";
import { missionShape, type ObjectiveShape, type Shaped } from "./contract.ts";
import type { Entry } from "./file.ts";
import { compileObjective, type ObjectiveEvents } from "./objectives.ts";
import type { Finding, Path } from "./problems.ts";
import { given, type Readable } from "./readable.ts";
import { resolve, type Result } from "./result.ts";
import { readShape, valueAt } from "./wording.ts";

/** Conditions are numbered through a mission, and the numbers are stored as two bytes. */
const MOST_CONDITIONS = 1_000;

/** What is wrong with a mission besides its shape (definitions.md, Rules). */
export function missionFindings(entry: Entry<"missions">, result: Result): Finding[] {
  const path = [entry.kind, entry.at];
  const mission = given(entry.readable);
  if (mission === undefined) return [];
  const conditions = conditionsOf(mission.objectives, [...path, "objectives"]);
  const ofConditions = conditions.flatMap((condition) => conditionFindings(condition, result));
  const ofRewards = (given(mission.rewards) ?? []).flatMap((reward, at) => rewardFindings(reward, [...path, "rewards", at], result));
  if (conditions.length > MOST_CONDITIONS) {
    ofConditions.push({
      path: [...path, "objectives"],
      message: `a mission can have at most ${MOST_CONDITIONS} conditions in all; make it simpler`,
    });
  }
  const objectives = ofConditions.length === 0 ? readObjectives(entry) : null;
  const ofWhole = objectives === null ? [] : wholeFindings(objectives, given(given(mission.recurrence)?.kind), path, result);
  return [...ofConditions, ...ofRewards, ...ofWhole];
}

/** The objectives of an entry whatever else is wrong with it; null where they are. */
export function readObjectives({ raw, shaped }: Entry<"missions">): readonly ObjectiveShape[] | null {
  if (shaped !== null) return shaped.objectives;
  const objectives = readShape(missionShape.shape.objectives, valueAt(raw, ["objectives"]));
  return "shaped" in objectives ? objectives.shaped : null;
}

/** What can only be said of all objectives together, which are sound one by one. */
function wholeFindings(shapes: readonly ObjectiveShape[], recurrence: string | undefined, path: Path, result: Result): Finding[] {
  const events = eventsNamedIn(shapes, result);
  if (events === null) return [];
  const objectives = shapes.map((shape, place) => compileObjective(shape, String(place), events));
  if (objectives.every(isLimit)) {
    const message =
      "needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed at once";
    return [{ path: [...path, "objectives"], message }];
  }
  if (recurrence !== "AfterCompletion" || !isComplete(initialObjectives({ objectives, objectiveOrder: "AnyOrder" }))) return [];
  const message =
    "AfterCompletion needs an objective over events that is not satisfied at entry already, or the mission would complete again and again";
  return [{ path: [...path, "recurrence"], message }];
}

/** The events that the objectives name, as they are read; null where one of them cannot be. */
function eventsNamedIn(objectives: readonly ObjectiveShape[], result: Result): ObjectiveEvents | null {
  const events = new Map<string, { id: number; properties: ReadonlyMap<string, Shaped<"events">["properties"][number]> }>();
  for (const { condition } of conditionsOf(objectives, [])) {
    const standing = result.events.get(given(condition.event) ?? "");
    const event = standing?.stored && standing.entry === null ? standing.stored.shaped : standing?.entry?.shaped;
    if (event === null || event === undefined) return null;
    events.set(event.key, { id: 0, properties: new Map(event.properties.map((property) => [property.key, property])) });
  }
  return events;
}

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
