import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { type Finding, finding } from "../rules/finding.ts";
import type { ChangeScope, AnyDefinition, CheckedEntry } from "../rules/kind-module.ts";
import { pointerTo, shortened } from "../rules/naming.ts";
import { repeated } from "../rules/collection.ts";
import { differencesIn } from "./difference.ts";
import { type Entry, type File, keyOf } from "./file.ts";
import { imageFindings } from "./image-references.ts";
import { hasKey, type Kind, KINDS, moduleOf } from "./kinds.ts";
import { usesIn } from "./references.ts";
import { type Result, statesIn, type DefinitionState } from "./result.ts";
import { scopeOf, soundSources } from "./scope.ts";
import { segmentFindings } from "./segment-cycles.ts";
import { removedPropertyFindings, switchedOffFindings } from "./switched-off.ts";
import { languageFindings, repairedAs } from "./texts-in.ts";
import type { z } from "zod";
import type { Readable } from "../rules/readable.ts";
import { readShape } from "./zod-error-map.ts";
import { valueAt } from "./value-at.ts";
import { writeJson } from "../kernel/json.ts";
import { parseInstant } from "../kernel/time.ts";
import type { Stored } from "./stored.ts";

/** All problems of a file besides its shapes, judged on all definitions after the import; `planImport` sorts them by the file. */
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

const baseCurrencyOf = (file: File, { baseCurrency }: Pick<ImportContext, "baseCurrency">): string | null =>
  file.settings.baseCurrency ?? baseCurrency;

/**
 * The problems of changing the base currency: it is fixed once amounts were added in it, and another one needs other rates. Definitions
 * that need a base currency check that themselves (`model/metrics/definition.ts`, `model/points/definition.ts`).
 */
function baseCurrencyFindings(file: File, result: Result, { baseCurrency: before, hasMoney }: ImportContext): Finding[] {
  const base = baseCurrencyOf(file, { baseCurrency: before });
  if (before === null || base === before) return [];
  const left = [...result.exchangeRates.values()].filter(({ entry, isActive }) => entry === null && isActive);
  return [
    ...(hasMoney ? [finding(["baseCurrency"], "money.base_fixed", { currency: before })] : []),
    ...(left.length > 0 ? [finding(["baseCurrency"], "money.rates_left", { codes: left.map(({ key }) => key), currency: before })] : []),
  ];
}

/** What the checks of an import may depend on besides the definitions. `now` is on the environment's clock. */
export interface ImportContext {
  now: number;
  /** The project's default language. */
  language: string;
  /** The base currency as it is stored, and whether an amount of money was ever added in it. */
  baseCurrency: string | null;
  hasMoney: boolean;
  /** The uploaded images of the project that the file names; left out if their existence is not checked. */
  images?: ReadonlySet<string>;
}

const checkedEntry = ({ kind, at, raw, shaped, readable }: Entry): CheckedEntry<AnyDefinition> => ({
  path: [kind, at],
  definition: shaped,
  readable: readable as Readable<AnyDefinition>,
  member(name) {
    if (shaped !== null) return valueAt(shaped, [name]) as AnyDefinition[typeof name];
    const result = readShape(moduleOf(kind).shape.shape[name] as z.ZodType<AnyDefinition[typeof name]>, valueAt(raw, [name]));
    return "shaped" in result ? result.shaped : undefined;
  },
});

/** Findings for changes of fixed fields, with the remedy. Unreadable parts are skipped. */
function fixedFindings({ kind, entry, stored }: DefinitionState, scope: ChangeScope): Finding[] {
  if (entry === null || stored === null) return [];
  const module = moduleOf(kind);
  const checked = checkedEntry(entry);
  const before = { ...stored.shaped };
  for (const member of (module.fixedTexts ?? []) as (keyof AnyDefinition)[])
    Object.assign(before, { [member]: repairedAs(before[member], checked.member(member)) });
  return [
    ...module.fixed.flatMap((member) => fixedMember(kind, member, checked, stored)),
    ...(module.checkChange?.(checked, before, scope) ?? []),
    ...(module.window === undefined ? [] : startReached(kind, module.window, checked, stored, scope.now)),
  ];
}

function fixedMember(kind: Kind, member: string, entry: CheckedEntry<AnyDefinition>, stored: Stored): Finding[] {
  const after = entry.member(member as keyof AnyDefinition) as unknown;
  const before = writeJson(valueAt(stored.shaped, [member]));
  if (after === undefined || writeJson(after) === before) return [];
  return [finding([...entry.path, member], "definition.fixed", { kind, member, before: shortened(before) })];
}

/** The start of a window can be moved until it is reached. */
function startReached(kind: Kind, member: string, entry: CheckedEntry<AnyDefinition>, stored: Stored, now: number): Finding[] {
  const before = valueAt(stored.shaped, [member, "startsAt"]) as string | null;
  const window = entry.member(member as keyof AnyDefinition) as unknown;
  if (before === null || (parseInstant(before) ?? 0) > now || window === undefined) return [];
  if (valueAt(window, ["startsAt"]) === before) return [];
  return [finding([...entry.path, member, "startsAt"], "definition.start_reached", { kind, member, before })];
}
