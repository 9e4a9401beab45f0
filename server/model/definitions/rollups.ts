import { type ConditionShape, historyConditionsIn, type HistoryConditionShape, type MetricConditionShape } from "../rules/condition.ts";
import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { derivedId } from "../players/identity.ts";
import { KINDS, moduleOf } from "./kinds.ts";
import type { StoredDefinitions } from "./stored.ts";
import { valueAt } from "./value-at.ts";

/**
 * The key of the rollup that a condition over history reads. Conditions with the same reading of an event share a rollup, for any target
 * and number of days; with and without days are two rollups.
 */
export const rollupKey = ({ where, measure, lastDays, ...source }: HistoryConditionShape | MetricConditionShape): string =>
  derivedId(
    "rollup",
    "event" in source ? source.event : `metric ${source.metric}`,
    writeJson(where),
    writeJson(measure),
    lastDays === null ? "all" : "days",
  );

/** The rollups that the definitions read, active ones or not, by key. */
function* rollupKeysOf({ lists }: StoredDefinitions): Steps<Set<string>> {
  const rules = KINDS.flatMap((kind) => {
    const { rule } = moduleOf(kind);
    if (rule === undefined) return [];
    return lists[kind].flatMap(({ shaped }) => (valueAt(shaped, rule) as ConditionShape | null) ?? []);
  });
  const keys = yield* mapInSteps(rules, (rule) => historyConditionsIn(rule).map(rollupKey));
  return new Set(keys.flat());
}

/**
 * The rollups to add and remove after an import. An unused one is removed, because folds stop updating it: when it is used again it gets a
 * new id, and is rebuilt from the log for each player.
 */
export function* rollupChanges(stored: StoredDefinitions): Steps<{ added: string[]; removed: number[] }> {
  const wanted = yield* rollupKeysOf(stored);
  const known = new Set(stored.rollups.map(({ key }) => key));
  return {
    added: [...wanted].filter((key) => !known.has(key)),
    removed: stored.rollups.flatMap(({ id, key }) => (wanted.has(key) ? [] : [id])),
  };
}
