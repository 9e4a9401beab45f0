import type { Steps } from "../kernel/steps.ts";
import type { ConditionShape } from "../rules/condition.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { given, type Readable } from "../rules/readable.ts";
import { type Extent, extentOf } from "../rules/tree.ts";
import { moduleOf } from "./kinds.ts";
import { type DefinitionState, type Result, statesIn } from "./result.ts";
import { valueAt } from "./value-at.ts";

/**
 * How many parts a rule may have with its segments inlined. A mission read evaluates all of them, and a segment that names another one
 * twice doubles its size.
 */
const MAX_PARTS = 5_000;

/** The depth with its segments inlined, a segment being a level: evaluation is recursive, and the stack has room for about 3,000. */
const DEEPEST = 2_100;

/** The size of a segment that has its own finding: its users are not to blame. */
const NOTHING: Extent = { parts: 0, depth: 0 };

/** Rules that are too large with their segments inlined. `segments` has each segment after those that it names. */
export function* ruleSizeFindings(result: Result, segments: readonly DefinitionState<"segments">[]): Steps<Finding[]> {
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
  if (parts <= MAX_PARTS && depth <= DEEPEST) return [];
  const path = entry === null ? [kind] : [kind, entry.at, ...inside];
  const size = parts > MAX_PARTS ? ({ limit: "parts", most: MAX_PARTS } as const) : ({ limit: "levels", most: DEEPEST } as const);
  return [finding(path, "rule.too_large", { kind, key, ...size })];
}
