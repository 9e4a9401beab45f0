import { Decimal } from "../kernel/decimal.ts";
import { hasBadText } from "../kernel/json.ts";
import type { Steps } from "../kernel/steps.ts";
import { MAX_DEFINITIONS, tooMuchAt } from "./extent.ts";
import { finding, type Path, type Finding } from "../rules/finding.ts";
import { MAX_LIST } from "../rules/shapes.ts";

/** How deep a file may be nested: far beyond readable files, and shallow enough for recursive code. */
const MAX_DEPTH = 64;
/** How many members an object of a file may have: no shape has as many, and checking each takes time. */
const MAX_MEMBERS = 1_000;

/** How many values of a file are checked in one step. */
const STEP = 1_000;

/**
 * Problems that shapes do not check: text that cannot be stored, members with a special meaning in JavaScript, deep nesting, huge lists and
 * objects. Values that are too deep or too large must not be processed further.
 */
export function* malformedParts(document: unknown): Steps<{ findings: Finding[]; isTooLarge: boolean }> {
  const findings: Finding[] = [];
  let isTooLarge = false;
  const open: Part[] = [{ value: document, path: [] }];
  for (let seen = 1, part = open.pop(); part !== undefined; seen++, part = open.pop()) {
    if (seen % STEP === 0) yield;
    const { value, path } = part;
    const name = path.at(-1);
    if (typeof name === "string") findings.push(...nameFindings(name, path));
    if (typeof value === "string" && hasBadText(value)) findings.push(finding(path, "document.bad_text"));
    if (typeof value !== "object" || value === null || value instanceof Decimal) continue;
    const excess = excessIn(value, path);
    if (excess === null) open.push(...partsOf(value, path).reverse());
    else {
      findings.push(excess);
      isTooLarge = true;
    }
  }
  return { findings, isTooLarge };
}

/** A value of the file still to check. */
interface Part {
  value: unknown;
  path: Path;
}

const partsOf = (value: object, path: Path): Part[] =>
  [...(Array.isArray(value) ? value.entries() : Object.entries(value))].map(([name, inner]) => ({ value: inner, path: [...path, name] }));

function excessIn(value: object, path: Path): Finding | null {
  if (path.length >= MAX_DEPTH) return finding(path, "document.too_deep", { most: MAX_DEPTH });
  if (!Array.isArray(value))
    return Object.keys(value).length > MAX_MEMBERS ? finding(path, "document.too_many_members", { most: MAX_MEMBERS }) : null;
  if (path.length > 1) return value.length > MAX_LIST ? finding(path, "shape.entries_most", { most: MAX_LIST }) : null;
  return value.length > MAX_DEFINITIONS ? tooMuchAt(path, { definitions: value.length, bytes: 0 }) : null;
}

function nameFindings(name: string, path: Path): Finding[] {
  if (hasBadText(name)) return [finding(path, "document.bad_name")];
  return name === "__proto__" ? [finding(path, "shape.member_unknown", { name, members: [], suggestion: null })] : [];
}
