import type { Condition, Rollup, Streak } from "./compiled.ts";
import type { ConditionShape, HistoryConditionShape, MetricConditionShape } from "./contract.ts";
import { compileMeasured, found, type Sources } from "./objectives.ts";
import { rollupKey } from "./rollups.ts";
import type { StoredDefinitions } from "./stored.ts";

/** Turns conditions into the form of the rules, and remembers the rollups that they ask. */
export interface ConditionCompiler {
  compile(shape: ConditionShape): Condition;
  readonly rollups: ReadonlyMap<string, Rollup>;
}

/** Every reference must resolve, and segments have no cycles: nothing else is ever stored. */
export function conditionCompiler(
  { lists, rollups: stored }: StoredDefinitions,
  sources: Sources,
  streaks: ReadonlyMap<string, Streak>,
): ConditionCompiler {
  const rules = new Map(lists.segments.map(({ shaped }) => [shaped.key, shaped.rule]));
  const missionIds = new Map(lists.missions.map(({ id, shaped }) => [shaped.key, id]));
  const rollupIds = new Map(stored.map(({ id, key }) => [key, id]));
  const segments = new Map<string, Condition>();
  const rollups = new Map<string, Rollup>();

  function compile(shape: ConditionShape): Condition {
    if ("all" in shape) return { all: shape.all.map(compile) };
    if ("any" in shape) return { any: shape.any.map(compile) };
    if ("not" in shape) return { not: compile(shape.not) };
    if ("segment" in shape) return segment(shape.segment);
    if ("missionCompleted" in shape) {
      return { kind: "missionCompleted", missionId: found(missionIds.get(shape.missionCompleted), shape.missionCompleted) };
    }
    const { operator, value } = shape;
    if ("attribute" in shape) {
      return { kind: "attribute", attributeId: found(sources.attributes.get(shape.attribute), shape.attribute).id, operator, value };
    }
    if ("streak" in shape) {
      return { kind: "asked", question: { streak: found(streaks.get(shape.streak), shape.streak) }, operator, value };
    }
    if ("event" in shape || "metric" in shape)
      return { kind: "asked", question: { rollup: rollup(shape), lastDays: shape.lastDays }, operator, value };
    return { kind: "balance", operator, value };
  }

  function segment(key: string): Condition {
    const known = segments.get(key) ?? compile(found(rules.get(key), key));
    segments.set(key, known);
    return known;
  }

  function rollup(shape: HistoryConditionShape | MetricConditionShape): Rollup {
    const key = rollupKey(shape);
    const { eventId, where, measure } = compileMeasured(shape, sources);
    const known = rollups.get(key) ?? { id: found(rollupIds.get(key), key), eventId, where, measure, isDaily: shape.lastDays !== null };
    rollups.set(key, known);
    return known;
  }

  return { compile, rollups };
}
