import { mistake } from "../rules/finding.ts";
import { hasKey, moduleOf } from "./kinds.ts";
import { type Entry, keyOf } from "./file.ts";
import { type DefinitionProblem, problemAt } from "./problems.ts";
import type { Stored } from "./stored.ts";

/** The problem of a new definition with an existing key; null if that one was removed and has no key of its own. */
export function takenKey({ kind, shaped }: Stored): DefinitionProblem | null {
  if (!hasKey(kind) && !shaped.active) return null;
  const taken = { kind, key: shaped.key, isOff: !shaped.active, hasKey: hasKey(kind) };
  return problemAt(`/${moduleOf(kind).identity}`, mistake("definition.taken", taken));
}

/** The problem of changing a missing definition. Unreadable keys are reported by the shape. */
export function missingKey(entry: Entry): DefinitionProblem[] {
  const key = keyOf(entry);
  if (key === null) return [];
  return [problemAt(`/${moduleOf(entry.kind).identity}`, mistake("definition.not_there", { kind: entry.kind, key }))];
}
