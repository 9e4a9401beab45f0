import { type Mistake, mistake } from "../rules/finding.ts";
import type { Kind } from "./contract.ts";
import { type DefinitionProblem, problemAt } from "./problems.ts";
import type { Named } from "./references.ts";
import type { Stored } from "./stored.ts";

/** Whether a definition may be deleted; the reason says why not, and what to do instead. */
export interface Removal {
  allowed: boolean;
  reason: string | null;
  /** The same with its code. */
  because: Because | null;
}

type Because = Pick<DefinitionProblem, "code" | "params">;

export const MAY_BE_DELETED: Removal = { allowed: true, reason: null, because: null };

const refused = (why: Mistake): Removal => {
  const { code, params, message } = problemAt("", why);
  return { allowed: false, reason: message, because: { code, params } };
};

const MAX_NAMES = 5;

/** Null without users. */
export function usedRemoval({ kind, shaped }: Stored, users: readonly Named[]): Removal | null {
  if (users.length === 0) return null;
  const more = Math.max(0, users.length - MAX_NAMES);
  return refused(mistake("definition.named", { kind, key: shaped.key, users: users.slice(0, MAX_NAMES), more }));
}

export const touchedRemoval = ({ kind, shaped }: Stored): Removal => refused(mistake("definition.touched", { kind, key: shaped.key }));

/** There are too many rows to search in time. */
export const tooMuch = ({ kind, shaped }: Stored): Removal => refused(mistake("definition.too_much_data", { kind, key: shaped.key }));

export const missing = (kind: Kind, key: string) => ({ problems: [problemAt("", mistake("definition.deleted", { kind, key }))] });
