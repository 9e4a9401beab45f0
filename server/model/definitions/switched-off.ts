import { type Finding, finding, type Users } from "../rules/finding.ts";
import { given, isLeftOut } from "../rules/readable.ts";
import type { SourceKind } from "../rules/scope.ts";
import { KINDS } from "./contract.ts";
import type { Result, DefinitionState } from "./result.ts";
import type { Use } from "./references.ts";

/**
 * The definitions that an active one uses must be active. Switching it off is refused where it happens, with the names of the users; naming
 * an inactive definition is refused at the reference.
 */
export function switchedOffFindings(result: Result, uses: readonly Use[]): Finding[] {
  const refused = uses.filter(({ user, kind, key }) => user.isActive && result[kind].get(key)?.isActive === false);
  const bySubject = Map.groupBy(refused, ({ kind, key }) => result[kind].get(key) as DefinitionState);
  return [...bySubject].flatMap(([subject, users]) =>
    subject.stored?.shaped.active ? [switchingOff(subject, users)] : atReferences(subject, users),
  );
}

function switchingOff({ kind, key, entry }: DefinitionState, uses: readonly Use[]): Finding {
  const path = entry === null ? [kind] : [kind, entry.at, "active"];
  return finding(path, "definition.still_used", { kind, key, users: usersOf(uses), isLeftOut: entry === null });
}

const atReferences = ({ kind, key }: DefinitionState, uses: readonly Use[]): Finding[] =>
  uses.flatMap(({ user, path }) =>
    user.entry === null ? [] : [finding([user.kind, user.entry.at, ...path], "definition.switched_off", { kind, key, user: user.kind })],
  );

/** A property in use cannot be removed: its readings would stop, or change their meaning. */
export function removedPropertyFindings(result: Result, uses: readonly Use[]): Finding[] {
  const usesBySource = Map.groupBy(
    uses.filter(({ kind }) => kind === "events" || kind === "metrics"),
    ({ kind, key }) => `${kind}/${key}`,
  );
  const sources: DefinitionState<SourceKind>[] = [...result.events.values(), ...result.metrics.values()];
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
      return [
        finding([event.kind, event.entry?.at ?? 0, "properties"], "property.still_read", {
          property,
          users: usersOf(users.map(({ use }) => use)),
        }),
      ];
    });
  });
}

/** The keys of the properties that an entry removes; empty if its list is not fully readable. */
function propertiesRemovedFrom({ readable, stored, entry }: DefinitionState<SourceKind>): string[] {
  const left = given(readable)?.properties;
  if (stored === null || entry === null || (!isLeftOut(left) && given(left) === undefined)) return [];
  const keys = (given(left) ?? []).map((one) => given(given(one)?.key));
  if (keys.includes(undefined)) return [];
  const kept = new Set(keys);
  return stored.shaped.properties.map(({ key }) => key).filter((key) => !kept.has(key));
}

/** How many users of a kind are listed. */
const MAX_NAMES = 10;

/** Users of something, by kind. */
function usersOf(uses: readonly Use[]): Users {
  const users = new Set(uses.map(({ user }) => user));
  const groups = KINDS.flatMap((kind) => {
    const keys = [...users].filter((user) => user.kind === kind).map(({ key }) => key);
    return keys.length === 0 ? [] : [{ kind, keys: keys.slice(0, MAX_NAMES), more: Math.max(0, keys.length - MAX_NAMES) }];
  });
  return { groups, isOne: users.size === 1 };
}
