import { IDENTITY, type Kind } from "./contract.ts";
import { type DefinitionProblem, quoted } from "./problems.ts";
import { NOUNS } from "./result.ts";
import { valueAt } from "./wording.ts";

/** A problem that says which definition of the document it is about, for whoever cannot look it up by the pointer. */
export function naming({ pointer, message }: DefinitionProblem, document: unknown): DefinitionProblem {
  const [, kind, at] = pointer.split("/");
  const key = kind === undefined || at === undefined ? undefined : valueAt(document, [kind, at, IDENTITY[kind as Kind] ?? "key"]);
  return typeof key === "string" ? { pointer, message: `${NOUNS[kind as Kind]} ${quoted(key)}: ${message}` } : { pointer, message };
}

/** The definition that a problem is about, by kind and key, and the place in it; nothing where it is about the file. */
export function subjectOf(
  { pointer, message }: DefinitionProblem,
  document: unknown,
): DefinitionProblem & { kind: Kind | null; key: string | null } {
  const [, kind, at, ...place] = pointer.split("/");
  const key = kind === undefined || at === undefined ? undefined : valueAt(document, [kind, Number(at), IDENTITY[kind as Kind] ?? "key"]);
  if (typeof key !== "string") return { kind: null, key: null, pointer, message };
  return { kind: kind as Kind, key, pointer: place.map((name) => `/${name}`).join(""), message };
}
