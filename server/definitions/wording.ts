import type { Path } from "../rules/finding.ts";
import { z } from "zod";
import { didYouMean, type Finding, quoted, quotedList } from "./problems.ts";

type Issue = z.core.$ZodIssue;

/** The members that an object may have, by the list of those in it that it may not have. */
type KnownMembers = ReadonlyMap<readonly string[], readonly string[]>;

/** What a shape makes of a value: the value in its form, or what is wrong with it, each with its place in the value. */
type ShapeResult<Output> = { shaped: Output } | { findings: ShapeFinding[] };

/** The path names a member that nobody knows, or the value there is wrong. */
export interface ShapeFinding extends Finding {
  isUnknownMember: boolean;
}

/** Reads a value by its shape. Every problem is told at once, in words that say what a member must be. */
export function readShape<Output>(shape: z.ZodType<Output>, value: unknown): ShapeResult<Output> {
  const known = new Map<readonly string[], readonly string[]>();
  const result = shape.safeParse(value, { error: (issue) => messageOf(issue, known) });
  return result.success
    ? { shaped: result.data }
    : { findings: result.error.issues.flatMap((issue) => findingsOf(issue, [], value, known)) };
}

/** The words for what the shapes have no words of their own for. Notes which members an object may have. */
function messageOf(issue: z.core.$ZodRawIssue, known: Map<readonly string[], readonly string[]>): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? "something else"}`;
    case "invalid_value":
      return mustBeOneOf(issue.values.map(String), issue.input);
    case "invalid_union": {
      const { discriminator, options } = issue as Partial<z.core.$ZodIssueInvalidUnion> & { options?: readonly unknown[] };
      if (discriminator === undefined || options === undefined) return NO_WORDS;
      return mustBeOneOf(options.map(String), memberOf(issue.input, discriminator));
    }
    case "unrecognized_keys":
      if (issue.inst instanceof z.ZodObject) known.set(issue.keys, Object.keys(issue.inst.shape));
      return "is not known";
    default:
      return NO_WORDS;
  }
}

const NO_WORDS = "has the wrong form";

const TYPES: Record<string, string> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  boolean: "true or false",
};

const mustBeOneOf = (values: readonly string[], given: unknown): string =>
  `must be one of ${quotedList(values)}${didYouMean(given, values)}`;

function findingsOf(issue: Issue, base: Path, value: unknown, known: KnownMembers): ShapeFinding[] {
  const path = [...base, ...issue.path.map((name) => (typeof name === "number" ? name : String(name)))];
  switch (issue.code) {
    case "invalid_union": {
      // An unknown kind: the message has those that there are.
      if (issue.errors.length === 0) return [finding(path, issue.message, value)];
      const given = valueAt(value, path);
      const form = meant(issue.errors, given, known);
      if (issue.message !== NO_WORDS && !isLike(form, given, known)) return [finding(path, issue.message, value)];
      return form.flatMap((inner) => findingsOf(inner, path, value, known));
    }
    case "unrecognized_keys": {
      const holder = valueAt(value, path);
      // "__proto__" is told of everywhere, not only where members are known (well-formed.ts).
      return issue.keys
        .filter((key) => key !== "__proto__")
        .map((key) => ({ path: [...path, key], message: unknownMember(key, known.get(issue.keys), holder), isUnknownMember: true }));
    }
    case "invalid_key":
      return [{ path, message: `the name ${issue.issues[0]?.message ?? "is not allowed"}`, isUnknownMember: false }];
    default:
      return [finding(path, issue.message, value)];
  }
}

function finding(path: Path, message: string, value: unknown): ShapeFinding {
  const given = valueAt(value, path);
  const isMissing = given === undefined || given === null;
  return { path, message: isMissing && message.startsWith("must ") ? `is missing; it ${message}` : message, isUnknownMember: false };
}

function unknownMember(key: string, members: readonly string[] = [], holder: unknown): string {
  const there = members.length === 0 ? "" : `; there ${members.length === 1 ? "is" : "are"} ${quotedList(members)}`;
  return `there is no member ${quoted(key)} here${misspelt(key, members, holder) || there}`;
}

/** Nobody writes a member twice: one that is there is not what another was meant to be. */
const misspelt = (key: string, members: readonly string[] = [], holder: unknown): string =>
  didYouMean(
    key,
    members.filter((member) => valueAt(holder, [member]) === undefined),
  );

/** Of the forms that a value may have, the one that it was most likely meant to have. */
function meant(forms: readonly (readonly Issue[])[], value: unknown, known: KnownMembers): readonly Issue[] {
  const distances = forms.map((issues) => distanceOf(issues, value, known));
  return forms[distances.indexOf(Math.min(...distances))] ?? [];
}

/** How far a value is from a form: by the members it lacks and by those it has too many; a misspelt one tells what was meant. */
function distanceOf(issues: readonly Issue[], value: unknown, known: KnownMembers): number {
  let far = 0;
  for (const issue of issues) {
    if (issue.code === "invalid_type" && issue.path.length === 0) far += 1_000;
    else if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
      for (const key of issue.keys) far += misspelt(key, known.get(issue.keys), value) === "" ? 1 : 0.5;
    } else if (issue.path.length === 1 && valueAt(value, issue.path as Path) === undefined) far += 1;
  }
  return far;
}

/** Whether a value has anything of a form, if only misspelt. */
function isLike(form: readonly Issue[], value: unknown, known: KnownMembers): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const strange = form.find((issue) => issue.code === "unrecognized_keys" && issue.path.length === 0);
  const keys = strange?.code === "unrecognized_keys" ? strange.keys : [];
  return keys.length < Object.keys(value).length || keys.some((key) => misspelt(key, known.get(keys), value) !== "");
}

const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;

export const valueAt = (value: unknown, path: Path): unknown => path.reduce(memberOf, value);
