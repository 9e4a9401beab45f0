import type { z } from "zod";
import { type Kind, SHAPES } from "../../../server/definitions/contract.ts";
import { choicesMissing } from "./choices.ts";
import { definitionOf, type Draft } from "./draft.ts";
import { type Path, pointerTo, type Problem, valueAt } from "./pointers.ts";

type Issue = z.core.$ZodIssue;

/** What the shape of its kind finds wrong with a draft, each at its place, in words for whoever fills in a form. */
export function problemsOf(kind: Kind, draft: Draft): Problem[] {
  const definition = definitionOf(draft);
  const result = SHAPES[kind].safeParse(definition);
  const ofShape = result.success ? [] : result.error.issues.flatMap((issue) => problemsIn(issue, [], definition));
  const problems = [...ofShape, ...emptyReferences(definition, []), ...choicesMissing(kind, definition)];
  return problems.filter(({ pointer }, at) => problems.findIndex((other) => other.pointer === pointer) === at);
}

/** Members that name another definition or a property; to their shape an empty name is one. */
const REFERENCES = new Set(["event", "metric", "attribute", "segment", "missionCompleted", "streak", "property", "catalogItem"]);

function emptyReferences(value: unknown, path: Path): Problem[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, name];
    return inner === "" && REFERENCES.has(name) ? [{ pointer: pointerTo(place), message: "Choose one." }] : emptyReferences(inner, place);
  });
}

function problemsIn(issue: Issue, base: Path, definition: unknown): Problem[] {
  const path = [...base, ...issue.path.map((name) => (typeof name === "number" ? name : String(name)))];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const form = meantForm(issue.errors);
    if (form !== undefined) return form.flatMap((inner) => problemsIn(inner, path, definition));
  }
  return [{ pointer: pointerTo(path), message: messageFor(issue, path, valueAt(definition, path)) }];
}

/** Of several forms the one that the author is filling in: a draft has every member of its form and no others. Undefined where it has none. */
function meantForm(forms: readonly Issue[][]): Issue[] | undefined {
  const alike = forms.filter(
    (form) => !form.some(({ code, path }) => path.length === 0 && (code === "unrecognized_keys" || code === "invalid_type")),
  );
  return alike.sort((a, b) => a.length - b.length)[0];
}

function messageFor(issue: Issue, path: Path, value: unknown): string {
  const member = path.findLast((name) => typeof name === "string");
  if (issue.code === "too_small" && issue.origin === "array") return `Add at least one ${SINGULAR[String(member)] ?? "entry"}.`;
  if (!isEmpty(value)) return asSentence(issue.message);
  if (member === "key") return "Give it a key.";
  if (path.includes("name")) return "Give it a name.";
  if (member === "value" || member === "target") return "Fill in a value.";
  if (issue.message.includes("key of a definition")) return "Choose one.";
  if (issue.message.includes("timestamp")) return "Choose a date and time.";
  if (member === "rule") return "Add a condition.";
  return issue.message.startsWith("must be ") ? asSentence(`fill this in: ${issue.message.slice("must be ".length)}`) : "Fill this in.";
}

/** A list of entries holds them under the name of many. */
const SINGULAR: Record<string, string> = {
  objectives: "objective",
  rewards: "reward",
  contents: "item",
  tiers: "tier",
  all: "condition",
  any: "condition",
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "" || Number.isNaN(value);

/** The words of a problem, which begin with a verb, as a sentence of their own. */
export function asSentence(message: string): string {
  // Nobody reaches the largest numbers that can be stored.
  const text = message.trim().replace(/from (\d+) to (9007199254740991|2147483647)/, "of at least $1");
  if (text === "") return "Something is wrong here.";
  const begun = text[0]!.toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
