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

/** How a definition of one environment differs from the other's: it is new there, changed, or only there. */
export interface Divergence extends Subject {
  sign: Change["sign"];
  name: string;
  /** Before is the environment that would be changed. */
  differences: Difference[];
  /** The sentences in which some of these fields stand, whole. */
  parts: Difference[];
  /** What of the difference it cannot do without: everything that it names, directly or through others, and that differs. */
  needs: Subject[];
}

const SETTINGS_SUBJECT: Subject = { kind: SETTINGS.kind, key: SETTINGS.key };

/** Everything by which `to` differs from `from`; in the order of kinds and of creation. */
export function* divergencesOf(from: Overview, to: Overview, language: string): Steps<Divergence[]> {
  const all = settingsDivergence(from.stored, to.stored);
  for (const kind of KINDS) all.push(...(yield* ofKind(kind, from, to, language)));
  const known = new Map(all.filter(({ sign }) => sign !== "-").map((one) => [nameOfSubject(one), one]));
  for (const one of all) {
    if (one.sign !== "-") one.needs = needsOf(one, from, known);
    yield;
  }
  return all;
}

/** What both environments define alike, by the names of `from`; in the same order. */
export function sameIn(
  from: Overview,
  to: Overview,
  divergences: readonly Divergence[],
  language: string,
): (Subject & { kind: Kind; name: string })[] {
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
  const ours = yield* mapInSteps(from.stored.lists[kind] as readonly Stored[], (one): Divergence[] => {
    const { key } = one.shaped;
    const twin = storedAt(to, kind, key);
    const found = { kind, key, name: titleOf(one.shaped, language), parts: [], needs: [] };
    // What has no key of its own and was removed is in no file.
    if (twin === undefined) return hasKey(kind) || one.shaped.active ? [{ ...found, sign: "+", differences: membersOf(one) }] : [];
    const members = Object.keys(one.shaped).filter((member) => !isSame(member, one, twin));
    if (members.length === 0 || (!hasKey(kind) && !one.shaped.active)) return [];
    const differences = differencesIn(members, twin.shaped, one.shaped);
    return [{ ...found, sign: "~", differences, parts: partsIn(differences, twin.shaped, one.shaped) }];
  });
  const theirs = (to.stored.lists[kind] as readonly Stored[]).flatMap((one): Divergence[] => {
    const { key, active } = one.shaped;
    const twin = storedAt(from, kind, key);
    const isGone = twin === undefined || (!hasKey(kind) && !twin.shaped.active);
    if (!active || !isGone) return [];
    const differences: Difference[] = [{ path: ["active"], before: true, after: false }];
    return [{ kind, key, name: titleOf(one.shaped, language), parts: [], needs: [], sign: "-", differences }];
  });
  return [...ours.flat(), ...theirs];
}

const isSame = (member: string, one: Stored, twin: Stored): boolean =>
  writeJson((one.shaped as Record<string, unknown>)[member]) === writeJson((twin.shaped as Record<string, unknown>)[member]);

/** Of what is new, every member that says something. */
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

/** A base currency is never taken away: a file cannot say so. */
function settingsDivergence(from: StoredDefinitions, to: StoredDefinitions): Divergence[] {
  const [ours, theirs] = [settingsOf(from), settingsOf(to)];
  const members = (["discovery", "baseCurrency"] as const).filter(
    (member) => ours[member] !== null && writeJson(ours[member]) !== writeJson(theirs[member]),
  );
  if (members.length === 0) return [];
  return [{ ...SETTINGS_SUBJECT, name: "Settings", sign: "~", differences: differencesIn(members, theirs, ours), parts: [], needs: [] }];
}

function needsOf(one: Divergence, from: Overview, known: ReadonlyMap<string, Divergence>): Subject[] {
  const found = new Map<string, Subject>();
  const open: Subject[] = [one];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const named of namesOf(next, from)) {
      const name = nameOfSubject(named);
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(named);
      if (known.has(name) && name !== nameOfSubject(one)) found.set(name, { kind: named.kind, key: named.key });
    }
  }
  return [...found.values()];
}

/** Amounts of money need the base currency besides. */
function namesOf(subject: Subject, from: Overview): Subject[] {
  if (subject.kind === SETTINGS.kind) return [];
  const definition = storedAt(from, subject.kind, subject.key)?.shaped;
  const isMoney = definition !== undefined && moduleOf(subject.kind).needsBaseCurrency?.(definition) === true;
  return [...(from.namedBy.get(nameOfSubject(subject)) ?? []), ...(isMoney ? [SETTINGS_SUBJECT] : [])];
}

/** The divergences that were chosen, with what they need. */
export function withNeeds(all: readonly Divergence[], chosen: readonly Subject[]): Divergence[] {
  const names = new Set(chosen.map(nameOfSubject));
  for (const one of all)
    if (names.has(nameOfSubject(one)) && one.sign !== "-") for (const need of one.needs) names.add(nameOfSubject(need));
  return all.filter((one) => names.has(nameOfSubject(one)));
}

/**
 * The file that makes `to` like `from` in what was chosen. What has a key is switched off by its entry, what has none by
 * leaving it out of its list, which therefore has all others.
 */
export function fileOfChosen(
  chosen: readonly Divergence[],
  from: Overview,
  to: Overview,
): { document: Record<string, unknown>; prune: Set<Kind> } {
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
