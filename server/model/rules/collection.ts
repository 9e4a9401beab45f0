import { type DefinitionKind, type Finding, finding, type Path } from "./finding.ts";
import { pointerTo } from "./naming.ts";
import { given, type Readable } from "./readable.ts";
import { lookAt, type Reference } from "./references.ts";
import { type CheckScope, checkReference } from "./scope.ts";

/** The problems of a collection's members: each must be defined, without duplicates. */
export function checkMembers(kind: DefinitionKind, members: Readable<string[]>, path: Path, scope: CheckScope): Finding[] {
  const references = (given(members) ?? []) as readonly Readable<string>[];
  return [
    ...references.flatMap((member, at) => checkReference(kind, member, [...path, at], scope)),
    ...repeated(references.map((member) => given(member))).map(({ key, at, first }) =>
      finding([...path, at], "definition.member_repeated", { kind, key, pointer: pointerTo([...path, first]) }),
    ),
  ];
}

/** A collection shows its active members. */
export const memberReferences = (kind: DefinitionKind, members: Readable<string[]>, path: Path): Reference[] =>
  ((given(members) ?? []) as readonly Readable<string>[]).flatMap((member, at) => lookAt(kind, member, [...path, at]));

/** Duplicate keys: the index of each, and that of the first one. */
export function repeated(keys: readonly (string | undefined)[]): { key: string; at: number; first: number }[] {
  const firsts = new Map<string, number>();
  return keys.flatMap((key, at) => {
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, at);
    return first === undefined ? [] : [{ key, at, first }];
  });
}
