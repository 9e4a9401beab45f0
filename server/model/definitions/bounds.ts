import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { type ConditionShape, historyConditionsIn } from "../rules/condition.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { quoted } from "../rules/naming.ts";
import { type Extent, MAX_DEFINITION_BYTES, MAX_DEFINITIONS, tooMuchAt } from "./extent.ts";
import type { File } from "./file.ts";
import { type Kind, KINDS, moduleOf, type Shaped } from "./kinds.ts";
import { rollupKey } from "./rollups.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";
import { valueAt } from "./value-at.ts";

/** How many rollups (rollups.ts) one event may feed: each of its facts writes all of them. */
const MAX_ROLLUPS_OF_EVENT = 100;

export function definitionsExtent({ lists }: Pick<StoredDefinitions, "lists">): Extent {
  const all = KINDS.flatMap((kind): readonly Stored[] => lists[kind]);
  return { definitions: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The remaining quota. */
export const roomIn = (stored: Pick<StoredDefinitions, "lists">): Extent => {
  const { definitions, bytes } = definitionsExtent(stored);
  return { definitions: Math.max(0, MAX_DEFINITIONS - definitions), bytes: Math.max(0, MAX_DEFINITION_BYTES - bytes) };
};

/** Findings for exceeded bounds of an environment. An environment that already exceeds them may still shrink. */
export function* boundFindings(file: File, stored: StoredDefinitions, planned: Planned): Steps<Finding[]> {
  const before = definitionsExtent(stored);
  const after = { ...before };
  for (const { bytes, replaced } of planned.written) {
    after.definitions += replaced === null ? 1 : 0;
    after.bytes += bytes - (replaced?.bytes ?? 0);
    yield;
  }
  const passes = (name: keyof Extent, most: number) => after[name] > most && after[name] > before[name];
  const isTooMuch = passes("definitions", MAX_DEFINITIONS) || passes("bytes", MAX_DEFINITION_BYTES);
  return [...(isTooMuch ? [tooMuchAt([], after)] : []), ...(yield* rollupFindings(file, stored, planned))];
}

/** What an import would write. */
export interface Planned {
  written: { kind: Kind; key: string; shaped: Shaped; bytes: number; replaced: Stored | null }[];
}

/** A definition with its rule. */
interface Ruled {
  key: string;
  rule: ConditionShape;
}

const ruleOf = (kind: Kind, shaped: Shaped): ConditionShape | null => {
  const { rule } = moduleOf(kind);
  return rule === undefined ? null : ((valueAt(shaped, rule) as ConditionShape | null) ?? null);
};

/**
 * Events and metrics that would feed more rollups than the limit, and more than before; reported at the first rule of the file that names
 * one.
 */
function* rollupFindings(file: File, { lists }: StoredDefinitions, { written }: Planned): Steps<Finding[]> {
  const ruled = ({ kind, key, shaped }: { kind: Kind; key: string; shaped: Shaped }): Ruled[] => {
    const rule = ruleOf(kind, shaped);
    return rule === null ? [] : [{ key: `${kind} ${key}`, rule }];
  };
  const news = written.flatMap(ruled);
  if (news.length === 0) return [];
  const olds = KINDS.flatMap((kind) => lists[kind].flatMap(({ shaped }: { shaped: Shaped }) => ruled({ kind, key: shaped.key, shaped })));
  const changed = new Set(news.map(({ key }) => key));
  const after = yield* rollupsBySource([...olds.filter(({ key }) => !changed.has(key)), ...news]);
  const over = [...after].filter(([, keys]) => keys.size > MAX_ROLLUPS_OF_EVENT);
  if (over.length === 0) return [];
  const before = yield* rollupsBySource(olds);
  return over.flatMap(([source, keys]) => {
    if (keys.size <= (before.get(source)?.size ?? 0)) return [];
    return finding(firstNaming(file, source), "rule.too_many_rollups", { source, most: MAX_ROLLUPS_OF_EVENT, rollups: keys.size });
  });
}

function* rollupsBySource(all: readonly Ruled[]): Steps<Map<string, Set<string>>> {
  const rollups = new Map<string, Set<string>>();
  yield* mapInSteps(all, ({ rule }) => {
    for (const condition of historyConditionsIn(rule)) {
      const source = sourceOf(condition);
      const keys = rollups.get(source) ?? new Set();
      keys.add(rollupKey(condition));
      rollups.set(source, keys);
    }
  });
  return rollups;
}

const sourceOf = (condition: { event: string } | { metric: string }): string =>
  "event" in condition ? `the event ${quoted(condition.event)}` : `the metric ${quoted(condition.metric)}`;

function firstNaming({ lists }: File, source: string): Path {
  for (const kind of KINDS) {
    const { rule: inside } = moduleOf(kind);
    if (inside === undefined) continue;
    for (const { at, shaped } of lists[kind] ?? []) {
      const rule = shaped === null ? null : ruleOf(kind, shaped);
      if (rule !== null && historyConditionsIn(rule).some((one) => sourceOf(one) === source)) return [kind, at, ...inside];
    }
  }
  return [];
}
