import { type Kind, KINDS, moduleOf } from "./kinds.ts";
import { NOUNS, quoted } from "../rules/naming.ts";
import type { DefinitionProblem } from "./problems.ts";
import { valueAt } from "./value-at.ts";

const identityOf = (kind: string): string => (KINDS.includes(kind as Kind) ? moduleOf(kind as Kind).identity : "key");

/** A problem that names its definition, for readers who cannot resolve the pointer. */
export function nameSubject(problem: DefinitionProblem, document: unknown): DefinitionProblem {
  const [, kind, at] = problem.pointer.split("/");
  const key = kind === undefined || at === undefined ? undefined : valueAt(document, [kind, at, identityOf(kind)]);
  return typeof key === "string" ? { ...problem, message: `${NOUNS[kind as Kind]} ${quoted(key)}: ${problem.message}` } : problem;
}

/** The definition of a problem, by kind and key, and the field in it; nothing for a problem of the whole file. */
export function subjectOf(problem: DefinitionProblem, document: unknown): DefinitionProblem & { kind: Kind | null; key: string | null } {
  const [, kind, at, ...field] = problem.pointer.split("/");
  const key = kind === undefined || at === undefined ? undefined : valueAt(document, [kind, Number(at), identityOf(kind)]);
  if (typeof key !== "string") return { ...problem, kind: null, key: null };
  return { ...problem, kind: kind as Kind, key, pointer: field.map((name) => `/${name}`).join("") };
}
