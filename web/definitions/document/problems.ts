import { type Mistake, mistake, mistakeIn, type Path } from "#server/model/rules/finding.ts";
import { numberInWords } from "#server/model/rules/value-words.ts";
import type { z } from "zod";
import { type Kind, SHAPES } from "#server/model/definitions/contract.ts";
import { isNumeric } from "#server/model/kernel/values.ts";
import { DRAFTS } from "../kinds/drafts.ts";
import { definitionOf, type Draft } from "./draft.ts";
import { asSentence, formWords } from "./form-words.ts";
import { entryName } from "./labels.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { valueAt } from "#server/model/definitions/value-at.ts";
import type { Problem } from "./pointers.ts";

type Issue = z.core.$ZodIssue;

/** Validates a draft by its kind's shape; each problem has its path, in a form's words. */
export function problemsOf(kind: Kind, draft: Draft): Problem[] {
  const definition = definitionOf(draft);
  const result = SHAPES[kind].safeParse(definition);
  const ofShape = result.success ? [] : result.error.issues.flatMap((issue) => problemsIn(issue, [], definition));
  const problems = [...ofShape, ...emptyReferences(definition, []), ...(DRAFTS[kind].missingChoices?.(definition) ?? [])];
  return problems.filter(({ pointer }, at) => problems.findIndex((other) => other.pointer === pointer) === at);
}

/** References to a definition or a property; for their shape an empty name is valid. */
const REFERENCES = new Set(["event", "metric", "attribute", "segment", "missionCompleted", "streak", "property", "catalogItem"]);

function emptyReferences(value: unknown, path: Path): Problem[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, name];
    return inner === "" && REFERENCES.has(name) ? [{ pointer: pointerTo(place), message: "Required." }] : emptyReferences(inner, place);
  });
}

function problemsIn(issue: Issue, base: Path, definition: unknown): Problem[] {
  const path = [...base, ...issue.path.map((name) => (typeof name === "number" ? name : String(name)))];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const form = meantForm(issue.errors);
    if (form !== undefined) return form.flatMap((inner) => problemsIn(inner, path, definition));
  }
  return [{ pointer: pointerTo(path), message: messageFor(mistakeFrom(issue), path, valueAt(definition, path)) }];
}

/** The message of a zod issue; the shapes have no code for issues that a form cannot cause. */
function mistakeFrom(issue: Issue): Mistake {
  if (issue.code === "invalid_key")
    return mistake("shape.name", { wanted: mistakeIn(issue.issues[0]?.message ?? "") ?? mistake("shape.wrong") });
  const said = mistakeIn(issue.message);
  if (said !== null) return said;
  return issue.code === "invalid_value"
    ? mistake("shape.one_of", { values: issue.values.map(String), suggestion: null })
    : mistake("shape.wrong");
}

/** The variant of a union that the author is filling in: a draft has exactly that variant's members. Undefined if none matches. */
function meantForm(forms: readonly Issue[][]): Issue[] | undefined {
  const alike = forms.filter(
    (form) => !form.some(({ code, path }) => path.length === 0 && (code === "unrecognized_keys" || code === "invalid_type")),
  );
  return alike.sort((a, b) => a.length - b.length)[0];
}

function messageFor(one: Mistake, path: Path, value: unknown): string {
  const member = path.findLast((name) => typeof name === "string");
  if (one.code === "shape.entries_least") return `Add at least one ${entryName(String(member))}.`;
  const most = one.code === "shape.whole_number" ? one.params.most : undefined;
  if (Number.isNaN(value)) return `Enter a number, such as ${most === undefined ? "1000 or 12.5" : "1000"}.`;
  if (most !== undefined && isNumeric(value) && Number(String(value)) > most) return `At most ${numberInWords(most)}.`;
  const words = formWords(one);
  if (!isEmpty(value) || one.code === "shape.name") return asSentence(words);
  if (member === "key") return "Enter a key.";
  if (path.includes("name")) return "Enter a name.";
  if (member === "value" || member === "target") return "Enter a value.";
  if (one.code === "shape.reference") return "Required.";
  if (one.code === "shape.instant") return "Choose a date and time.";
  if (member === "rule" || member === "not") return "Add a condition.";
  return asSentence(words.startsWith("must be ") ? `fill this in: ${words.slice("must be ".length)}` : words);
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";
