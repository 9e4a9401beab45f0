import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { Reference } from "../rules/references.ts";
import { type Kind, moduleOf } from "./kinds.ts";
import { type DefinitionState, type Result, statesIn } from "./result.ts";

/** A definition by its kind and key. */
export interface Named {
  kind: Kind;
  key: string;
}

/** That one definition names another, at one field of it. */
export interface Use extends Reference {
  user: DefinitionState;
}

/** That one definition names another, wherever and however often it does. */
export interface UsedBy extends Named {
  user: DefinitionState;
}

export const nameOf = ({ kind, key }: Named): string => `${kind}/${key}`;

/** Every field where a definition of the result names another one. */
export function* usesIn(result: Result): Steps<Use[]> {
  const uses = yield* mapInSteps(statesIn(result), usesOf);
  return uses.flat();
}

const usesOf = (user: DefinitionState): Use[] => (moduleOf(user.kind).references?.(user.readable) ?? []).map((one) => ({ ...one, user }));

/** The same, each pair of definitions once; what must be active comes first. */
export function* referencesIn(result: Result): Steps<UsedBy[]> {
  const uses = yield* usesIn(result);
  const once = new Map<string, UsedBy>();
  for (const { user, kind, key } of [...uses.filter((one) => one.mustBeActive), ...uses.filter((one) => !one.mustBeActive)]) {
    once.set(`${nameOf(user)} ${nameOf({ kind, key })}`, { user, kind, key });
    yield;
  }
  return [...once.values()];
}
