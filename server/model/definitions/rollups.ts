import { type ConditionShape, historyConditionsIn, type HistoryConditionShape, type MetricConditionShape } from "../rules/condition.ts";
import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { derivedId } from "../players/identity.ts";
import { KINDS, moduleOf } from "./kinds.ts";
import type { StoredDefinitions } from "./stored.ts";
import { valueAt } from "./value-at.ts";

/**
 * What a condition over history has a fold keep. Conditions that read the same of an event share a rollup, whatever they
 * hold it against and however many days back; whether days are told apart at all makes two of them.
 */
export const rollupKey = ({ where, measure, lastDays, ...source }: HistoryConditionShape | MetricConditionShape): string =>
  derivedId(
    "rollup",
    "event" in source ? source.event : `metric ${source.metric}`,
    writeJson(where),
    writeJson(measure),
    lastDays === null ? "all" : "days",
  );

/** The rollups that the definitions ask for, active ones or not, by key. */
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
 * The rollups that have to come and go after an import. One that nobody asks for goes, because folds stop keeping it: asked
 * for again it gets a new id, and is made anew from the log for each player.
 */
export function* rollupChanges(stored: StoredDefinitions): Steps<{ added: string[]; removed: number[] }> {
  const wanted = yield* rollupKeysOf(stored);
  const known = new Set(stored.rollups.map(({ key }) => key));
  return {
    added: [...wanted].filter((key) => !known.has(key)),
    removed: stored.rollups.flatMap(({ id, key }) => (wanted.has(key) ? [] : [id])),
  };
}
