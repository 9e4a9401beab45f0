import type { ConditionShape } from "./contract.ts";
import { leavesIn, partsIn } from "./leaves.ts";
import { type Finding, type Path, quoted } from "./problems.ts";
import { given, type Readable } from "./readable.ts";
import { NOUNS, type Result, type Standing } from "./result.ts";

/**
 * How many parts a rule may have when the segments that it names are written out. Whoever reads missions has all of them
 * judged, and a segment that names another one twice doubles it.
 */
const MOST_PARTS = 5_000;

/** Rules that are too large, written out. `segments` has each segment after those that it names. */
export function ruleSizeFindings(result: Result, segments: readonly Standing<"segments">[]): Finding[] {
  const sizes = new Map<string, number>();
  const sizeOf = (rule: Readable<ConditionShape>): number =>
    leavesIn<ConditionShape>(rule, []).reduce((sum, { leaf }) => {
      const key = "segment" in leaf ? given(leaf.segment) : undefined;
      return sum + (key === undefined ? 0 : (sizes.get(key) ?? 0));
    }, partsIn(rule));
  const findings: Finding[] = [];
  for (const segment of segments) {
    const size = sizeOf(given(segment.readable)?.rule);
    if (size > MOST_PARTS) findings.push(tooLarge(segment, ["rule"]));
    // What names one that is too large is not to blame for it.
    sizes.set(segment.key, size > MOST_PARTS ? 0 : size);
  }
  for (const one of [...result.missions.values(), ...result.leaderboards.values(), ...result.marketplaceItems.values()]) {
    if (sizeOf(given(given(one.readable)?.audience)?.rule) > MOST_PARTS) findings.push(tooLarge(one, ["audience", "rule"]));
  }
  return findings;
}

/** What is only stored grows by a segment of the file; then the finding is about the list. */
const tooLarge = ({ kind, key, entry }: Standing, rule: Path): Finding => ({
  path: entry === null ? [kind] : [kind, entry.at, ...rule],
  message: `with the segments that it names written out, the rule of the ${NOUNS[kind]} ${quoted(key)} would have more than ${MOST_PARTS} parts; make it simpler`,
});
