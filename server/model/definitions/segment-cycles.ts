import type { Steps } from "../kernel/steps.ts";
import type { ConditionShape } from "../rules/condition.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { given, type Readable } from "../rules/readable.ts";
import { type Extent, extentOf, leavesIn } from "../rules/tree.ts";
import { type DefinitionState, type Result, statesIn } from "./result.ts";
import { moduleOf } from "./kinds.ts";
import { valueAt } from "./value-at.ts";

/** How many names of a cycle are shown. */
const MAX_NAMES = 10;

/** Findings about references among segments: no cycles, and a bounded size. */
export function* segmentFindings(result: Result): Steps<Finding[]> {
  const { cycles, order } = yield* walk(result);
  return cycles.length > 0 ? cycles.map(cycleFinding) : yield* ruleSizeFindings(result, order);
}

/** A condition in the rule of a segment that names another one. */
interface Reference {
  user: DefinitionState<"segments">;
  segment: DefinitionState<"segments">;
  path: Path;
}

/** A segment on the path from the first one to the current one. */
interface Step {
  segment: DefinitionState<"segments">;
  /** The references still to follow, the next one last. */
  open: Reference[];
  /** The reference being followed. */
  taken?: Reference;
}

/**
 * Follows every reference once. A cycle is the list of its references, from the segment visited first; removing the last one breaks it.
 * `order` has every segment after those that it names.
 */
function* walk(result: Result): Steps<{ cycles: Reference[][]; order: DefinitionState<"segments">[] }> {
  const cycles: Reference[][] = [];
  const order: DefinitionState<"segments">[] = [];
  const seen = new Set<DefinitionState>();
  // An explicit stack: a chain of segments may exceed the call stack.
  const trail: Step[] = [];
  const depths = new Map<DefinitionState, number>();
  const enter = (segment: DefinitionState<"segments">): void => {
    seen.add(segment);
    depths.set(segment, trail.length);
    trail.push({ segment, open: referencesOf(segment, result).reverse() });
  };
  for (const start of result.segments.values()) {
    if (!seen.has(start)) enter(start);
    for (let here = trail.at(-1); here !== undefined; here = trail.at(-1)) {
      yield;
      const next = here.open.pop();
      if (next === undefined) {
        order.push(here.segment);
        depths.delete(here.segment);
        trail.pop();
        continue;
      }
      here.taken = next;
      const depth = depths.get(next.segment);
      if (depth !== undefined) cycles.push(trail.slice(depth).flatMap(({ taken }) => taken ?? []));
      else if (!seen.has(next.segment)) enter(next.segment);
    }
  }
  return { cycles, order };
}

/** The segments that a segment names, with duplicates. */
function referencesOf(user: DefinitionState<"segments">, result: Result): Reference[] {
  return leavesIn<ConditionShape>(given(user.readable)?.rule, ["rule"]).flatMap(({ leaf, path }) => {
    const key = "segment" in leaf ? given(leaf.segment) : undefined;
    const segment = key === undefined ? undefined : result.segments.get(key);
    return segment === undefined ? [] : [{ user, segment, path: [...path, "segment"] }];
  });
}

/** Reported at the cycle's last reference in the file: stored segments have no cycles. */
function cycleFinding(cycle: readonly Reference[]): Finding {
  const lastInFile = cycle.findLast(({ user }) => user.entry !== null);
  const keys = cycle.map(({ user }) => user.key);
  const path: Path = ["segments", lastInFile?.user.entry?.at ?? 0, ...(lastInFile?.path ?? [])];
  return finding(path, "segment.circle", { keys: keys.slice(0, MAX_NAMES), more: Math.max(0, keys.length - MAX_NAMES) });
}

/**
 * How many parts a rule may have with its segments inlined. A mission read evaluates all of them, and a segment that names another one
 * twice doubles its size.
 */
const MAX_PARTS = 5_000;

/** The depth of a rule with its segments inlined, each a level: evaluation is recursive, and the stack has room for about 3,000. */
const MAX_LEVELS = 2_100;

/** A segment that has its own finding counts as empty, so that its users get none. */
const NOTHING: Extent = { parts: 0, depth: 0 };

/** Rules that are too large with their segments inlined. `segments` has each segment after those that it names. */
function* ruleSizeFindings(result: Result, segments: readonly DefinitionState<"segments">[]): Steps<Finding[]> {
  const extents = new Map<string, Extent>();
  const writtenOut = (rule: Readable<ConditionShape>): Extent =>
    extentOf<ConditionShape>(rule, (leaf) => {
      const key = "segment" in leaf ? given(leaf.segment) : undefined;
      const { parts, depth } = key === undefined ? NOTHING : (extents.get(key) ?? NOTHING);
      return { parts: parts + 1, depth: depth + 1 };
    });
  const findings: Finding[] = [];
  const measure = (state: DefinitionState, rule: Readable<ConditionShape>, path: Path): void => {
    const extent = writtenOut(rule);
    const found = tooLarge(state, extent, path);
    findings.push(...found);
    if (state.kind === "segments") extents.set(state.key, found.length === 0 ? extent : NOTHING);
  };
  for (const segment of segments) {
    measure(segment, given(segment.readable)?.rule, ["rule"]);
    yield;
  }
  for (const state of statesIn(result)) {
    const { rule } = moduleOf(state.kind);
    if (rule !== undefined && state.kind !== "segments") measure(state, valueAt(state.readable, rule) as Readable<ConditionShape>, rule);
    yield;
  }
  return findings;
}

/** A stored rule may grow by a segment of the file; then the finding is about the list. */
function tooLarge({ kind, key, entry }: DefinitionState, { parts, depth }: Extent, inside: Path): Finding[] {
  if (parts <= MAX_PARTS && depth <= MAX_LEVELS) return [];
  const path = entry === null ? [kind] : [kind, entry.at, ...inside];
  const size = parts > MAX_PARTS ? ({ limit: "parts", most: MAX_PARTS } as const) : ({ limit: "levels", most: MAX_LEVELS } as const);
  return [finding(path, "rule.too_large", { kind, key, ...size })];
}
