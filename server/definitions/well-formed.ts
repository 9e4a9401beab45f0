import { Decimal } from "../kernel/decimal.ts";
import { hasBadText } from "../kernel/json.ts";
import { finding, type Path, type Finding } from "../rules/finding.ts";
import { LONGEST_LIST } from "../rules/shapes.ts";

/** How deep a file may be nested: far beyond what anybody reads, and shallow enough for whatever walks it. */
const DEEPEST = 64;
/** How many members an object of a file may have: no shape knows as many, and looking for each takes its time. */
const MOST_MEMBERS = 1_000;

/** How many definitions of a kind a file may have. */
const MOST_OF_A_KIND = 10_000;

/**
 * What no shape looks for: text that cannot be stored, members that JavaScript takes for something else, endless nesting, lists and
 * objects of thousands. What is nested too deeply or has too many members is not to be walked any further.
 */
export function malformedParts(document: unknown): { findings: Finding[]; isTooLarge: boolean } {
  const findings: Finding[] = [];
  let isTooLarge = false;
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === "string" && hasBadText(value)) findings.push(finding(path, "document.bad_text"));
    if (typeof value !== "object" || value === null || value instanceof Decimal) return;
    if (path.length >= DEEPEST) {
      findings.push(finding(path, "document.too_deep", { most: DEEPEST }));
      isTooLarge = true;
      return;
    }
    if (!Array.isArray(value) && Object.keys(value).length > MOST_MEMBERS) {
      findings.push(finding(path, "document.too_many_members", { most: MOST_MEMBERS }));
      isTooLarge = true;
      return;
    }
    const longest = path.length > 1 ? LONGEST_LIST : MOST_OF_A_KIND;
    if (Array.isArray(value) && value.length > longest) {
      findings.push(finding(path, "shape.entries_most", { most: longest }));
      isTooLarge = true;
      return;
    }
    for (const [name, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const fieldPath = [...path, name];
      if (typeof name === "string") findings.push(...nameFindings(name, fieldPath));
      walk(inner, fieldPath);
    }
  };
  walk(document, []);
  return { findings, isTooLarge };
}

function nameFindings(name: string, path: Path): Finding[] {
  if (hasBadText(name)) return [finding(path, "document.bad_name")];
  return name === "__proto__" ? [finding(path, "shape.member_unknown", { name, members: [], suggestion: null })] : [];
}
