import {
  compileCondition,
  segmentsIn,
  type Condition,
  type Rollup,
  type ConditionShape,
  type HistoryConditionShape,
  type MetricConditionShape,
} from "../rules/condition.ts";
import { compileMeasured, found } from "../rules/measured.ts";
import type { Sources } from "../rules/scope.ts";
import type { RuleOwner } from "../rules/share.ts";
import type { Streak } from "./compiled.ts";
import { rollupKey } from "./rollups.ts";
import type { StoredDefinitions } from "./stored.ts";

/** Compiles conditions, and records the rollups that they read. */
export interface ConditionCompiler {
  compile(shape: ConditionShape, owner: RuleOwner): Condition;
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

  const compile = (shape: ConditionShape, owner: RuleOwner): Condition =>
    compileCondition(shape, {
      owner,
      attributeId: (key) => found(sources.attributes.get(key), key).id,
      missionId: (key) => found(missionIds.get(key), key),
      streak: (key) => found(streaks.get(key), key),
      segment,
      rollup,
    });

  /** Compiles the segments that a segment names before it, without recursion: a chain of them may exceed the call stack. */
  function segment(key: string): Condition {
    const trail = [key];
    for (let at = trail.at(-1); at !== undefined; at = trail.at(-1)) {
      const rule = found(rules.get(at), at);
      const missing = segments.has(at) ? [] : segmentsIn(rule).filter((named) => !segments.has(named));
      trail.push(...missing);
      if (missing.length > 0) continue;
      if (!segments.has(at)) segments.set(at, compile(rule, { kind: "segments", key: at }));
      trail.pop();
    }
    return found(segments.get(key), key);
  }

  function rollup(shape: HistoryConditionShape | MetricConditionShape): Rollup {
    const key = rollupKey(shape);
    const measured = compileMeasured(shape, sources);
    const known = rollups.get(key) ?? { id: found(rollupIds.get(key), key), ...measured, isDaily: shape.lastDays !== null };
    rollups.set(key, known);
    return known;
  }

  return { compile, rollups };
}
