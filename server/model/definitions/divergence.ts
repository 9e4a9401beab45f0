import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { hasKey, type Kind, KINDS, NO_DISCOVERY } from "./contract.ts";
import { moduleOf } from "./kinds.ts";
import { differencesIn, type Difference, partsIn } from "./difference.ts";
import { documentOfOne, type Overview, storedAt, titleOf } from "./overview.ts";
import type { Change } from "./plan.ts";
import { nameOf } from "./references.ts";
import { SETTINGS, type Stored, type StoredDefinitions } from "./stored.ts";

/** A definition, or the settings of the environment, by kind and key. */
export interface Subject {
  kind: Change["kind"];
  key: string;
}

/** How a definition of one environment differs from the other's: new, changed, or only in the other. */
export interface Divergence extends Subject {
  sign: Change["sign"];
  name: string;
  /** `before` is the environment that would be changed. */
  differences: Difference[];
  /** The whole sentences that contain changed fields. */
  parts: Difference[];
}

/** A divergence with its dependencies: every differing definition that it names, directly or indirectly. */
export type WithNeeds = Divergence & { needs: Subject[] };

const SETTINGS_SUBJECT: Subject = { kind: SETTINGS.kind, key: SETTINGS.key };

/** All differences of `to` from `from`; in the order of kinds and of creation. */
export function* divergencesOf(from: Overview, to: Overview, language: string): Steps<Divergence[]> {
  const all = settingsDivergence(from.stored, to.stored);
  for (const kind of KINDS) for (const one of yield* ofKind(kind, from, to, language)) all.push(one);
  return all;
}

/** The differences of one definition, or of the settings; null if there are none. */
export function divergenceOf(from: Overview, to: Overview, { kind, key }: Subject, language: string): Divergence | null {
  if (kind === SETTINGS.kind) return settingsDivergence(from.stored, to.stored)[0] ?? null;
  const [ours, theirs] = [storedAt(from, kind, key), storedAt(to, kind, key)];
  return (ours && ourDivergence(ours, to, language)) ?? (theirs && theirDivergence(theirs, from, language)) ?? null;
}

/**
 * The most dependencies that a list shows: thousands of definitions that name each other have millions. A promotion includes all of them.
 */
const MAX_NEEDS = 20_000;

/** The divergences with their dependencies, as many as a list shows; `areNeedsCut` if there may be more. */
export function* withTheirNeeds(all: readonly Divergence[], from: Overview): Steps<{ divergences: WithNeeds[]; areNeedsCut: boolean }> {
  const known = new Map(all.filter(({ sign }) => sign !== "-").map((one) => [nameOfSubject(one), one]));
  const divergences: WithNeeds[] = [];
  let left = MAX_NEEDS;
  for (const one of all) {
    const needs = one.sign === "-" ? [] : needsOf([one], from, known, left);
    left -= needs.length;
    divergences.push({ ...one, needs });
    yield;
  }
  return { divergences, areNeedsCut: left <= 0 };
}

/** Definitions that are equal in both environments, by the names of `from`; in the same order. */
export function sameIn(from: Overview, to: Overview, divergences: readonly Divergence[], language: string) {
  const differing = new Set(divergences.map(nameOfSubject));
  return KINDS.flatMap((kind) =>
    (from.stored.lists[kind] as readonly Stored[]).flatMap(({ shaped }) => {
      const one = { kind, key: shaped.key };
      const isThere = storedAt(to, kind, shaped.key) !== undefined && (hasKey(kind) || shaped.active);
      return isThere && !differing.has(nameOfSubject(one)) ? [{ ...one, name: titleOf(shaped, language) }] : [];
    }),
  );
}

const nameOfSubject = ({ kind, key }: Subject): string => nameOf({ kind: kind as Kind, key });

function* ofKind(kind: Kind, from: Overview, to: Overview, language: string): Steps<Divergence[]> {
  const ours = yield* mapInSteps(from.stored.lists[kind] as readonly Stored[], (one) => ourDivergence(one, to, language));
  const theirs = yield* mapInSteps(to.stored.lists[kind] as readonly Stored[], (one) => theirDivergence(one, from, language));
  return [...ours, ...theirs].filter((one) => one !== null);
}

/** How a definition that `from` has differs in `to`. */
function ourDivergence(one: Stored, to: Overview, language: string): Divergence | null {
  const { kind } = one;
  const { key } = one.shaped;
  const twin = storedAt(to, kind, key);
  const found = { kind, key, name: titleOf(one.shaped, language), parts: [] };
  // A removed definition without a key of its own is in no file.
  if (twin === undefined) return hasKey(kind) || one.shaped.active ? { ...found, sign: "+", differences: membersOf(one) } : null;
  const members = Object.keys(one.shaped).filter((member) => !isSame(member, one, twin));
  if (members.length === 0 || (!hasKey(kind) && !one.shaped.active)) return null;
  const differences = differencesIn(members, twin.shaped, one.shaped);
  return { ...found, sign: "~", differences, parts: partsIn(differences, twin.shaped, one.shaped) };
}

