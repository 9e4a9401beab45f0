import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { type Finding, finding } from "../rules/finding.ts";
import type { ChangeScope } from "../rules/kind-module.ts";
import { pointerTo } from "../rules/naming.ts";
import { repeated } from "../rules/repeated.ts";
import { baseCurrencyFindings, baseCurrencyOf } from "./base-currency.ts";
import { checkedEntry } from "./checked-entry.ts";
import { differencesIn } from "./difference.ts";
import { type Entry, type File, keyOf } from "./file.ts";
import { fixedFindings } from "./fixed-findings.ts";
import type { ImportContext } from "./import-context.ts";
import { imageFindings } from "./image-references.ts";
import { hasKey, type Kind, KINDS, moduleOf } from "./kinds.ts";
import { usesIn } from "./references.ts";
import { type Result, statesIn } from "./result.ts";
import { scopeOf, soundSources } from "./scope.ts";
import { segmentFindings } from "./segment-circles.ts";
import { removedPropertyFindings, switchedOffFindings } from "./switched-off.ts";
import { languageFindings } from "./texts-in.ts";

/** All problems of a file besides its shapes, judged on the whole set after the import. In the order of the file. */
export function* findingsIn(file: File, result: Result, context: ImportContext): Steps<Finding[]> {
  const uses = (yield* usesIn(result)).filter(({ mustBeActive }) => mustBeActive);
  const scope = changeScope(file, result, context);
  const entries = KINDS.flatMap((kind): readonly Entry[] => file.lists[kind] ?? []);
  const checked = yield* mapInSteps(entries, (entry) => [
    ...languageFindings(entry, result),
    ...(moduleOf(entry.kind).check?.(checkedEntry(entry), scope) ?? []),
  ]);
  const segments = yield* segmentFindings(result);
  const fixed = yield* mapInSteps(statesIn(result), (state) => fixedFindings(state, scope));
  return KINDS.flatMap((kind) => repeatedKeys(file.lists[kind] ?? [])).concat(
    checked.flat(),
    segments,
    baseCurrencyFindings(file, result, context),
    context.images === undefined ? [] : imageFindings(file, context.images),
    fixed.flat(),
    removedPropertyFindings(result, uses),
    switchedOffFindings(result, uses),
  );
}

const changeScope = (file: File, result: Result, context: ImportContext): ChangeScope => ({
  ...scopeOf(result),
  sources: soundSources(result),
  baseCurrency: baseCurrencyOf(file, context),
  now: context.now,
  language: context.language,
  firstDifference: (member, before, after) => differencesIn([member], before, after)[0],
});

function repeatedKeys(entries: readonly Entry[]): Finding[] {
  return repeated(entries.map((entry) => keyOf(entry) ?? undefined)).map(({ key, at, first }) => {
    const kind = entries[at]?.kind as Kind;
    return finding([kind, at, moduleOf(kind).identity], "definition.repeated", {
      kind,
      key,
      pointer: pointerTo([kind, first]),
      hasKey: hasKey(kind),
    });
  });
}
