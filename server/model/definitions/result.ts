import { given, type Readable } from "../rules/readable.ts";
import { type Kind, KINDS, type Shaped } from "./contract.ts";
import { type Entry, type File, keyOf } from "./file.ts";
import { Suggestions } from "./problems.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

/** A definition as it would be after an import. */
export interface DefinitionState<K extends Kind = Kind> {
  kind: K;
  key: string;
  /** Its entry in the file; null for one that is only stored. */
  entry: Entry<K> | null;
  /** The stored definition; null for a new one. */
  stored: Stored<K> | null;
  readable: Readable<Shaped<K>>;
  isActive: boolean;
}

/** All definitions after an import, by kind and key. */
export type Result = { [K in Kind]: ReadonlyMap<string, DefinitionState<K>> } & { suggestions: Suggestions };

/** All definitions of the result, in the order of kinds. */
export const statesIn = (result: Result): DefinitionState[] =>
  KINDS.flatMap((kind) => [...(result[kind].values() as Iterable<DefinitionState>)]);

/** The lists whose omitted definitions are switched off: all of them, or these. */
export type Prune = boolean | ReadonlySet<Kind>;

/** The definitions after an import. Among entries with the same key the first wins. */
export function importResult(file: File, stored: StoredDefinitions, prune: Prune): Result {
  const states = Object.fromEntries(
    KINDS.map((kind) => [kind, statesOf(kind, file, stored, typeof prune === "boolean" ? prune : prune.has(kind))]),
  );
  return { ...(states as unknown as Result), suggestions: new Suggestions() };
}

function statesOf<K extends Kind>(kind: K, file: File, stored: StoredDefinitions, prune: boolean): Map<string, DefinitionState> {
  const entries = file.lists[kind] as readonly Entry[] | null;
  const states = new Map<string, DefinitionState>();
  for (const one of stored.lists[kind] as readonly Stored[]) {
    const { key, active } = one.shaped;
    const isActive = active && !(prune && entries !== null);
    states.set(key, { kind, key, entry: null, stored: one, readable: one.shaped, isActive });
  }
  for (const entry of entries ?? []) {
    const key = keyOf(entry);
    const known = key === null ? undefined : states.get(key);
    if (key === null || known?.entry) continue;
    states.set(key, { kind, key, entry, stored: known?.stored ?? null, readable: entry.readable, isActive: isActiveEntry(entry) });
  }
  return states;
}

/** Active unless the file explicitly says otherwise. */
const isActiveEntry = ({ readable }: Entry): boolean => given(given(readable)?.active) ?? true;
