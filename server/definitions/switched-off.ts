import { given, isLeftOut } from "../rules/readable.ts";
import type { SourceKind } from "../rules/scope.ts";
import { type Kind, KINDS } from "./contract.ts";
import { type Finding, quoted } from "./problems.ts";
import { NOUNS, type Result, type Standing } from "./result.ts";
import type { Use } from "./uses.ts";

/**
 * What an active definition uses must be active (definitions.md, Rules). Switching it off is refused where it happens,
 * with the names of the users; naming what is off already is refused at the reference.
 */
export function switchedOffFindings(result: Result, uses: readonly Use[]): Finding[] {
  const refused = uses.filter(({ user, kind, key }) => user.isActive && result[kind].get(key)?.isActive === false);
  const bySubject = Map.groupBy(refused, ({ kind, key }) => result[kind].get(key) as Standing);
  return [...bySubject].flatMap(([subject, users]) =>
    subject.stored?.shaped.active ? [switchingOff(subject, users)] : atReferences(subject, users),
  );
}

function switchingOff({ kind, key, entry }: Standing, uses: readonly Use[]): Finding {
  const thing = `the ${NOUNS[kind]} ${quoted(key)}`;
  const { names, verb, them } = usersOf(uses);
  return entry === null
    ? {
        path: [kind],
        message: `leaving ${thing} out would switch it off while ${names} ${verb} it; put it into the list, or switch ${them} off`,
      }
    : { path: [kind, entry.at, "active"], message: `${thing} cannot be switched off while ${names} ${verb} it; switch ${them} off first` };
}

const atReferences = (subject: Standing, uses: readonly Use[]): Finding[] =>
  uses.flatMap(({ user, path }) => {
    if (user.entry === null) return [];
    const message = `the ${NOUNS[subject.kind]} ${quoted(subject.key)} is switched off; switch it on, or switch this ${NOUNS[user.kind]} off`;
    return [{ path: [user.kind, user.entry.at, ...path], message }];
  });

/** A property that is read stays: its readings would stop, or change their meaning. */
export function removedPropertyFindings(result: Result, uses: readonly Use[]): Finding[] {
  const usesBySource = Map.groupBy(
    uses.filter(({ kind }) => kind === "events" || kind === "metrics"),
    ({ kind, key }) => `${kind}/${key}`,
  );
  const sources: Standing<SourceKind>[] = [...result.events.values(), ...result.metrics.values()];
  return sources.flatMap((event) => {
    const removed = new Set(propertiesRemovedFrom(event));
    if (removed.size === 0) return [];
    const readers = (usesBySource.get(`${event.kind}/${event.key}`) ?? []).flatMap((use) =>
      use.properties.map((property) => ({ property, use })),
    );
    const byProperty = Map.groupBy(readers, ({ property }) => property);
    return [...removed].flatMap((property) => {
      const users = byProperty.get(property);
      if (users === undefined) return [];
      const { names, verb } = usersOf(users.map(({ use }) => use));
      const message = `the property ${quoted(property)} cannot be removed while ${names} ${verb} it`;
      return [{ path: [event.kind, event.entry?.at ?? 0, "properties"], message }];
    });
  });
}

/** None where the list of them cannot be read in full. */
function propertiesRemovedFrom({ readable, stored, entry }: Standing<SourceKind>): string[] {
  const left = given(readable)?.properties;
  if (stored === null || entry === null || (!isLeftOut(left) && given(left) === undefined)) return [];
  const keys = (given(left) ?? []).map((one) => given(given(one)?.key));
  if (keys.includes(undefined)) return [];
  const kept = new Set(keys);
  return stored.shaped.properties.map(({ key }) => key).filter((key) => !kept.has(key));
}

/** How many users of a kind are named. */
const MOST_NAMES = 10;

/** Who uses something, in words: `the segment "vip" and the missions "a", "b"`. */
function usersOf(uses: readonly Use[]): { names: string; verb: "use" | "uses"; them: "that" | "those" } {
  const users = new Set(uses.map(({ user }) => user));
  const names = KINDS.flatMap((kind) => {
    const keys = [...users].filter((user) => user.kind === kind).map(({ key }) => key);
    return keys.length === 0 ? [] : [namesOf(kind, keys)];
  });
  const isOne = users.size === 1;
  return { names: names.join(" and "), verb: isOne ? "uses" : "use", them: isOne ? "that" : "those" };
}

function namesOf(kind: Kind, keys: readonly string[]): string {
  const more = keys.length - MOST_NAMES;
  return `the ${NOUNS[kind]}${keys.length === 1 ? "" : "s"} ${keys.slice(0, MOST_NAMES).map(quoted).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