/** A definition that only `to` has would be switched off. */
function theirDivergence(one: Stored, from: Overview, language: string): Divergence | null {
  const { kind } = one;
  const { key, active } = one.shaped;
  const twin = storedAt(from, kind, key);
  const isGone = twin === undefined || (!hasKey(kind) && !twin.shaped.active);
  if (!active || !isGone) return null;
  const differences: Difference[] = [{ path: ["active"], before: true, after: false }];
  return { kind, key, name: titleOf(one.shaped, language), parts: [], sign: "-", differences };
}

const isSame = (member: string, one: Stored, twin: Stored): boolean =>
  writeJson((one.shaped as Record<string, unknown>)[member]) === writeJson((twin.shaped as Record<string, unknown>)[member]);

/** All non-empty members of a new definition. */
const membersOf = (one: Stored): Difference[] =>
  Object.entries(documentOfOne(one)).flatMap(([member, value]) =>
    member === "key" || value === null || ["[]", "{}"].includes(writeJson(value))
      ? []
      : [{ path: [member], before: undefined, after: value }],
  );

export const settingsOf = ({ settings: { discovery, baseCurrency } }: StoredDefinitions) => ({
  discovery: discovery ?? NO_DISCOVERY,
  baseCurrency,
});

/** A base currency is never removed: a file cannot express that. */
function settingsDivergence(from: StoredDefinitions, to: StoredDefinitions): Divergence[] {
  const [ours, theirs] = [settingsOf(from), settingsOf(to)];
  const members = (["discovery", "baseCurrency"] as const).filter(
    (member) => ours[member] !== null && writeJson(ours[member]) !== writeJson(theirs[member]),
  );
  if (members.length === 0) return [];
  return [{ ...SETTINGS_SUBJECT, name: "Settings", sign: "~", differences: differencesIn(members, theirs, ours), parts: [] }];
}

/** The dependencies among divergences, `most` at most. */
function needsOf(these: readonly Divergence[], from: Overview, known: ReadonlyMap<string, Divergence>, most = Infinity): Subject[] {
  const own = new Set(these.map(nameOfSubject));
  const found = new Map<string, Subject>();
  const open: Subject[] = [...these];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined && found.size < most; next = open.pop()) {
    for (const named of namesOf(next, from)) {
      const name = nameOfSubject(named);
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(named);
      if (known.has(name) && !own.has(name)) found.set(name, { kind: named.kind, key: named.key });
    }
  }
  return [...found.values()].slice(0, most);
}

/** The definitions that a subject names; one with amounts of money also needs the settings, for the base currency. */
function namesOf(subject: Subject, from: Overview): Subject[] {
  if (subject.kind === SETTINGS.kind) return [];
  const definition = storedAt(from, subject.kind, subject.key)?.shaped;
  const isMoney = definition !== undefined && moduleOf(subject.kind).needsBaseCurrency?.(definition) === true;
  return [...(from.namedBy.get(nameOfSubject(subject)) ?? []), ...(isMoney ? [SETTINGS_SUBJECT] : [])];
}

/** The selected divergences, with their dependencies. */
export function withNeeds(all: readonly Divergence[], chosen: readonly Subject[], from: Overview): Divergence[] {
  const names = new Set(chosen.map(nameOfSubject));
  const known = new Map(all.filter(({ sign }) => sign !== "-").map((one) => [nameOfSubject(one), one]));
  const taken = [...known].flatMap(([name, one]) => (names.has(name) ? [one] : []));
  for (const need of needsOf(taken, from, known)) names.add(nameOfSubject(need));
  return all.filter((one) => names.has(nameOfSubject(one)));
}

/**
 * The file that makes the selected parts of `to` equal to `from`. A definition with a key is switched off by its entry; one without a key
 * by leaving it out of its list, which therefore has all others.
 */
export function fileOfChosen(chosen: readonly Divergence[], from: Overview, to: Overview) {
  const document: Record<string, unknown> = { version: 1 };
  const prune = new Set<Kind>();
  for (const { kind, key, sign } of chosen) {
    if (kind === SETTINGS.kind) {
      Object.assign(document, Object.fromEntries(Object.entries(settingsOf(from.stored)).filter(([, value]) => value !== null)));
      continue;
    }
    const list = ((document[kind] as object[] | undefined) ??= []) as object[];
    if (sign !== "-") list.push(documentOfOne(storedAt(from, kind, key)!));
    else if (hasKey(kind)) list.push({ ...storedAt(to, kind, key)!.shaped, active: false });
    else prune.add(kind);
  }
  for (const kind of prune) addOthers(document[kind] as object[], kind, chosen, to);
  return { document, prune };
}

function addOthers(list: object[], kind: Kind, chosen: readonly Divergence[], to: Overview): void {
  const named = new Set(chosen.filter((one) => one.kind === kind).map(({ key }) => key));
  for (const one of to.stored.lists[kind] as readonly Stored[]) {
    if (one.shaped.active && !named.has(one.shaped.key)) list.push(documentOfOne(one));
  }
}
