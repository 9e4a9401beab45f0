import { type Mistake, mistake } from "../rules/finding.ts";
import type { Kind } from "./contract.ts";
import { type DefinitionProblem, problemAt } from "./problems.ts";
import type { Named } from "./references.ts";
import type { Stored } from "./stored.ts";
import { hasKey, moduleOf } from "./kinds.ts";
import { type Entry, keyOf } from "./file.ts";

/** Whether a definition may be deleted; the reason says why not, and what to do instead. */
export interface Removal {
  allowed: boolean;
  reason: string | null;
  /** The reason's code and parameters. */
  because: Because | null;
}

type Because = Pick<DefinitionProblem, "code" | "params">;

export const MAY_BE_DELETED: Removal = { allowed: true, reason: null, because: null };

const refused = (why: Mistake): Removal => {
  const { code, params, message } = problemAt("", why);
  return { allowed: false, reason: message, because: { code, params } };
};

const MAX_NAMES = 5;

/** The refusal to delete a definition that others name; null if none does. */
export function usedRemoval({ kind, shaped }: Stored, users: readonly Named[]): Removal | null {
  if (users.length === 0) return null;
  const more = Math.max(0, users.length - MAX_NAMES);
  return refused(mistake("definition.named", { kind, key: shaped.key, users: users.slice(0, MAX_NAMES), more }));
}

export const touchedRemoval = ({ kind, shaped }: Stored): Removal => refused(mistake("definition.touched", { kind, key: shaped.key }));

/** The refusal if there are too many rows to search in time. */
export const tooMuch = ({ kind, shaped }: Stored): Removal => refused(mistake("definition.too_much_data", { kind, key: shaped.key }));

export const missing = (kind: Kind, key: string) => ({ problems: [problemAt("", mistake("definition.deleted", { kind, key }))] });

/** The problem of a new definition with an existing key; null if the existing one is removed and has no key of its own. */
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
