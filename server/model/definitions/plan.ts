import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { type Finding, finding } from "../rules/finding.ts";
import { boundFindings, type Planned } from "./bounds.ts";
import { bytesOf } from "./extent.ts";
import { findingsIn, type ImportContext } from "./check.ts";
import { KINDS, NO_DISCOVERY } from "./contract.ts";
import { type Difference, differencesIn, partsIn } from "./difference.ts";
import type { Entry, File } from "./file.ts";
import type { Image } from "../images/image.ts";
import { type DefinitionProblem, toProblem } from "./problems.ts";
import { type Prune, type Result, importResult, type DefinitionState } from "./result.ts";
import { SETTINGS, type Stored, type StoredDefinitions } from "./stored.ts";
import { inLanguage } from "../rules/text-shapes.ts";
import { type Kind, moduleOf, type Shaped } from "./kinds.ts";
import { scopeOf } from "./scope.ts";

/** One change that an import makes: added, changed (with the members), or switched off because the file leaves it out. */
export interface Change {
  sign: "+" | "~" | "-";
  kind: Kind | typeof SETTINGS.kind;
  key: string;
  /** The changed members, and in them each field with its value before and after. */
  fields?: string[];
  differences?: Difference[];
  /** The whole sentences that contain changed fields. */
  parts?: Difference[];
}

interface Content {
  active: boolean;
  body: unknown;
}

/** The writes of an import. Additions are in the order of the file, which becomes the order of creation. */
export interface Plan {
  changes: Change[];
  additions: (Content & { kind: string; key: string })[];
  updates: (Content & { id: number })[];
  /** The images in the file; existing ones stay. */
  images: readonly Image[];
}

/** The plan of importing a file over the stored definitions, or all of its problems. With a problem there is no plan. */
export function* planImport(
  file: File,
  stored: StoredDefinitions,
  { prune, ...given }: Omit<ImportContext, "baseCurrency"> & { prune: Prune },
): Steps<{ problems: DefinitionProblem[] } | Plan> {
  const context: ImportContext = { ...given, baseCurrency: stored.settings.baseCurrency };
  const result = importResult(file, stored, prune);
  const findings = [...file.findings, ...(yield* findingsIn(file, result, context))];
  if (findings.length > 0) return { problems: firstOf(yield* inOrder(findings)).map(toProblem) };
  const plan: Plan = { changes: [], additions: [], updates: [], images: file.images };
  const planned: Planned = { written: [] };
  planSettings(file, stored, plan);
  for (const kind of KINDS) {
    for (const entry of file.lists[kind] ?? []) {
      planEntry(entry, result, context.language, plan, planned);
      yield;
    }
    for (const state of result[kind].values() as Iterable<DefinitionState>) planPruning(state, plan);
  }
  const passed = yield* boundFindings(file, stored, planned);
  return passed.length > 0 ? { problems: firstOf(passed).map(toProblem) } : plan;
}

/** The most problems that are listed; further ones are counted. */
const MAX_LISTED = 1_000;

const firstOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.length <= MAX_LISTED
    ? findings
    : [...findings.slice(0, MAX_LISTED), finding([], "document.more_problems", { more: findings.length - MAX_LISTED })];

function planSettings({ settings }: File, stored: StoredDefinitions, plan: Plan): void {
  const { id, ...kept } = stored.settings;
  const before = { ...kept, discovery: kept.discovery ?? NO_DISCOVERY };
  const after = { ...before, ...settings };
  const fields = changedMembers(before, after);
  if (fields.length === 0) return;
  const content: Content = { active: true, body: after };
  const differences = differencesIn(fields, before, after);
  plan.changes.push({ ...SETTINGS, ...(id === null ? { sign: "+" } : { sign: "~", fields }), differences });
  if (id === null) plan.additions.push({ ...SETTINGS, ...content });
  else plan.updates.push({ id, ...content });
}

function planEntry(entry: Entry, result: Result, language: string, plan: Plan, { written }: Planned): void {
  const { kind, shaped } = entry;
  if (shaped === null) throw new Error(`The entry ${kind}/${entry.at} was not checked.`);
  const sound = canonical<Kind>(kind, shaped, result, language);
  const { key } = sound;
  const stored = result[kind].get(key)?.stored ?? null;
  const content = contentOf(sound);
  const write = () => written.push({ kind, key, shaped: sound, bytes: bytesOf(content.body), replaced: stored });
  if (stored === null) {
    plan.changes.push({ sign: "+", kind, key });
    plan.additions.push({ kind, key, ...content });
    write();
    return;
  }
  if (planUpdate(stored, sound, plan, content)) write();
}

/** Plans the change of a stored definition; false if it is unchanged. Both are in canonical form. */
export function planUpdate({ id, kind, shaped: before }: Stored, after: Shaped, plan: Plan, content = contentOf(after)): boolean {
  const fields = changedMembers(before, after);
  if (fields.length === 0) return false;
  const differences = differencesIn(fields, before, after);
  plan.changes.push({ sign: "~", kind, key: after.key, fields, differences, parts: partsIn(differences, before, after) });
  plan.updates.push({ id, ...content });
  return true;
}

/** A stored active definition that becomes inactive without being in the file was left out of it. */
function planPruning({ kind, key, entry, stored, isActive }: DefinitionState, plan: Plan): void {
  if (entry !== null || stored === null || isActive || !stored.shaped.active) return;
  plan.changes.push({ sign: "-", kind, key });
  plan.updates.push({ id: stored.id, ...contentOf({ ...stored.shaped, active: false }) });
}

export function contentOf({ key: _, active, ...body }: Shaped): Content {
  return { active, body };
}

/** Both are in canonical form, so that equal members have equal JSON. */
const changedMembers = (before: object, after: object): string[] =>
  Object.entries(after).flatMap(([name, value]) =>
    writeJson(value) === writeJson((before as Record<string, unknown>)[name]) ? [] : [name],
  );

/** Sorted by position in the file, stable within a definition, without duplicates. */
function* inOrder(findings: readonly Finding[]): Steps<Finding[]> {
  const once = new Map(
    yield* mapInSteps(findings, (finding) => [JSON.stringify([finding.path, finding.code, finding.params]), finding] as const),
  );
  return [...once.values()].sort((a, b) => listIndex(a) - listIndex(b) || entryIndex(a) - entryIndex(b));
}

const listIndex = ({ path: [list] }: Finding): number => KINDS.indexOf(list as Kind);
const entryIndex = ({ path: [, at] }: Finding): number => (typeof at === "number" ? at : -1);

/**
 * The one form in which a definition is kept, compared and exported: short texts name their language, and values have the canonical form of
 * their type.
 */
export const canonical = <K extends Kind>(kind: K, shaped: Shaped<K>, result: Result, language: string): Shaped<K> =>
  inLanguage((moduleOf(kind).canonical?.(shaped, scopeOf(result)) ?? shaped) as Shaped<K>, language);
