import { writeJson } from "../kernel/json.ts";
import { fingerprintOf } from "../kernel/sha256.ts";
import type { Steps } from "../kernel/steps.ts";
import { hasKey, type Kind, KINDS, SHAPES } from "./contract.ts";
import { differencesIn, type Difference, partsIn } from "./difference.ts";
import { settingsOf } from "./divergence.ts";
import { documentOfOne } from "./overview.ts";
import type { Plan } from "./plan.ts";
import { SETTINGS, type Stored, type StoredDefinitions } from "./stored.ts";
import { changedMembers, documentOfVersion } from "./versions.ts";

/** A definition that a change request would write, before (when it was requested) and after; null for none. */
export interface RequestItem {
  kind: Kind | typeof SETTINGS.kind;
  key: string;
  before: object | null;
  after: object | null;
  /** The definition under this key, which no player has met, is deleted and created anew. */
  isAnew?: true;
}

/** "missions/coffee_lover": how requests are found by the definitions that they would change. */
export const subjectOfItem = ({ kind, key }: Pick<RequestItem, "kind" | "key">): string => `${kind}/${key}`;

/** The items of a plan, in its order. `replaced` are the definitions that it replaces. */
export function* itemsOfPlan(
  { additions, updates }: Plan,
  stored: StoredDefinitions,
  replaced: readonly Stored[] = [],
): Steps<RequestItem[]> {
  const items: RequestItem[] = [];
  const byId = new Map<number, Stored>();
  if (updates.length > 0) for (const kind of KINDS) for (const one of stored.lists[kind]) byId.set(one.id, one);
  for (const { kind, key, active, body } of additions) {
    const which = { kind: kind as Kind, key };
    if (kind === SETTINGS.kind) items.push({ ...SETTINGS, before: settingsOf(stored), after: body as object });
    else {
      const old = replaced.find((one) => one.kind === kind && one.shaped.key === key);
      const before = old === undefined ? null : presentOf(old);
      items.push({
        ...which,
        before,
        after: documentOfVersion(which, { active, body }),
        ...(old !== undefined && { isAnew: true as const }),
      });
    }
    yield;
  }
  for (const { id, active, body } of updates) {
    const one = byId.get(id);
    if (one === undefined) items.push({ ...SETTINGS, before: settingsOf(stored), after: body as object });
    else {
      const which = { kind: one.kind, key: one.shaped.key };
      items.push({ ...which, before: presentOf(one), after: documentOfVersion(which, { active, body }) });
    }
    yield;
  }
  return items;
}

/** A stored definition in the form of the file; null for one without a key that is switched off. */
const presentOf = (stored: Stored): object | null => (!hasKey(stored.kind) && !stored.shaped.active ? null : documentOfOne(stored));

/** The current definition of an item; null if there is none. */
export function presentIn(stored: StoredDefinitions, { kind, key }: Pick<RequestItem, "kind" | "key">): object | null {
  if (kind === SETTINGS.kind) return settingsOf(stored);
  const found = storedOf(stored, { kind, key });
  return found === null ? null : presentOf(found);
}

export const storedOf = ({ lists }: StoredDefinitions, { kind, key }: Pick<RequestItem, "kind" | "key">): Stored | null =>
  kind === SETTINGS.kind ? null : ((lists[kind] as readonly Stored[]).find(({ shaped }) => shaped.key === key) ?? null);

/** Whether two contents are equal once both have the defaults of this version of the service. */
export const isSameContent = (kind: RequestItem["kind"], one: object | null, other: object | null): boolean =>
  writeJson(reshaped(kind, one)) === writeJson(reshaped(kind, other));

function reshaped(kind: RequestItem["kind"], document: object | null): unknown {
  if (document === null || kind === SETTINGS.kind) return document;
  const read = SHAPES[kind].safeParse(document);
  return read.success ? read.data : document;
}

const EMPTY: ReadonlySet<string> = new Set(["null", "[]", "{}"]);

/** The difference between two contents, as a promotion shows it. Of a new or deleted definition, its members. */
export function differenceOf(before: object | null, after: object | null): { differences: Difference[]; parts: Difference[] } {
  const [was, is] = [before ?? {}, after ?? {}];
  const members = changedMembers(was, is).filter(
    (member) => before !== null || (member !== "key" && !EMPTY.has(writeJson((is as Record<string, unknown>)[member]))),
  );
  const differences = differencesIn(members, was, is);
  return { differences, parts: before === null || after === null ? [] : partsIn(differences, was, is) };
}

/**
 * The file that writes the items. Deleted definitions are not in it: one without a key is removed because its list, which has all others,
 * is pruned.
 */
export function fileOfItems(items: readonly RequestItem[], stored: StoredDefinitions) {
  const document: Record<string, unknown> = { version: 1 };
  const prune = new Set<Kind>();
  for (const { kind, after } of items) {
    if (kind === SETTINGS.kind) {
      Object.assign(document, Object.fromEntries(Object.entries(after ?? {}).filter(([, value]) => value !== null)));
    } else if (after !== null) ((document[kind] ??= []) as object[]).push(after);
    else if (!hasKey(kind)) prune.add(kind);
  }
  for (const kind of prune) {
    const named = new Set(items.filter((one) => one.kind === kind).map(({ key }) => key));
    const others = (stored.lists[kind] as readonly Stored[]).filter(({ shaped }) => shaped.active && !named.has(shaped.key));
    document[kind] = [...((document[kind] as object[] | undefined) ?? []), ...others.map(documentOfOne)];
  }
  return { document, prune };
}

/** A definition of a draft, in the form of the file. */
export interface DraftItem {
  kind: Kind;
  key: string;
  after: object;
}

/** The definitions among `others` that a draft names, and those that these name, in the order of their subjects. */
export function namedBy(draft: DraftItem, others: readonly DraftItem[]): DraftItem[] {
  const named: DraftItem[] = [];
  for (let texts = [writeJson(draft.after)]; texts.length > 0;) {
    const next = others.filter(
      (one) => one !== draft && !named.includes(one) && texts.some((text) => text.includes(JSON.stringify(one.key))),
    );
    named.push(...next);
    texts = next.map(({ after }) => writeJson(after));
  }
  return named.sort((a, b) => (subjectOfItem(a) < subjectOfItem(b) ? -1 : 1));
}

/** A fingerprint of a draft and of the new definitions (`along`) that it needs; the same for any spelling of their JSON. */
export const draftFingerprint = (draft: DraftItem, along: readonly DraftItem[]): string =>
  fingerprintOf(writeJson([draft, ...namedBy(draft, along)].map(({ kind, key, after }) => [kind, key, reshaped(kind, after)])));

/** The items, with `item` added, or replacing the item of the same definition. */
export const withItem = (items: readonly RequestItem[], item: RequestItem): RequestItem[] =>
  items.some((one) => subjectOfItem(one) === subjectOfItem(item))
    ? items.map((one) => (subjectOfItem(one) === subjectOfItem(item) ? { ...one, after: item.after } : one))
    : [...items, item];
