import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { Reference } from "../rules/references.ts";
import { type Kind, moduleOf } from "./kinds.ts";
import { type DefinitionState, type Result, statesIn } from "./result.ts";

/** A definition by its kind and key. */
export interface Named {
  kind: Kind;
  key: string;
}

/** A reference from one definition to another, at one field. */
export interface Use extends Reference {
  user: DefinitionState;
}

/** A pair of definitions of which one names the other, at any number of fields. */
export interface UsedBy extends Named {
  user: DefinitionState;
}

export const nameOf = ({ kind, key }: Named): string => `${kind}/${key}`;

export function* usesIn(result: Result): Steps<Use[]> {
  const uses = yield* mapInSteps(statesIn(result), usesOf);
  return uses.flat();
}

const usesOf = (user: DefinitionState): Use[] => (moduleOf(user.kind).references?.(user.readable) ?? []).map((one) => ({ ...one, user }));

/** The references without duplicate pairs; those that must be active come first. */
export function* referencesIn(result: Result): Steps<UsedBy[]> {
  const uses = yield* usesIn(result);
  const once = new Map<string, UsedBy>();
  for (const { user, kind, key } of [...uses.filter((one) => one.mustBeActive), ...uses.filter((one) => !one.mustBeActive)]) {
    once.set(`${nameOf(user)} ${nameOf({ kind, key })}`, { user, kind, key });
    yield;
  }
  return [...once.values()];
}
