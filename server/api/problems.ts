import { z } from "zod";
import { isTimeout, isUnavailable } from "../../db/client.ts";
import { describeError } from "../model/kernel/errors.ts";
import { jsonPointer } from "../model/kernel/json.ts";
import { Problem, problem, type ProblemEntry, withMore } from "../model/kernel/problem.ts";
import { codesOfField } from "../model/contract/v1.ts";

/** The problem to answer with, for any error. `isUnforeseen`: an error of ours that needs investigation. */
export function problemOf(error: unknown): { problem: Problem; isUnforeseen: boolean } {
  if (error instanceof Problem) return { problem: error, isUnforeseen: false };
  // The public API sets no timeout: an administrator cancelled the statement, or the role has its own timeout, and a retry may never help.
  const isCancelled = isTimeout(error);
  if (isCancelled || isUnavailable(error)) {
    return {
      problem: problem("service.unavailable", "The database cannot be reached right now. Send the request again."),
      isUnforeseen: isCancelled,
    };
  }
  return {
    problem: problem("internal_error", "Something went wrong on our side. If it keeps happening, tell us the traceId."),
    isUnforeseen: true,
  };
}

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

/**
 * An invalid input as one problem that lists everything, in the order of the contract's fields: what was found while it was read, what the
 * contract finds, and what definitions add. A place has the problems of the first of these alone.
 */
export function refusedInput(
  found: readonly ProblemEntry[],
  issues: readonly z.core.$ZodIssue[],
  byDefinitions: readonly ProblemEntry[],
  input: unknown,
  paths: InputPaths,
): Problem {
  const entries: ProblemEntry[] = [];
  for (const part of [found, entriesOf(issues, input, paths), byDefinitions]) {
    const said = entries.map(placeOf);
    entries.push(...part.filter((entry) => !said.some((place) => `${placeOf(entry)}/`.startsWith(`${place}/`))));
  }
  const fields = paths.schema instanceof z.ZodObject ? Object.keys(paths.schema.shape) : [];
  const orderOf = (entry: ProblemEntry) => fields.indexOf(placeOf(entry).split("/")[1] ?? "");
  return new Problem(entries.toSorted((one, other) => orderOf(one) - orderOf(other)) as [ProblemEntry, ...ProblemEntry[]]);
}

const placeOf = ({ pointer, parameter }: ProblemEntry): string => pointer ?? `#/${parameter}`;

/** The problems of a body under a schema, for procedures that report further problems with them. */
export const bodyProblems = (schema: z.ZodObject, body: unknown): ProblemEntry[] =>
  entriesOf(schema.safeParse(body).error?.issues ?? [], body, { schema, isParameter: () => false });

/** An invalid input in sentences, for procedures of the dashboard. */
export const sentencesOf = (issues: readonly z.core.$ZodIssue[], input: unknown): string[] =>
  withoutLengths(issues).map((issue) => wordsOf(issue, input).message);

/** Leaves out the length of a list that should not be one: zod checks it although the type is wrong. */
const withoutLengths = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.filter((issue, at) => {
    const before = issues[at - 1];
    const isOfList = "origin" in issue && issue.origin === "array";
    return !(isOfList && before?.code === "invalid_type" && before.path.join("\0") === issue.path.join("\0"));
  });

function wordsOf(issue: z.core.$ZodIssue, input: unknown) {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const value = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | null | undefined)?.[step], input);
  const kind = kindOf(issue, value);
  return { path, kind, message: messageOf(issue, path.join(".") || "The body", kind) };
}

const entriesOf = (issues: readonly z.core.$ZodIssue[], input: unknown, { schema, isParameter }: InputPaths): ProblemEntry[] =>
  withoutLengths(issues).map((issue) => {
    const { path, kind, message } = wordsOf(issue, input);
    const [first] = path;
    const isOfField = path.length === 1 || (path.length === 2 && typeof path[1] === "number");
    const codes = isOfField ? codesOfField(schema, String(first)) : null;
    const code = codes?.[kind] ?? codes?.invalid ?? "request.invalid";
    const where = typeof first === "string" && isParameter(first) ? { parameter: first } : { pointer: jsonPointer(path) };
    return { code, message, ...where };
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
  record: "an object",
  array: "a list",
};

function messageOf(issue: z.core.$ZodIssue, name: string, kind: Kind): string {
  if (kind === "missing") return `${name} is missing.`;
  switch (issue.code) {
    case "invalid_type":
      return `${name} must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case "invalid_value":
      return oneOf(name, issue.values);
    case "invalid_union":
      return "options" in issue
        ? oneOf(name, issue.options as readonly z.core.util.Primitive[])
        : `${name} has none of the possible forms.`;
    case "too_small":
      return `${name} must ${bound("least", issue.origin, issue.minimum)}.`;
    case "too_big":
      if (issue.origin === "string") return `${name} is longer than ${issue.maximum} characters.`;
      return `${name} must ${bound("most", issue.origin, issue.maximum)}.`;
    case "invalid_format":
      // Words of a contract's own begin with a verb.
      return `${name} ${issue.message.startsWith("Invalid") ? (FORMATS[issue.format] ?? "has the wrong form.") : issue.message}`;
    case "unrecognized_keys":
      return `${name} has an unknown member: ${issue.keys.join(", ")}.`;
    case "custom":
      return `${name} ${issue.message}`;
    default:
      return `${name} is invalid.`;
  }
}

const FORMATS: Record<string, string> = { uuid: "must be a UUID.", base64: "must be in base64." };

const oneOf = (name: string, values: readonly z.core.util.Primitive[]): string =>
  `${name} must be ${values.length === 1 ? "" : "one of "}${values.map(String).join(", ")}.`;

const bound = (which: "least" | "most", origin: string, limit: number | bigint): string =>
  origin === "array" ? `have at ${which} ${limit === 1 ? "one entry" : `${limit} entries`}` : `be at ${which} ${limit}`;
