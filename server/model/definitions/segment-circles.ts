import type { Steps } from "../kernel/steps.ts";
import type { ConditionShape } from "../rules/condition.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { given } from "../rules/readable.ts";
import { leavesIn } from "../rules/tree.ts";
import type { Result, DefinitionState } from "./result.ts";
import { ruleSizeFindings } from "./rule-sizes.ts";

/** How many names of a cycle are shown. */
const MAX_NAMES = 10;

/** Findings about references among segments: no cycles, and a bounded size. */
export function* segmentFindings(result: Result): Steps<Finding[]> {
  const { circles, order } = yield* walk(result);
  return circles.length > 0 ? circles.map(circleFinding) : yield* ruleSizeFindings(result, order);
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
function* walk(result: Result): Steps<{ circles: Reference[][]; order: DefinitionState<"segments">[] }> {
  const circles: Reference[][] = [];
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
      if (depth !== undefined) circles.push(trail.slice(depth).flatMap(({ taken }) => taken ?? []));
      else if (!seen.has(next.segment)) enter(next.segment);
    }
  }
  return { circles, order };
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
function circleFinding(circle: readonly Reference[]): Finding {
  const told = circle.findLast(({ user }) => user.entry !== null);
  const keys = circle.map(({ user }) => user.key);
  const path: Path = ["segments", told?.user.entry?.at ?? 0, ...(told?.path ?? [])];
  return finding(path, "segment.circle", { keys: keys.slice(0, MAX_NAMES), more: Math.max(0, keys.length - MAX_NAMES) });
}
