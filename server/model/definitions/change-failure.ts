import type { DefinitionProblem } from "./problems.ts";

/** Why a stored change could not be applied: a definition was changed since, it no longer passes the checks, or the service failed. */
export interface ChangeFailure {
  /** The author of the other change, and when (RFC 3339, real time); null if unknown. */
  conflict: { by: string | null; at: string | null } | null;
  problems: Omit<DefinitionProblem, "params">[];
  error: string | null;
}

/** The most problems stored with a change. */
const MAX_PROBLEMS = 20;

export const failedByError = (error: string): ChangeFailure => ({ conflict: null, problems: [], error });

export const failedByConflict = (conflict: NonNullable<ChangeFailure["conflict"]>): ChangeFailure => ({
  conflict,
  problems: [],
  error: null,
});

export const failedByProblems = (problems: readonly DefinitionProblem[]): ChangeFailure => ({
  conflict: null,
  problems: problems.slice(0, MAX_PROBLEMS).map(({ pointer, message, code }) => ({ pointer, message, code })),
  error: null,
});

/** The reason in a sentence. */
export function refusalReason({ conflict, problems, error }: ChangeFailure, was: "scheduled" | "requested" = "scheduled"): string {
  if (conflict !== null) return `${conflict.by ?? "Another user"} changed the definition after this was ${was}.`;
  return problems.length > 0 ? problems.map(({ message }) => message).join("; ") : (error ?? "It could not be saved.");
}
