import { numberInWords } from "../../../server/rules/value.ts";
import type { z } from "zod";
import { type Kind, SHAPES } from "../../../server/definitions/contract.ts";
import { isNumeric } from "../../../server/kernel/values.ts";
import { asSentence } from "./as-sentence.ts";
import { choicesMissing } from "./choices.ts";
import { definitionOf, type Draft } from "./draft.ts";
import { inPlainWords } from "./plain-words.ts";
import { type Path, placeInWords, pointerTo, type Problem, valueAt } from "./pointers.ts";

export { asSentence };

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
  if (issue.code === "invalid_key") return asSentence(`its name ${issue.issues[0]?.message ?? "cannot be used"}`);
  const most = /must be a whole number from \d+ to (\d+)/.exec(issue.message)?.[1];
  if (Number.isNaN(value)) return `This is no number: write it in digits, such as ${most === undefined ? "1000 or 12.5" : "1000"}.`;
  if (most !== undefined && isNumeric(value) && Number(String(value)) > Number(most)) return `At most ${numberInWords(Number(most))}.`;
  if (!isEmpty(value)) return asSentence(issue.message);
  if (member === "key") return "Give it a key.";
  if (path.includes("name")) return "Give it a name.";
  if (member === "value" || member === "target") return "Fill in a value.";
  if (issue.message.includes("key of a definition")) return "Choose one.";
  if (issue.message.includes("timestamp")) return "Choose a date and time.";
  if (member === "rule" || member === "not") return "Add a condition.";
  if (!inPlainWords(issue.message).startsWith("must be ")) return asSentence(issue.message);
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

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

/** A problem where it is shown away from its field: with its place, as a line of a list. What cannot change names itself. */
export const asLine = ({ pointer, message }: Problem): string =>
  pointer === "" || / cannot change/.test(message) ? asSentence(message) : `${placeInWords(pointer)}: ${asSentence(message)}`;
