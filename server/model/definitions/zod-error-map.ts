import { z } from "zod";
import { fileSentence } from "../rules/file-words.ts";
import { type Finding, finding, issueText, type Path, type Mistake, mistake, mistakeIn } from "../rules/finding.ts";
import { closest } from "./problems.ts";
import { memberOf, valueAt } from "./value-at.ts";

type Issue = z.core.$ZodIssue;

/** The members that an object may have, by the list of those in it that it may not have. */
type KnownMembers = ReadonlyMap<readonly string[], readonly string[]>;

/** The result of a shape: the parsed value, or its findings, whose paths lead into the value. */
type ShapeResult<Output> = { shaped: Output } | { findings: ShapeFinding[] };

/** The path is that of an unknown member, or of a wrong value. */
export type ShapeFinding = Finding & { isUnknownMember: boolean };

/** Parses a value by its shape. All problems are reported together, in words that say what a member must be. */
export function readShape<Output>(shape: z.ZodType<Output>, value: unknown): ShapeResult<Output> {
  const known = new Map<readonly string[], readonly string[]>();
  const result = shape.safeParse(value, { error: (issue) => messageOf(issue, known) });
  return result.success
    ? { shaped: result.data }
    : { findings: result.error.issues.flatMap((issue) => findingsOf(issue, [], value, known)) };
}

/** Messages that shapes do not have themselves. Records the known members of objects. */
function messageOf(issue: z.core.$ZodRawIssue, known: Map<readonly string[], readonly string[]>): string {
  switch (issue.code) {
    case "invalid_type":
      return issueText(mistake("shape.type", { expected: issue.expected }));
    case "invalid_value":
      return oneOfText(issue.values.map(String), issue.input);
    case "invalid_union": {
      const { discriminator, options } = issue as Partial<z.core.$ZodIssueInvalidUnion> & { options?: readonly unknown[] };
      if (discriminator === undefined || options === undefined) return WRONG;
      return oneOfText(options.map(String), memberOf(issue.input, discriminator));
    }
    case "unrecognized_keys":
      if (issue.inst instanceof z.ZodObject) known.set(issue.keys, Object.keys(issue.inst.shape));
      return WRONG;
    default:
      return WRONG;
  }
}

const WRONG = issueText(mistake("shape.wrong"));

const oneOfText = (values: readonly string[], input: unknown): string =>
  issueText(mistake("shape.one_of", { values, suggestion: closest(input, values) }));

const mistakeFrom = (message: string | undefined): Mistake => (message === undefined ? null : mistakeIn(message)) ?? mistake("shape.wrong");

function findingsOf(issue: Issue, base: Path, value: unknown, known: KnownMembers): ShapeFinding[] {
  const path = [...base, ...issue.path.map((name) => (typeof name === "number" ? name : String(name)))];
  switch (issue.code) {
    case "invalid_union": {
      // An unknown kind: the message lists the known ones.
      if (issue.errors.length === 0) return [shapeFinding(path, issue.message, value)];
      const given = valueAt(value, path);
      const form = meant(issue.errors, given, known);
      if (issue.message !== WRONG && !isLike(form, given, known)) return [shapeFinding(path, issue.message, value)];
      return form.flatMap((inner) => findingsOf(inner, path, value, known));
    }
    case "unrecognized_keys": {
      const holder = valueAt(value, path);
      // "__proto__" is reported everywhere, not only in objects with known members (well-formed.ts).
      return issue.keys
        .filter((key) => key !== "__proto__")
        .map((key) => ({ ...unknownMember([...path, key], key, known.get(issue.keys), holder), isUnknownMember: true }));
    }
    case "invalid_key":
      return [{ ...finding(path, "shape.name", { wanted: mistakeFrom(issue.issues[0]?.message) }), isUnknownMember: false }];
    default:
      return [shapeFinding(path, issue.message, value)];
  }
}

function shapeFinding(path: Path, message: string, value: unknown): ShapeFinding {
  const there = valueAt(value, path);
  const isMissing = there === undefined || there === null;
  const wanted = mistakeFrom(message);
  const what = isMissing && fileSentence(wanted).startsWith("must ") ? mistake("shape.missing", { wanted }) : wanted;
  return { ...what, path, isUnknownMember: false };
}

const unknownMember = (path: Path, name: string, members: readonly string[] = [], holder: unknown): Finding =>
  finding(path, "shape.member_unknown", { name, members, suggestion: misspelt(name, members, holder) });

/** A member that is already present is not a candidate for a misspelt one. */
const misspelt = (key: string, members: readonly string[] = [], holder: unknown): string | null =>
  closest(
    key,
    members.filter((member) => valueAt(holder, [member]) === undefined),
  );

/** The most likely intended form of a value. */
function meant(forms: readonly (readonly Issue[])[], value: unknown, known: KnownMembers): readonly Issue[] {
  const distances = forms.map((issues) => distanceOf(issues, value, known));
  return forms[distances.indexOf(Math.min(...distances))] ?? [];
}

/** The distance of a value from a form: missing and extra members; a misspelt one counts as a hint. */
function distanceOf(issues: readonly Issue[], value: unknown, known: KnownMembers): number {
  let far = 0;
  for (const issue of issues) {
    if (issue.code === "invalid_type" && issue.path.length === 0) far += 1_000;
    else if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
      for (const key of issue.keys) far += misspelt(key, known.get(issue.keys), value) === null ? 1 : 0.5;
    } else if (issue.path.length === 1 && valueAt(value, issue.path as Path) === undefined) far += 1;
  }
  return far;
}

/** Whether a value has any member of a form, even if misspelt. */
function isLike(form: readonly Issue[], value: unknown, known: KnownMembers): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const strange = form.find((issue) => issue.code === "unrecognized_keys" && issue.path.length === 0);
  const keys = strange?.code === "unrecognized_keys" ? strange.keys : [];
  return keys.length < Object.keys(value).length || keys.some((key) => misspelt(key, known.get(keys), value) !== null);
}
