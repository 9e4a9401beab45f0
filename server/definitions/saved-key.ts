import { hasKey, IDENTITY } from "./contract.ts";
import { type Entry, keyOf } from "./file.ts";
import { type DefinitionProblem, quoted } from "./problems.ts";
import { NOUNS } from "./result.ts";
import type { Stored } from "./stored.ts";

/** What is wrong with calling a new definition like one that is there; null where that one was removed and has no key of its own. */
export function takenKey({ kind, shaped }: Stored): DefinitionProblem | null {
  if (!hasKey(kind) && !shaped.active) return null;
  const out = hasKey(kind) ? "choose another key" : "change that one";
  const off = shaped.active ? "" : ", which is switched off";
  return { pointer: `/${IDENTITY[kind]}`, message: `there is already a ${NOUNS[kind]} ${quoted(shaped.key)}${off}; ${out}` };
}

/** What is wrong with changing a definition that is not there. Nothing is said of a key that cannot be read: its shape does. */
export function missingKey(entry: Entry): DefinitionProblem[] {
  const key = keyOf(entry);
  if (key === null) return [];
  const message = `there is no ${NOUNS[entry.kind]} ${quoted(key)} here to change; it was deleted meanwhile, or its key was changed, which is not possible`;
  return [{ pointer: `/${IDENTITY[entry.kind]}`, message }];
}
