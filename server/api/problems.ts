import type { z } from "zod";
import { isUnavailable } from "../../db/errors.ts";
import { describeError } from "../model/kernel/errors.ts";
import { jsonPointer } from "../model/kernel/json.ts";
import { Problem, problem, type ProblemEntry, withMore } from "../model/kernel/problem.ts";
import { codesOfField } from "../model/contract/v1.ts";

/** The problem to answer with, for any error. `isUnforeseen`: an error of ours that needs investigation. */
export function problemOf(error: unknown): { problem: Problem; isUnforeseen: boolean } {
  if (error instanceof Problem) return { problem: error, isUnforeseen: false };
  if (isUnavailable(error)) {
    return {
      problem: problem("service.unavailable", "The database cannot be reached right now. Send the request again."),
      isUnforeseen: false,
    };
  }
  return {
    problem: problem("internal_error", "Something went wrong on our side. If it keeps happening, tell us the traceId."),
    isUnforeseen: true,
  };
}

/** The body of an error. */
export function problemBody({ code, message, entries, more }: Problem, where: { baseUrl: string; path: string; traceId: string }) {
  const { status, title } = describeError(code);
  return {
    type: `${where.baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail: message,
    instance: where.path,
    code,
    traceId: where.traceId,
    errors: withMore(entries, more),
  };
}

/** Where each member of an endpoint's flat input comes from. */
export interface InputPaths {
  schema: unknown;
  isParameter(name: string): boolean;
}

/** An invalid input as one problem that lists everything, in the order of the contract's fields. */
export const refusedInput = (issues: readonly z.core.$ZodIssue[], input: unknown, paths: InputPaths): Problem =>
  new Problem(entriesOf(issues, input, paths) as [ProblemEntry, ...ProblemEntry[]]);

/** The problems of a body under a schema, for procedures that report further problems with them. */
export const bodyProblems = (schema: z.ZodObject, body: unknown): ProblemEntry[] =>
  entriesOf(schema.safeParse(body).error?.issues ?? [], body, { schema, isParameter: () => false });

const entriesOf = (issues: readonly z.core.$ZodIssue[], input: unknown, { schema, isParameter }: InputPaths): ProblemEntry[] =>
  issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
    const [first] = path;
    const value = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], input);
    const kind = kindOf(issue, value);
    const isOfField = path.length === 1 || (path.length === 2 && typeof path[1] === "number");
    const codes = isOfField ? codesOfField(schema, String(first)) : null;
    const code = codes?.[kind] ?? codes?.invalid ?? "request.invalid";
    const where = typeof first === "string" && isParameter(first) ? { parameter: first } : { pointer: jsonPointer(path) };
    return { code, message: messageOf(issue, path.join(".") || "The body", kind), ...where };
  });

type Kind = "missing" | "tooLong" | "invalid";

function kindOf(issue: z.core.$ZodIssue, value: unknown): Kind {
  if (issue.path.length > 0 && (value === undefined || value === null)) return "missing";
  if (issue.code === "too_small" && issue.origin === "string") return "missing";
  return issue.code === "too_big" && issue.origin === "string" ? "tooLong" : "invalid";
}

const KINDS: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function messageOf(issue: z.core.$ZodIssue, name: string, kind: Kind): string {
  if (kind === "missing") return `${name} is missing.`;
  if (issue.code === "too_big" && issue.origin === "string") return `${name} is longer than ${issue.maximum} characters.`;
  if (issue.code === "invalid_type") return `${name} must be ${KINDS[issue.expected] ?? issue.expected}.`;
  if (issue.code === "too_small") return `${name} must be at least ${issue.minimum}.`;
  if (issue.code === "too_big") return `${name} must be at most ${issue.maximum}.`;
  return `${name} ${issue.message}`;
}
